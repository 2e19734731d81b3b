// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/python/src/columns.hpp"
#include "bindings/python/src/handles.hpp"
#include "bindings/python/src/options.hpp"

#include <nanobind/stl/optional.h>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

Poisson* make_poisson(Runtime const& runtime, nb::dict const& given) {
  nearfar_poisson_options o;
  nearfar_poisson_options_init(&o, sizeof o);
  Options options(given);
  options.take("precision", o.precision).take("method", o.method).take("grid", o.grid).take("box", o.box);
  options.take("periodic", o.periodic).take("field", o.field).take("green", o.green).take("conductor", o.conductor);
  options.take("slabs", o.slabs);
  options.expect_all_taken();
  nearfar_poisson* plan = nullptr;
  call_unlocked([&] { return nearfar_poisson_create(runtime.get(), &o, &plan); });
  return new Poisson(plan);
}

/// Arrays are packed Columns.
Job* submit_poisson(Poisson const& plan, nb::object density, nb::object potential, nb::object field,
                    std::optional<std::uintptr_t> stream) {
  auto const& in = nb::cast<Columns const&>(density);
  auto const& out = nb::cast<Columns const&>(potential);
  auto const* const more = field.is_none() ? nullptr : &nb::cast<Columns const&>(field);
  auto const options = submit_options(stream);
  auto* const p = plan.get();
  nearfar_solve* solve = nullptr;
  call_unlocked([&] {
    return nearfar_poisson_submit(p, in.data(), in.length(), out.data(), out.length(),
                                  more != nullptr ? more->data() : nullptr, more != nullptr ? more->length() : 0,
                                  &options, &solve);
  });
  return new Job(solve, {std::move(density), std::move(potential), std::move(field)});
}

nb::dict parameters(Poisson const& plan) {
  nearfar_poisson_parameters p{};
  check(nearfar_poisson_get_parameters(plan.get(), &p, sizeof p));
  nb::dict all;
  all["spacing"] = as_tuple(p.spacing);
  all["transform"] = as_tuple(p.transform);
  all["truncation_radius"] = p.truncation_radius;
  all["green_bytes"] = p.green_bytes;
  all["bytes"] = p.bytes;
  all["on_gpus"] = p.on_gpus != 0;
  return all;
}

std::array<int, 2> planes(Poisson const& plan) {
  std::array<int, 2> found{};
  check(nearfar_poisson_planes(plan.get(), found.data()));
  return found;
}

nb::dict green_report(Poisson const& plan) {
  nearfar_report report{};
  call_unlocked([&] { return nearfar_poisson_green_report(plan.get(), &report, sizeof report); });
  return as_dict(report);
}

void set_spacing(Poisson const& plan, std::array<double, 3> const& spacing) {
  call_unlocked([&] { return nearfar_poisson_set_spacing(plan.get(), spacing.data()); });
}

}  // namespace

void bind_poisson(nb::module_& module) {
  nb::class_<Poisson, Owner>(module, "Poisson")
      .def_prop_ro("parameters", parameters)
      .def_prop_ro("planes", planes)
      .def("green_report", green_report)
      .def("set_spacing", set_spacing);
  module.def("make_poisson", make_poisson);
  module.def("submit_poisson", submit_poisson, nb::arg("plan"), nb::arg("density"), nb::arg("potential"),
             nb::arg("field").none(), nb::arg("stream").none());
}

}  // namespace nearfar::python
