// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <span>
#include <vector>

namespace nearfar {

/// For programs whose ranks each have rows of their own and one rank that writes them, part after part: rank 0 gets
/// what rank `from` has as `mine`, the others an empty vector. Every rank calls it, with the same `from`, from the
/// thread that makes its solves. Throws Error{no_resource} on all ranks where rank 0 has no memory for the part. Of one
/// rank, a copy.
std::vector<double> gather_from(Runtime const& runtime, int from, std::span<double const> mine);

/// The sum over all ranks, on all of them; every rank calls it, as above. Of one rank, its own number.
long double sum_of_ranks(Runtime const& runtime, long double mine);

}  // namespace nearfar
