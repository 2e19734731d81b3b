// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a grid.
#include "bindings/c/handles.hpp"
#include "bindings/c/submission.hpp"
#include "bindings/c/values.hpp"

namespace nearfar::c {

namespace {

static_assert(int(PoissonMethod::vico_dct) == NEARFAR_VICO_DCT && int(HockneyGreen::integrated) == NEARFAR_INTEGRATED &&
              int(BoxFace::z_high) == NEARFAR_Z_HIGH);

nearfar_poisson_options defaults() {
  nearfar_poisson_options o{};
  PoissonOptions const d;
  o.size = sizeof o;
  o.method = int(d.method);
  copy(d.box, o.box);
  o.conductor = NEARFAR_UNSET;
  return o;
}

PoissonOptions converted(nearfar_poisson_options const& o) {
  return {
      .method = enumerator<PoissonMethod>(o.method, 3, "method"),
      .grid = array(o.grid),
      .box = array(o.box),
      .periodic = {o.periodic[0] != 0, o.periodic[1] != 0, o.periodic[2] != 0},
      .field = o.field != 0,
      .green = enumerator<HockneyGreen>(o.green, 3, "green"),
      .conductor = enumerator_or_unset<BoxFace>(o.conductor, 6, "conductor"),
      .slabs = o.slabs != 0,
  };
}

nearfar_poisson_parameters converted(PoissonParameters const& p) {
  nearfar_poisson_parameters to{};
  copy(p.spacing, to.spacing);
  copy(p.transform, to.transform);
  copy(p.green_transform, to.green_transform);
  to.truncation_radius = p.truncation_radius;
  to.green_bytes = p.green_bytes;
  to.setup_bytes = p.setup_bytes;
  to.bytes = p.bytes;
  to.on_gpus = p.on_gpus;
  return to;
}

template <class T>
T number_of(BasicPoisson<T> const&);

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

void nearfar_poisson_options_init(nearfar_poisson_options* options, size_t size) {
  c::initialise(c::defaults(), options, size);
}

int nearfar_poisson_create(nearfar_runtime const* runtime, nearfar_poisson_options const* options,
                           nearfar_poisson** plan) {
  return c::guarded([&] {
    auto const& known = c::expect_runtime(runtime).runtime;
    auto const read = c::read(options, c::defaults(), "nearfar_poisson_options_init");
    if (c::is_double(read.precision)) c::store(plan, "plan", Poisson(known, c::converted(read)));
    else c::store(plan, "plan", PoissonSingle(known, c::converted(read)));
  });
}
void nearfar_poisson_destroy(nearfar_poisson* plan) { delete plan; }

int nearfar_poisson_submit(nearfar_poisson* plan, void const* density, size_t density_length, void* potential,
                           size_t potential_length, void* field, size_t field_length,
                           nearfar_submit_options const* options, nearfar_solve** solve) {
  return c::guarded([&] {
    c::expect_place(solve, "solve");
    auto const how = c::submission(options);
    if (how.part != Part::whole)
      throw Error(Fault::bad_input,
                  "a Poisson solver has no near and far part; set part to whole (NEARFAR_PART_WHOLE)");
    std::visit(
        [&](auto& p) {
          using T = decltype(c::number_of(p));
          c::store(solve, "solve",
                   p.submit(c::numbers<T const>(density, density_length, "density"),
                            c::numbers<T>(potential, potential_length, "potential"),
                            c::numbers<T>(field, field_length, "field"), how.after));
        },
        c::expect_plan(plan).plan);
  });
}

int nearfar_poisson_set_spacing(nearfar_poisson* plan, double const spacing[3]) {
  return c::guarded([&] {
    auto const* h = &c::expect(spacing, "spacing", "three numbers");
    std::visit([&](auto& p) { p.set_spacing({h[0], h[1], h[2]}); }, c::expect_plan(plan).plan);
  });
}

size_t nearfar_poisson_cells(nearfar_poisson const* plan) {
  return plan != nullptr ? std::visit([](auto const& p) { return p.cells(); }, plan->plan) : 0;
}

int nearfar_poisson_planes(nearfar_poisson const* plan, int planes[2]) {
  return c::guarded([&] {
    auto* const to = &c::expect(planes, "planes", "two numbers");
    auto const found = std::visit([](auto const& p) { return p.planes(); }, c::expect_plan(plan).plan);
    to[0] = found[0], to[1] = found[1];
  });
}

int nearfar_poisson_get_parameters(nearfar_poisson const* plan, nearfar_poisson_parameters* parameters, size_t size) {
  return c::guarded([&] {
    auto const found = std::visit([](auto const& p) { return p.parameters(); }, c::expect_plan(plan).plan);
    c::give(c::converted(found), parameters, size, "parameters");
  });
}

int nearfar_poisson_green_report(nearfar_poisson* plan, nearfar_report* report, size_t size) {
  return c::guarded([&] {
    nearfar_report found{};
    c::fill(std::visit([](auto& p) { return p.green_report(); }, c::expect_plan(plan).plan), found);
    c::give(found, report, size, "report");
  });
}
}
