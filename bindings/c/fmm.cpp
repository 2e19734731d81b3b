// SPDX-License-Identifier: BSD-3-Clause
// Plans of multipole sums.
#include "bindings/c/handles.hpp"
#include "bindings/c/kernel.hpp"
#include "bindings/c/values.hpp"

namespace nearfar::c {

namespace {

static_assert(int(Boundary::vacuum) == NEARFAR_VACUUM && int(Boundary::tin_foil) == NEARFAR_TIN_FOIL);

nearfar_fmm_options defaults() {
  nearfar_fmm_options o{};
  FmmOptions const d;
  o.size = sizeof o;
  o.kernel = int(d.kernel);
  o.periodicity = int(d.periodicity);
  copy(d.box, o.box);
  o.tolerance = d.tolerance;
  o.order = o.depth = o.capacity = o.well_separation = NEARFAR_UNSET;
  return o;  // of all else the default is 0
}

FmmOptions converted(nearfar_fmm_options const& o) {
  auto const kernel = c::kernel(o.kernel);
  return {
      .kernel = kernel,
      .outputs = outputs(o.outputs),
      .periodicity = enumerator<Periodicity>(o.periodicity, 8, "periodicity"),
      .box = array(o.box),
      .tolerance = o.tolerance,
      .count = o.count,
      .boundary = enumerator<Boundary>(o.boundary, 2, "boundary"),
      .near_precision = enumerator<NearPrecision>(o.near_precision, 3, "near_precision"),
      .implementation = enumerator<Implementation>(o.implementation, 11, "implementation"),
      .virial = o.virial != 0,
      .order = unless_unset(o.order),
      .depth = unless_unset(o.depth),
      .capacity = unless_unset(o.capacity),
      .well_separation = unless_unset(o.well_separation),
      .softening = unless_zero(o.softening),
  };
}

nearfar_fmm_parameters converted(FmmPlanning const& p) {
  nearfar_fmm_parameters to{};
  copy(p.box, to.box);
  to.order = p.order;
  to.depth = p.depth;
  to.capacity = p.capacity;
  to.well_separation = p.well_separation;
  to.near_in_single = p.near_in_single;
  to.estimated_error = p.estimated_error;
  to.boxes = p.boxes;
  to.blocks = p.blocks;
  to.translations = p.translations;
  to.evaluations = p.evaluations;
  to.expansions = p.expansions;
  to.pairs = p.pairs;
  to.seconds = p.seconds;
  to.shared_seconds = p.shared_seconds;
  to.chain_seconds = p.chain_seconds;
  to.last_seconds = p.last_seconds;
  to.bytes = p.bytes;
  to.on_gpus = p.on_gpus;
  return to;
}

FmmPlanning parameters_of(Fmm const& plan) { return plan.parameters(); }
FmmPlanning parameters_of(FmmSingle const& plan) { return plan.parameters(); }
FmmPlanning parameters_of(FmmPoints const& points) { return points.parameters(); }
FmmPlanning parameters_of(FmmPointsSingle const& points) { return points.parameters(); }
template <class Other>
FmmPlanning parameters_of(Other const&) {
  throw Error(Fault::bad_input,
              "plan and points are of Ewald sums, which have other parameters; call nearfar_plan_ewald_parameters");
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

void nearfar_fmm_options_init(nearfar_fmm_options* options, size_t size) {
  c::initialise(c::defaults(), options, size);
}

int nearfar_fmm_create(nearfar_runtime const* runtime, nearfar_fmm_options const* options, nearfar_plan** plan) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    auto const read = c::read(options, c::defaults(), "nearfar_fmm_options_init");
    if (c::is_double(read.precision)) c::store(plan, "plan", Fmm(known, c::converted(read)));
    else c::store(plan, "plan", FmmSingle(known, c::converted(read)));
  });
}

int nearfar_plan_fmm_parameters(nearfar_plan const* plan, nearfar_fmm_parameters* parameters, size_t size) {
  return c::guarded([&] {
    auto const found = std::visit([](auto const& p) { return c::parameters_of(p); }, c::expect_plan(plan).plan);
    c::give(c::converted(found), parameters, size, "parameters");
  });
}

int nearfar_points_fmm_parameters(nearfar_points const* points, nearfar_fmm_parameters* parameters, size_t size) {
  return c::guarded([&] {
    auto const found = std::visit([](auto const& p) { return c::parameters_of(p); }, c::expect_points(points).points);
    c::give(c::converted(found), parameters, size, "parameters");
  });
}
}
