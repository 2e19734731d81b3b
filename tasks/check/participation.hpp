// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/loop.hpp"

#include <nearfar/kernel.hpp>

#include <span>
#include <vector>

namespace nearfar::detail {

/// For each vector of strengths in rows, `vectors` for each source: the sum of their magnitudes, and
/// that of the squares. With several ranks, each with some of the rows, these add up to the sums over
/// all. Of the kinds of strengths that a kernel has, those whose fields fall off fastest: charges,
/// forces, double layers (|q| |n|). The magnitude of a vector is that of its largest component.
template <class T>
std::vector<long double> strength_sums(Kernel kernel, std::span<T const> rows, int vectors, Loop const& loop = in_turn);

/// The number of equal strengths with such sums, (sum |q|)^2 / sum q^2:
/// the smallest over all vectors that are not zero; infinity if all are.
double participation_number(std::span<long double const> sums);

}  // namespace nearfar::detail
