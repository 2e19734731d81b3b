// SPDX-License-Identifier: BSD-3-Clause
// Plans of Ewald sums.
#include "bindings/c/handles.hpp"
#include "bindings/c/kernel.hpp"
#include "bindings/c/values.hpp"

namespace nearfar::c {

namespace {

static_assert(int(Periodicity::none) == NEARFAR_PERIODIC_NONE && int(Periodicity::xyz) == NEARFAR_PERIODIC_XYZ &&
              int(Periodicity::yz) == NEARFAR_PERIODIC_YZ && int(Split::gaussian) == NEARFAR_SPLIT_GAUSSIAN &&
              int(Window::gaussian) == NEARFAR_WINDOW_GAUSSIAN &&
              int(ZeroMode::zero_mean_flow) == NEARFAR_ZERO_MEAN_FLOW && int(Implementation::any) == NEARFAR_ANY &&
              int(NearPrecision::single) == NEARFAR_PART_SINGLE && int(FarPrecision::single) == NEARFAR_PART_SINGLE &&
              int(Influence::table) == NEARFAR_INFLUENCE_TABLE && int(ToleranceOf::whole) == NEARFAR_OF_WHOLE);

nearfar_ewald_options defaults() {
  nearfar_ewald_options o{};
  EwaldOptions const d;
  o.size = sizeof o;
  o.kernel = int(d.kernel);
  o.periodicity = int(d.periodicity);
  copy(d.box, o.box);
  o.tolerance = d.tolerance;
  o.zero_mode = NEARFAR_UNSET;
  return o;  // of all else the default is 0, or 0 says that the plan chooses
}

EwaldOptions converted(nearfar_ewald_options const& o) {
  auto const kernel = c::kernel(o.kernel);
  EwaldOptions options{
      .kernel = kernel,
      .outputs = outputs(o.outputs),
      .periodicity = enumerator<Periodicity>(o.periodicity, 8, "periodicity"),
      .box = array(o.box),
      .tolerance = o.tolerance,
      .tolerance_of = enumerator<ToleranceOf>(o.tolerance_of, 2, "tolerance_of"),
      .count = o.count,
      .vectors = o.vectors == 0 ? 1 : o.vectors,
      .split = enumerator<Split>(o.split, 2, "split"),
      .window = enumerator<Window>(o.window, 3, "window"),
      .implementation = enumerator<Implementation>(o.implementation, 11, "implementation"),
      .zero_mode = enumerator_or_unset<ZeroMode>(o.zero_mode, 2, "zero_mode"),
      .gauge_length = unless_zero(o.gauge_length),
      .screening = unless_zero(o.screening),
      .near_precision = enumerator<NearPrecision>(o.near_precision, 3, "near_precision"),
      .far_precision = enumerator<FarPrecision>(o.far_precision, 3, "far_precision"),
      .influence = enumerator<Influence>(o.influence, 3, "influence"),
      .virial = o.virial != 0,
      .cutoff = unless_zero(o.cutoff),
      .split_parameter = unless_zero(o.split_parameter),
      .window_points = unless_zero(o.window_points),
  };
  if (std::ranges::count(o.cell, 0.0) < 9) {
    options.cell.emplace();
    for (std::size_t i = 0; i < 9; ++i) (*options.cell)[i / 3][i % 3] = o.cell[i];
  }
  if (o.grid[0] != 0 || o.grid[1] != 0 || o.grid[2] != 0) options.grid = array(o.grid);
  return options;
}

nearfar_ewald_parameters converted(EwaldPlanning const& p) {
  nearfar_ewald_parameters to{};
  copy(p.box, to.box);
  to.cutoff = p.cutoff;
  to.split_parameter = p.split_parameter;
  copy(p.grid, to.grid);
  to.window_points = p.window_points;
  to.window_shape = p.window_shape;
  to.estimated_error = p.estimated_error;
  to.near_in_single = p.near_in_single;
  to.far_in_single = p.far_in_single;
  to.influence_table = p.influence_table;
  copy(p.cells, to.cells);
  copy(p.blocks, to.blocks);
  to.slabs = p.slabs;
  to.columns = p.columns;
  to.bytes = p.bytes;
  to.flops_per_pair = p.flops_per_pair;
  to.near_seconds = p.near_seconds;
  to.point_seconds = p.point_seconds;
  to.far_seconds = p.far_seconds;
  to.spread_seconds = p.spread_seconds;
  to.chain_seconds = p.chain_seconds;
  to.last_seconds = p.last_seconds;
  to.near_gpu_seconds = p.near_gpu_seconds;
  to.far_gpu_seconds = p.far_gpu_seconds;
  to.on_gpus = p.on_gpus;
  to.halo_cells = p.halo_cells;
  to.halo_planes = p.halo_planes;
  for (std::size_t i = 0; i < 9; ++i) to.cell[i] = p.cell[i / 3][i % 3];
  return to;
}

EwaldPlanning parameters_of(Ewald const& plan) { return plan.parameters(); }
EwaldPlanning parameters_of(EwaldSingle const& plan) { return plan.parameters(); }
template <class Other>
EwaldPlanning parameters_of(Other const&) {
  throw Error(Fault::bad_input,
              "plan is one of multipole sums, which have other parameters; call "
              "nearfar_plan_fmm_parameters");
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

void nearfar_ewald_options_init(nearfar_ewald_options* options, size_t size) {
  c::initialise(c::defaults(), options, size);
}

int nearfar_ewald_create(nearfar_runtime const* runtime, nearfar_ewald_options const* options, nearfar_plan** plan) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    auto const read = c::read(options, c::defaults(), "nearfar_ewald_options_init");
    if (c::is_double(read.precision)) c::store(plan, "plan", Ewald(known, c::converted(read)));
    else c::store(plan, "plan", EwaldSingle(known, c::converted(read)));
  });
}

int nearfar_plan_ewald_parameters(nearfar_plan const* plan, nearfar_ewald_parameters* parameters, size_t size) {
  return c::guarded([&] {
    auto const found = std::visit([](auto const& p) { return c::parameters_of(p); }, c::expect_plan(plan).plan);
    c::give(c::converted(found), parameters, size, "parameters");
  });
}
}
