// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <span>
#include <vector>

namespace nearfar::detail {

/// Of strengths in rows, `vectors` for each source: for each vector the sum of their magnitudes, and of the squares of
/// those. Of several ranks, which have some of the rows each, the sums add up to those of all. Of the kinds of
/// strengths that a kernel has, those whose sums fall fastest: charges, forces, double layers (|q| |n|). Magnitudes of
/// vectors are those of their largest components.
template <class T>
std::vector<long double> strength_sums(Kernel kernel, std::span<T const> rows, int vectors);

/// As many equal strengths would have such sums, (sum |q|)^2 / sum q^2: the least of all vectors that are not zero;
/// infinity if all are.
double carriers(std::span<long double const> sums);

}  // namespace nearfar::detail
