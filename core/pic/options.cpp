// SPDX-License-Identifier: BSD-3-Clause
#include "core/pic/options.hpp"

#include "core/math/reject.hpp"
#include "core/poisson/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace nearfar {

namespace {

void check_external(char const* what, std::array<double, 3> const& values) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!std::isfinite(values[d]))
      reject("the external field's ", what, " along ", "xyz"[d], " is ", values[d],
             " (no particle would be anywhere after a step); give a finite number");
}

template <class T>
void check_finite(char const* what, std::span<T const> values, std::size_t per_particle, std::size_t first) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      reject("the ", what, " of particle ", first + i / per_particle, " is ", values[i],
             " (the field of all would not be a number); all must be finite");
}

}  // namespace

PoissonOptions poisson_options(PicOptions const& o) {
  return {.method = o.method, .grid = o.grid, .box = o.box, .periodic = o.periodic};
}

void check_options(PicOptions const& o) {
  check_options(poisson_options(o));
  if (!(o.time_step > 0) || !std::isfinite(o.time_step))
    reject("the time step is ", o.time_step, ", and nothing would move forward; give a number above 0");
  if (!std::isfinite(o.charge_per_mass) || o.charge_per_mass == 0)
    reject("the charge per mass is ", o.charge_per_mass,
           " (masses are charges divided by it); give a finite number that is not 0");
  check_external("electric part", o.external.electric);
  check_external("gradient", o.external.gradient);
  check_external("centre", o.external.centre);
  check_external("magnetic part", o.external.magnetic);
}

template <class T>
void check_particles(PicOptions const& o, std::span<T const> positions, std::span<T const> velocities,
                     std::span<T const> charges, std::size_t first) {
  std::size_t const n = charges.size();
  if (positions.size() != 3 * n || velocities.size() != 3 * n)
    reject("there are ", n, " charges with ", positions.size(), " numbers for positions and ", velocities.size(),
           " for velocities (each particle has three of both); give ", 3 * n, " of each");
  check_finite("velocity", velocities, 3, first);
  check_finite("charge", charges, 1, first);
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!(positions[i] >= 0 && positions[i] <= T(o.box[i % 3])))
      reject("particle ", first + i / 3, " is at ", "xyz"[i % 3], " = ", positions[i],
             " (the density is known in the box alone); give positions from 0 to ", o.box[i % 3]);
}

void check_particle_count(std::size_t particles) {
  if (particles == 0) reject("there are no particles (the density would be 0 everywhere); give at least one");
}

Motion make_motion(PicOptions const& o) {
  Motion m;
  m.step = o.time_step;
  m.charge_per_mass = o.charge_per_mass;
  std::ranges::copy(o.external.electric, m.electric);
  std::ranges::copy(o.external.gradient, m.gradient);
  std::ranges::copy(o.external.centre, m.centre);
  std::ranges::copy(o.external.magnetic, m.magnetic);
  std::ranges::copy(o.box, m.edge);
  std::ranges::copy(o.periodic, m.periodic);
  return m;
}

CloudGrid make_cloud_grid(PicOptions const& o) {
  CloudGrid g;
  for (std::size_t d = 0; d < 3; ++d) {
    g.size[d] = o.grid[d];
    g.cells_per_length[d] = o.grid[d] / o.box[d];
    g.periodic[d] = o.periodic[d];
  }
  return g;
}

template void check_particles<double>(PicOptions const&, std::span<double const>, std::span<double const>,
                                      std::span<double const>, std::size_t);
template void check_particles<float>(PicOptions const&, std::span<float const>, std::span<float const>,
                                     std::span<float const>, std::size_t);

}  // namespace nearfar
