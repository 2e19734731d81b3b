// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/plan.hpp"

#include "codelets/near/p2p/p2p.hpp"
#include "codelets/spectral/influence/lines.hpp"
#include "codelets/spectral/scale/multipliers.hpp"
#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/geometry/near_frame.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "core/math/reject.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/spectral/mode_table.hpp"
#include "tasks/engine/runtime/memory.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

template <class T>
Cells make_cells(EwaldOptions const& o, EwaldPlanning const& p) {
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
  if (o.cell) {
    CellRows const rows = rows_inside(o);
    auto const heights = inside(axes, heights_of(o));
    c.skewed = true;
    for (std::size_t d = 0; d < 3; ++d) {
      std::copy(rows[d].begin(), rows[d].end(), c.row[d]);
      c.thickness[d] = heights[d] / edge[d];
    }
  }
  c.halo = p.halo_cells;
  set_faces<T>(c);
  c.cutoff = p.cutoff;
  return c;
}

template <class T>
void fill_near_tables(EwaldOptions const& o, EwaldPlanning const& p, double error, EwaldTables<T>& t) {
  Profile const profile = profile_of(o, p);
  auto const layers = describe(o.kernel, o.outputs).near_layers;
  t.near = make_near_kernel<T>(profile, layers, error);
  if (p.near_in_single) t.near_single = make_near_kernel<float>(profile, layers, error);
}

template <class A>
void fill_far_tables(EwaldOptions const& o, EwaldPlanning const& p, EwaldTables<A>& t) {
  Profile const profile = profile_of(o, p);
  t.window = make_window_table<A>(window_shape(o, p), window_fit_error(o, p));
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  t.far = make_far_multiplier<A>(profile, kernel.base, fit_error(o.tolerance));
  if (kernel.table.pressure) t.far_pressure = make_pressure_multiplier<A>(profile, fit_error(o.tolerance));
}

/// The truncation of the kernel along free directions.
template <class A>
void cut_off(EwaldOptions const& o, EwaldPlanning const& p, int free, EwaldTables<A>& t) {
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  t.truncation = make_truncation(truncation_radius(o, p), free, kernel.base, profile_of(o, p));
  if (kernel.table.pressure) t.pressure_truncation = {t.truncation.radius, free, true};
}

template <class T>
AnyFarSetup<T> make_far(EwaldOptions const& o, EwaldPlanning const& p, SpectralLayout const& layout, Ranks const& ranks,
                        Content content, AnyFarSetup<T> const* like) {
  KernelDescription const& kernel = describe(o.kernel, o.outputs);
  int const components = std::max(kernel.forward, kernel.inverse), gpus = p.on_gpus ? p.columns : 1;
  auto const make = [&]<std::size_t i>(std::in_place_index_t<i> in_place, std::int64_t multipliers) {
    return AnyFarSetup<T>(in_place, layout, components, content == Content::whole ? multipliers : 1, ranks, gpus,
                          content, like != nullptr ? std::get_if<i>(like) : nullptr);
  };
  int const numbers = kernel.mode_numbers(p.influence_table);
  if constexpr (std::is_same_v<T, double>)
    if (p.far_in_single) return make(std::in_place_index<1>, ModeTable<float>::size(layout) * numbers);
  return make(std::in_place_index<0>, ModeTable<T>::size(layout) * numbers);
}

template <class T>
std::array<T, 4> make_zero_mode(EwaldOptions const& o, EwaldPlanning const& p, SpectralLayout const& l,
                                Truncation const& truncation) {
  if (l.free == 0) {
    // Laplace: the background that makes the cell neutral (ewald.md, Sec. 2). Stokeslet: no mean flow. Screened charges
    // have a mean.
    if (describe(o.kernel).base != Base::laplace) return {};
    Profile const profile = profile_of(o, p);
    if (o.screening)
      return {T(4 * pi<double> / (*o.screening * *o.screening * double(Screened(profile, *o.screening).ghat())))};
    return {T(-2 * pi<double> * double(profile.second_moment()))};
  }
  double volume = 1, area = 1;
  for (int d = 0; d < 3; ++d) {
    double const length = l.transform(d, 0) / l.scale(d);
    volume *= length;
    if (d >= l.free) area *= length;
  }
  auto const mode = free_zero_mode(truncation, volume, area, o.gauge_length.value_or(1));
  return {T(mode[0]), T(mode[1]), T(mode[2])};
}

