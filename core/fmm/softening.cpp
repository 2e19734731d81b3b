// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/softening.hpp"

#include "core/kernels/description/softening.hpp"
#include "core/math/reject.hpp"

#include <cmath>

namespace nearfar {

namespace {

/// Of (epsilon / distance)^2.
double factor(Outputs outputs) noexcept {
  constexpr double of_forces = 0.671, of_second = 1.7;
  return outputs.has(Output::hessian) ? of_second : of_forces;
}

}  // namespace

double softening_error(double softening, double distance, Outputs outputs) noexcept {
  double const ratio = softening / distance;
  return factor(outputs) * ratio * ratio;
}

void check_softening(FmmOptions const& o) {
  if (!o.softening) return;
  check_softening(o.kernel, o.outputs, o.softening);
  if (o.periodicity != Periodicity::none)
    reject(
        "softening is given in a periodic cell (only sums in free space are softened). Leave it out, or use "
        "periodicity none");
  if (o.near_precision == NearPrecision::single)
    reject(
        "softening is given with pairs in single precision (softened pairs have that of the solve). Leave one of them "
        "out");
}

double softening_error_in(FmmOptions const& o, double side, int separation) {
  double const softening = *o.softening, distance = side * separation,
               error = softening_error(softening, distance, o.outputs);
  if (o.order || error <= share_of_softening * o.tolerance) return error;
  // A little less than what just fits, so that rounding does not refuse what is advised.
  double const most = 0.999 * distance * std::sqrt(share_of_softening * o.tolerance / factor(o.outputs));
  reject("softening is ", softening, " with leaves of side ", side, " (boxes ", distance,
         " apart act as without softening, which is wrong by some ", error, "; tolerance ", o.tolerance, " leaves ",
         share_of_softening * o.tolerance, " for it). Give a softening of at most ", most,
         ", or larger leaves by a larger capacity or a smaller depth");
}

}  // namespace nearfar
