// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <span>
#include <string>
#include <vector>

namespace nearfar {

/// Returns `mine` of rank `from` on rank 0, and an empty vector on all other ranks, so that rank 0 can write the
/// rows of all ranks part by part. Every rank calls it with the same `from`, from the thread that makes its
/// solves. Throws Error{no_resource} on all ranks if rank 0 has no memory for the part. With one rank it returns a
/// copy.
std::vector<double> gather_from(Runtime const& runtime, int from, std::span<double const> mine);

/// The sum of `mine` over all ranks, on all ranks; every rank calls it, as above.
long double sum_of_ranks(Runtime const& runtime, long double mine);

/// The texts of all processes that were started together (`launch`), by rank, on all of them, which all call it. For
/// what they have to settle before there is a Runtime.
std::vector<std::string> allgather(std::string const& mine);

}  // namespace nearfar
