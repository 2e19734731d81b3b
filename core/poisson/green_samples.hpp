// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"
#include "core/poisson/cell_average.hpp"
#include "core/poisson/green.hpp"
#include "core/poisson/sampled_kernel.hpp"
#include "core/poisson/truncated_kernel.hpp"

#include <cmath>

namespace nearfar {

/// The scaled samples of a Green's function, on hosts and devices. `shared` points to its shared_terms.
class GreenSamples {
 public:
  GreenSamples(GreenFunction const& green, SharedTerms const* shared) : green_(green), shared_(shared) {
    for (int d = 0; d < 3; ++d) unit_[d] = green.axis[d].unit();
  }

  NEARFAR_FUNCTION double operator()(int x, int y, int z) const { return green_.scale * value({x, y, z}); }

 private:
  NEARFAR_FUNCTION double value(int const (&at)[3]) const {
    double open_squared = 0, closed_squared = 0, c[3];
    int mode = 0;  // of the directions that repeat, combined
    for (int d = 0; d < 3; ++d) {
      c[d] = at[d] * unit_[d];
      if (green_.axis[d].open) {
        open_squared += c[d] * c[d];
      } else {
        closed_squared += c[d] * c[d];
        mode = mode * green_.axis[d].modes() + at[d];
      }
    }
    int const open = green_.open();
    double const kappa = std::sqrt(closed_squared), r = std::sqrt(open_squared);  // in space; over modes a wave number
    if (green_.radius > 0 || open == 0)
      return truncated_kernel(open, green_.radius, r, kappa, open == 2 ? shared_[mode].edge : BesselK());
    if (green_.green == HockneyGreen::integrated)
      return cell_average(c, {green_.axis[0].spacing, green_.axis[1].spacing, green_.axis[2].spacing});
    return r == 0 ? shared_[mode].central : sampled_kernel(open, r, kappa);
  }

  GreenFunction green_;
  SharedTerms const* shared_;
  double unit_[3];
};

}  // namespace nearfar