template <class T>
FarNoise noise_of_far(EwaldOptions const& o, EwaldPlanning p) {
  p.near_in_single = false;
  return estimate_noise<T>(o, p);
}

/// Whether fields hold a logarithm, whose constant the gauge length sets (BasicEwald).
bool has_logarithm(EwaldOptions const& o) {
  return periodic_directions(o.periodicity) == 1 && describe(o.kernel).has_logarithm();
}

double flops_per_pair(EwaldOptions const& o, int degree) {
  return visit_kernel(o.kernel, o.outputs, [&]<class K>(K) { return double(p2p_flops_per_pair<K>(degree)); });
}

}  // namespace

bool has_zero_face_flux(EwaldOptions const& o) {
  return describe(o.kernel).has_double_layer() && o.periodicity == Periodicity::xyz &&
         o.zero_mode.value_or(ZeroMode::zero_face_flux) == ZeroMode::zero_face_flux;
}

LengthUnit unit_of(std::array<double, 3> const& box) {
  return LengthUnit::for_length(*std::max_element(box.begin(), box.end()));
}

EwaldOptions in_our_unit(LengthUnit const& unit, EwaldOptions o) {
  for (double& edge : o.box) edge = unit.ours(edge);
  if (o.cell)
    for (auto& row : *o.cell)
      for (double& c : row) c = unit.ours(c);
  if (o.cutoff) o.cutoff = unit.ours(*o.cutoff);
  if (o.screening) o.screening = unit.callers(*o.screening);  // one over a length
  if (!has_logarithm(o)) return o;
  double const gauge = o.gauge_length.value_or(1);
  o.gauge_length = unit.ours(gauge);
  if (std::isnormal(*o.gauge_length)) return o;
  reject("gauge length is ", gauge, " (its ratio to the box edges, some ", unit.callers(1),
         ", is beyond double precision). Give a length nearer to them");
}

EwaldPlanning in_our_unit(LengthUnit const& unit, EwaldPlanning p) {
  for (double& edge : p.box) edge = unit.ours(edge);
  for (auto& row : p.cell)
    for (double& c : row) c = unit.ours(c);
  p.cutoff = unit.ours(p.cutoff);
  return p;
}

EwaldPlanning in_callers_unit(LengthUnit const& unit, EwaldPlanning p) {
  for (double& edge : p.box) edge = unit.callers(edge);
  for (auto& row : p.cell)
    for (double& c : row) c = unit.callers(c);
  p.cutoff = unit.callers(p.cutoff);
  return p;
}

template <class T>
EwaldSetup<T>::EwaldSetup(EwaldOptions const& options, EwaldPlanning const& chosen, Ranks const& ranks, double finer,
                          Content content)
    : EwaldSetup(in_our_unit(unit_of(options.box), options), in_our_unit(unit_of(options.box), chosen), ranks, finer,
                 content, unit_of(options.box), nullptr, in_turn) {
  this->options = options;
  this->chosen = {options, this->parameters};
}

template <class T>
EwaldSetup<T>::EwaldSetup(EwaldSetup const& like, EwaldOptions const& options, EwaldPlanning const& parameters,
                          Ranks const& ranks, Loop const& loop)
    : EwaldSetup(in_our_unit(like.unit, options), in_our_unit(like.unit, parameters), ranks, like.finer, Content::whole,
                 like.unit, &like, loop) {
  this->options = options;
  chosen = like.chosen;
  planes = like.planes;
}

