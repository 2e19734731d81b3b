// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/given_arrays.hpp"

#include <nearfar/kernel.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Sums over sampled targets, which are the sources.
struct ForceErrors {
  long double forces = 0, wrong = 0;  ///< squares of forces, and of their errors
  long double squares = 0;            ///< of the latter
};

/// Of the sampled targets among the rows here, of which `first` is the first: from sums pair by pair, laid out as for
/// sampled_sums, of one vector.
template <class T>
ForceErrors sampled_force_errors(Kernel kernel, Outputs outputs, std::vector<std::uint32_t> const& targets,
                                 std::int64_t stride, std::span<double const> exact,
                                 GivenArrays<T const> const& strengths, GivenArrays<T const> const& result,
                                 std::size_t first);

/// The error of the largest component of a virial that is the sum of forces times positions, relative to it, if the
/// errors of forces are independent of each other. `lever`: by which length these are multiplied.
/// `energy`: energy and virial.
double virial_error(ForceErrors const& errors, std::size_t sampled, std::size_t points, double lever,
                    std::span<long double const> energy);

}  // namespace nearfar::detail
