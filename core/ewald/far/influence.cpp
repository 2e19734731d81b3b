// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/influence.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/ewald/tolerances.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"

#include <algorithm>

namespace nearfar {

double InfluenceFunction::wave_number(int d, int mode) const {
  return 2 * pi<double> / (axis[d].cut * axis[d].spacing) * mode;
}

double InfluenceFunction::radial(double squared) const {
  if (squared == 0) return scale;
  double const multiplier = far(squared);
  return multiplier == 0 ? 0 : scale * multiplier * truncation(squared);
}

double InfluenceFunction::radial_of_pressure(double squared) const {
  double const multiplier = squared > 0 ? far_pressure(squared) : 0;
  return multiplier == 0 ? 0 : scale * multiplier * pressure_truncation(squared);
}

double influence_value(InfluenceFunction const& f, InfluenceNumber number, std::array<double, 3> const& k,
                       double squared) {
  constexpr std::size_t mixed[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  int const c = number.component;
  if (number.kind == InfluenceNumber::vector || number.kind == InfluenceNumber::pressure) return k[std::size_t(c)];
  if (squared == 0) return c < 3 ? f.zero_mode[c] : 0;
  if (number.kind == InfluenceNumber::scalar) return 1;
  if (c >= 3) return -k[mixed[c - 3][0]] * k[mixed[c - 3][1]] / squared;
  double across = 0;
  for (std::size_t d = 0; d < 3; ++d)
    if (d != std::size_t(c)) across += k[d] * k[d];
  return across / squared;
}

InfluenceFunction make_influence_function(EwaldOptions const& o, EwaldPlanning const& p) {
  InfluenceFunction f;
  auto const edge = grid_edges(o, p);
  auto const cut = cut_transforms(o, p);
  double volume = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    f.axis[d] = {p.grid[d], std::max(cut[d], 2 * p.grid[d]), edge[d] / p.grid[d]};
    double const length = f.axis[d].cut * f.axis[d].spacing;
    volume *= length;
    f.scale /= length * f.axis[d].transform();
  }
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  f.parts = kernel.table;
  Profile const profile = profile_of(o, p);
  f.far = make_far_multiplier<double>(profile, kernel.base, fit_error(o.tolerance));
  f.truncation = make_truncation(truncation_radius(o, p), 3, kernel.base, profile);
  if (f.parts.pressure) {
    f.far_pressure = make_pressure_multiplier<double>(profile, fit_error(o.tolerance));
    f.pressure_truncation = {f.truncation.radius, 3, true};
  }
  auto const zero_mode = free_zero_mode(f.truncation, volume, 1, 1);
  for (std::size_t d = 0; d < 3; ++d) f.zero_mode[d] = zero_mode[d];
  return f;
}

std::vector<double> influence_corrections(InfluenceFunction const& f, WindowShape const& window) {
  std::vector<double> all;
  for (InfluenceAxis const& axis : f.axis)
    for (int mode = 0; mode < axis.samples(); ++mode) {
      double const theta = pi<double> * mode * window.points / axis.cut;
      double const transform = 0.5 * window.points * window_transform(window, theta);
      all.push_back(2 * mode == axis.cut ? 0 : 1 / (transform * transform));
    }
  return all;
}

}  // namespace nearfar
