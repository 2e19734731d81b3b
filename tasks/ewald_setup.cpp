// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald_plan.hpp"

#include "codelets/fft/grid_plans.hpp"
#include "codelets/p2p/p2p.hpp"
#include "core/constants.hpp"
#include "core/kernel_layers.hpp"
#include "core/parameters.hpp"
#include "core/profile.hpp"

#include <algorithm>
#include <complex>

namespace nearfar::detail {

namespace {

Cells make_cells(EwaldOptions const& o, EwaldParameters const& p) {
  Cells c;
  for (int d = 0; d < 3; ++d) {
    auto const i = std::size_t(d);
    c.edge[d] = o.box[i];
    c.count[d] = p.cells[i];
    c.blocks[d] = p.blocks[i];
  }
  c.cutoff = p.cutoff;
  return c;
}

Grid make_grid(EwaldOptions const& o, EwaldParameters const& p) {
  Grid g;
  for (int d = 0; d < 3; ++d) {
    g.edge[d] = o.box[std::size_t(d)];
    g.size[d] = p.grid[std::size_t(d)];
  }
  g.window = p.window_points;
  g.slabs = p.slabs;
  g.columns = p.columns;
  return g;
}

template <class T>
EwaldTables<T> make_tables(EwaldOptions const& o, EwaldParameters const& p) {
  Profile const profile(o.split, p.split_parameter, p.cutoff);
  double const error = fit_error(o.tolerance);
  EwaldTables<T> t;
  t.near = make_near_kernel<T>(profile, o.kernel, error);
  t.window = make_window_table<T>(window_shape(o, p), error);
  t.far = make_far_multiplier<T>(profile, o.kernel, error);
  // Laplace: the background that makes the cell neutral (ewald.md, Sec. 2). Stokeslet: no mean flow.
  t.zero_mode = o.kernel == Kernel::laplace ? T(-2 * pi<double> * double(profile.second_moment())) : T(0);
  t.inverse_volume = T(1 / (o.box[0] * o.box[1] * o.box[2]));
  return t;
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

/// 1 / window transform squared per mode; none for the Nyquist mode, whose sign is not defined.
template <class T>
void fill_correction(T* out, WindowShape const& window, int n, int modes) {
  for (int i = 0; i < modes; ++i) {
    int const mode = i <= n / 2 ? i : i - n;
    double const transform = 0.5 * window.points * window_transform(window, pi<double> * mode * window.points / n);
    out[i] = 2 * i == n ? T(0) : T(1 / (transform * transform));
  }
}

}  // namespace

template <class T>
EwaldSetup<T>::EwaldSetup(EwaldOptions const& o, EwaldParameters const& p)
    : parameters(p), cells(make_cells(o, p)), grid(make_grid(o, p)), strengths(strength_components(o.kernel)),
      forward(forward_components(o.kernel)), inverse(inverse_components(o.kernel)),
      zero_face_flux(has_double_layer(o.kernel) && o.zero_mode == ZeroMode::zero_face_flux),
      table_memory(1), correction_memory(std::size_t(grid.size[0] + grid.size[1] + grid.modes_z())) {
  *table_memory.data() = make_tables<T>(o, p);
  auto const& near = table_memory.data()->near;
  near_flops = flops_per_pair(o, near.a.degree);
  WindowShape const window = window_shape(o, p);
  T* c = correction_memory.data();
  fill_correction(c, window, grid.size[0], grid.size[0]);
  fill_correction(c + grid.size[0], window, grid.size[1], grid.size[1]);
  fill_correction(c + grid.size[0] + grid.size[1], window, grid.size[2], grid.modes_z());

  using Complex = std::complex<T>;
  tables = Data::over("tables", table_memory.data(), 1);
  correction = Data::over("correction", c, std::int64_t(correction_memory.size()));
  plane_scratch = Data::temporary<Complex>("plane scratch", nearfar::plane_scratch(grid));
  column_scratch = Data::temporary<Complex>("column scratch", forward * nearfar::column_scratch(grid));
  grid_plans<T>(grid);
}

template <class T>
Lane& EwaldSetup<T>::next_lane() {
  if (lanes_.size() < lane_count) {
    Lane lane;
    lane.groups = grid.columns;
    for (int s = 0; s < grid.slabs; ++s) {
      std::int64_t const planes = std::int64_t(std::max(forward, inverse)) * grid.planes(s);
      lane.slabs.push_back(Data::temporary<T>("slab", planes * grid.plane_size()));
      for (int g = 0; g < grid.columns; ++g)
        lane.tiles.push_back(Data::temporary<std::complex<T>>("tile", planes * grid.columns_in(g)));
    }
    lanes_.push_back(std::move(lane));
    return lanes_.back();
  }
  return lanes_[turn_++ % lane_count];
}

template struct EwaldSetup<double>;
template struct EwaldSetup<float>;

}  // namespace nearfar::detail
