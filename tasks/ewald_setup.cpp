// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald_plan.hpp"

#include "codelets/fft/grid_plans.hpp"
#include "codelets/p2p/p2p.hpp"
#include "codelets/scale/multipliers.hpp"
#include "core/axes.hpp"
#include "core/constants.hpp"
#include "core/far_grid.hpp"
#include "core/kernel_layers.hpp"
#include "core/parameters.hpp"
#include "core/profile.hpp"

#include <algorithm>
#include <complex>

namespace nearfar::detail {

namespace {

Cells make_cells(EwaldOptions const& o, EwaldParameters const& p) {
  Axes const axes = axes_of(o.periodicity);
  auto const edge = inside(axes, o.box);
  auto const count = inside(axes, p.cells), blocks = inside(axes, p.blocks);
  Cells c;
  for (std::size_t d = 0; d < 3; ++d) {
    c.edge[d] = edge[d];
    c.count[d] = count[d];
    c.blocks[d] = blocks[d];
    c.periodic[d] = is_periodic(o.periodicity, axes[d]);
  }
  c.cutoff = p.cutoff;
  return c;
}

template <class T>
EwaldTables<T> make_tables(EwaldOptions const& o, EwaldParameters const& p, Grid const& g) {
  Profile const profile(o.split, p.split_parameter, p.cutoff);
  double const error = fit_error(o.tolerance);
  bool const laplace = o.kernel == Kernel::laplace;
  EwaldTables<T> t;
  t.near = make_near_kernel<T>(profile, o.kernel, error);
  t.window = make_window_table<T>(window_shape(o, p), error);
  t.far = make_far_multiplier<T>(profile, o.kernel, error);
  t.truncation = {truncation_radius(o, p), g.free, laplace};
  if (g.free == 0) {
    // Laplace: the background that makes the cell neutral (ewald.md, Sec. 2). Stokeslet: no mean flow.
    t.zero_mode[0] = laplace ? T(-2 * pi<double> * double(profile.second_moment())) : T(0);
    return t;
  }
  double volume = 1, area = 1;
  for (int d = 0; d < 3; ++d) {
    double const length = g.transform(d, 0) / g.scale(d);
    volume *= length;
    if (d >= g.free) area *= length;
  }
  auto const zero_mode = free_zero_mode(t.truncation, volume, area, o.gauge_length.value_or(1));
  for (std::size_t d = 0; d < 3; ++d) t.zero_mode[d] = T(zero_mode[d]);
  return t;
}

/// With free directions nothing is left open at k = 0.
bool has_zero_face_flux(EwaldOptions const& o) {
  return has_double_layer(o.kernel) && o.periodicity == Periodicity::xyz &&
         o.zero_mode.value_or(ZeroMode::zero_face_flux) == ZeroMode::zero_face_flux;
}

double flops_per_pair(EwaldOptions const& o, int degree) {
  switch (o.kernel) {
    case Kernel::stokeslet: return p2p_flops_per_pair<Kernel::stokeslet, false>(degree);
    case Kernel::stresslet: return p2p_flops_per_pair<Kernel::stresslet, false>(degree);
    case Kernel::stokes: return p2p_flops_per_pair<Kernel::stokes, false>(degree);
    case Kernel::laplace: break;
  }
  return o.gradient ? p2p_flops_per_pair<Kernel::laplace, true>(degree)
                    : p2p_flops_per_pair<Kernel::laplace, false>(degree);
}

}  // namespace

template <class T>
EwaldSetup<T>::EwaldSetup(EwaldOptions const& o, EwaldParameters const& p)
    : parameters(p), box(o.box), cells(make_cells(o, p)), grid(make_grid(o, p)), axes(axes_of(o.periodicity)),
      strengths(strength_components(o.kernel)), forward(forward_components(o.kernel)),
      inverse(inverse_components(o.kernel)), zero_face_flux(has_zero_face_flux(o)), table_memory(1),
      multiplier_memory(std::size_t(Multipliers<T>::size(grid))) {
  *table_memory.data() = make_tables<T>(o, p, grid);
  auto const& near = table_memory.data()->near;
  parameters.flops_per_pair = flops_per_pair(o, near.degree);
  fill_multipliers(grid, *table_memory.data(), window_shape(o, p), multiplier_memory.data());

  using Complex = std::complex<T>;
  tables = Data::constant("tables", table_memory.data(), 1);
  multipliers = Data::constant("multipliers", multiplier_memory.data(), std::int64_t(multiplier_memory.size()));
  plane_scratch = Data::temporary<Complex>("plane scratch", PlaneScratch(grid).size);
  column_scratch = Data::temporary<Complex>("column scratch", forward * nearfar::column_scratch(grid));
  grid_plans<T>(grid);
}

template <class T>
Lane& EwaldSetup<T>::lane_for(std::shared_ptr<SolveState const> const& solve) {
  return lanes_.next(solve, [&] {
    Lane lane;
    lane.groups = grid.columns;
    for (int s = 0; s < grid.slabs; ++s) {
      std::int64_t const planes = std::int64_t(std::max(forward, inverse)) * grid.planes(s);
      lane.slabs.push_back(Data::temporary<T>("slab", planes * grid.plane_size()));
      for (int g = 0; g < grid.columns; ++g)
        lane.tiles.push_back(Data::temporary<std::complex<T>>("tile", planes * grid.columns_in(g)));
    }
    return lane;
  });
}

template struct EwaldSetup<double>;
template struct EwaldSetup<float>;

}  // namespace nearfar::detail