template <class T>
EwaldSetup<T>::EwaldSetup(EwaldOptions const& o, EwaldPlanning const& p, Ranks const& ranks, double finer,
                          Content content, LengthUnit const& length, EwaldSetup const* like, Loop const& loop)
    : parameters(in_callers_unit(length, p)), box(parameters.box), given_box(box), unit(length),
      cells(make_cells<T>(o, p)), grid(make_grid(o, p)), axes(axes_of(o.periodicity)),
      kernel(describe(o.kernel, o.outputs)), asked(o.outputs), zero_face_flux(has_zero_face_flux(o)), virial(o.virial),
      table_memory(1), far(make_far<T>(o, p, grid.layout, ranks, content, like != nullptr ? &like->far : nullptr)),
      tolerance(o.tolerance), finer(finer), noise(estimate_noise<T>(o, p)), far_noise(noise_of_far<T>(o, p)),
      slopes(estimate_slopes<T>(o, p)), wrong_sum(estimate_wrong_sum<T>(o, p)) {
  // A coarser plan is one of a weaker far field: the near part stays as exact.
  if (like != nullptr) *table_memory.data() = *like->table_memory.data();
  else fill_near_tables(o, p, fit_error(o.tolerance * std::min(1.0, finer)), *table_memory.data());
  auto const& near = table_memory.data()->near;
  parameters.flops_per_pair = flops_per_pair(o, near.degree);
  if (content == Content::whole && p.influence_table) {
    influence = make_influence_function(o, p);
    corrections = influence_corrections(*influence, window_shape(o, p));
    plan_alike<double>(ranks, [&] { prepare_line_plans(*influence); });
  }
  tables = Data::constant("tables", table_memory.data(), 1);
  std::visit(
      [&]<class A>(FarSetup<A>& f) {
        auto const* const same = like != nullptr ? std::get_if<FarSetup<A>>(&like->far) : nullptr;
        auto& table = *f.table_memory.data();
        if (same != nullptr) table = *same->table_memory.data();
        else fill_far_tables(o, p, table);
        if (same == nullptr || grid.layout.free > 0) {
          cut_off(o, p, grid.layout.free, table);
          f.zero_mode = make_zero_mode<A>(o, p, grid.layout, table.truncation);
        } else {
          f.zero_mode = same->zero_mode;
        }
        if (same != nullptr) f.slope = same->slope;
        else if (virial_of_modes())
          f.slope = make_far_slope<A>(Profile(o.split, p.split_parameter, p.cutoff), fit_error(o.tolerance),
                                      o.screening.value_or(0));
        bool const same_room = same != nullptr && !ranks.several() && f.transform.has_room_of(same->transform);
        workspaces_ = same_room ? like->workspaces_ : std::make_shared<Workspaces<EwaldWorkspace>>();
        if (content == Content::whole && !influence)
          fill_multipliers(grid.layout, table, window_shape(o, p), f.multiplier_memory.data(), kernel.table.pressure,
                           loop);
        f.tables = Data::constant("far tables", f.table_memory.data(), 1);
        f.multipliers =
            Data::constant("multipliers", f.multiplier_memory.data(), std::int64_t(f.multiplier_memory.size()));
      },
      far);
}

template <class T>
EwaldWorkspace& EwaldSetup<T>::workspace_for(SolveState const& solve) {
  return workspaces_->next(solve, [&] {
    expect_memory(parameters.bytes);  // for a further solve in flight, too
    return std::visit(
        [&](auto const& f) {
          EwaldWorkspace work{{}, f.transform.make_tiles()};
          for (int s = 0; s < grid.layout.slabs; ++s)
            work.slabs.push_back(f.transform.make_slab(s, std::max(kernel.forward, kernel.inverse)));
          return work;
        },
        far);
  });
}

template struct EwaldSetup<double>;
template struct EwaldSetup<float>;

}  // namespace nearfar::detail
