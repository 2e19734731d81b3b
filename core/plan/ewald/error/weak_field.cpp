// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/weak_field.hpp"

#include "core/kernels/description/description.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

double weak_field(EwaldOptions const& options, std::size_t sources, std::size_t targets) noexcept {
  // The norm of n numbers without a pattern is below x with probability of about x^n. A potential is one number, a
  // velocity three, and its pressure one; that of a single double layer is the product of two cosines, which is weak as
  // often as one number.
  KernelDescription const& kernel = describe(options.kernel, options.outputs);
  bool const alone = kernel.has_double_layer() && sources <= 2;
  double const numbers = double(std::min<std::size_t>(targets, 1000)) *
                         (kernel.base != Base::hasimoto || kernel.table.pressure || alone ? 1 : 3);
  constexpr double one_in = 1000, margin = 2;  // plans keep that much below the tolerance
  return std::max({1.0, std::pow(one_in, 1 / numbers) / margin, uneven_error(double(sources)) / margin});
}

double uneven_error(double sources, bool elsewhere) noexcept {
  constexpr double most = 24;  // of all pairs in a shell as wide as a Gaussian falls off there
  double const n = std::max(1.0, sources);
  return std::sqrt(1 + (elsewhere ? std::min(most, 8 / n + 150 / (n * n)) : 8 / n));
}

}  // namespace nearfar
