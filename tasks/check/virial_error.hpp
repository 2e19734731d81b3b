// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/check/sample.hpp"
#include "tasks/engine/given_arrays.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace nearfar::detail {

/// A single number is rarely further off than so many times its root mean square.
inline constexpr double of_one_number = 2;

/// Sums over sampled targets, which are the sources: of errors of their forces, and these times their places.
struct ForceErrors {
  static constexpr std::size_t numbers = 21;
  std::array<long double, numbers> sums{};

  long double& forces() { return sums[0]; }   ///< squares of the forces themselves
  long double& wrong() { return sums[1]; }    ///< squares of their errors
  long double& squares() { return sums[2]; }  ///< of the latter
  /// Of error a and place b, and their squares.
  long double& product(std::size_t a, std::size_t b) { return sums[3 + 3 * a + b]; }
  long double& product_square(std::size_t a, std::size_t b) { return sums[12 + 3 * a + b]; }
};

/// Of the sampled targets among the rows here, of which `first` is the first: from sums pair by pair, laid out as for
/// sampled_sums, of one vector.
template <class T>
ForceErrors sampled_force_errors(Kernel kernel, Outputs outputs, CheckSample<T> const& sample,
                                 std::span<double const> exact, GivenArrays<T const> const& strengths,
                                 GivenArrays<T const> const& result, std::size_t first);

/// The error of the largest component of a virial that is the sum of forces times places, relative to it. Errors of
/// forces are taken for independent of each other, unless those of the sample add up by far more than that, as those of
/// charges of one sign may. `lever`: by which length independent ones are multiplied; `unit`: that of the places.
/// `energy`: energy and virial.
double virial_error(ForceErrors errors, std::size_t sampled, std::size_t points, double lever, double unit,
                    std::span<long double const> energy);

}  // namespace nearfar::detail
