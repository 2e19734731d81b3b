// SPDX-License-Identifier: BSD-3-Clause
// Plans, points, and submitting solves of them.
#include "bindings/python/src/columns.hpp"
#include "bindings/python/src/handles.hpp"
#include "bindings/python/src/options.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

Plan* make_ewald(Runtime const& runtime, nb::dict const& given) {
  nearfar_ewald_options o;
  nearfar_ewald_options_init(&o, sizeof o);
  Options options(given);
  options.take("precision", o.precision).take("kernel", o.kernel).take("outputs", o.outputs);
  options.take("periodicity", o.periodicity).take("box", o.box).take("tolerance", o.tolerance).take("count", o.count);
  options.take("tolerance_of", o.tolerance_of);
  options.take("split", o.split).take("window", o.window).take("implementation", o.implementation);
  options.take("zero_mode", o.zero_mode).take("gauge_length", o.gauge_length).take("screening", o.screening);
  options.take("near_precision", o.near_precision).take("far_precision", o.far_precision);
  options.take("influence", o.influence).take("cutoff", o.cutoff).take("split_parameter", o.split_parameter);
  options.take("grid", o.grid).take("window_points", o.window_points).take("virial", o.virial);
  options.take("cell", o.cell).take("vectors", o.vectors).expect_all_taken();
  nearfar_plan* plan = nullptr;
  call_unlocked([&] { return nearfar_ewald_create(runtime.get(), &o, &plan); });
  return new Plan(plan);
}

Plan* make_fmm(Runtime const& runtime, nb::dict const& given) {
  nearfar_fmm_options o;
  nearfar_fmm_options_init(&o, sizeof o);
  Options options(given);
  options.take("precision", o.precision).take("kernel", o.kernel).take("outputs", o.outputs);
  options.take("periodicity", o.periodicity).take("box", o.box).take("tolerance", o.tolerance).take("count", o.count);
  options.take("boundary", o.boundary).take("near_precision", o.near_precision);
  options.take("implementation", o.implementation).take("order", o.order).take("depth", o.depth);
  options.take("capacity", o.capacity).take("well_separation", o.well_separation);
  options.take("virial", o.virial).take("softening", o.softening).expect_all_taken();
  nearfar_plan* plan = nullptr;
  call_unlocked([&] { return nearfar_fmm_create(runtime.get(), &o, &plan); });
  return new Plan(plan);
}

nb::dict ewald_parameters(Plan const& plan) {
  nearfar_ewald_parameters p{};
  check(nearfar_plan_ewald_parameters(plan.get(), &p, sizeof p));
  nb::dict all;
  all["box"] = as_tuple(p.box);
  all["cell"] =
      nb::make_tuple(nb::make_tuple(p.cell[0], p.cell[1], p.cell[2]), nb::make_tuple(p.cell[3], p.cell[4], p.cell[5]),
                     nb::make_tuple(p.cell[6], p.cell[7], p.cell[8]));
  all["cutoff"] = p.cutoff;
  all["split_parameter"] = p.split_parameter;
  all["grid"] = as_tuple(p.grid);
  all["window_points"] = p.window_points;
  all["window_shape"] = p.window_shape;
  all["estimated_error"] = p.estimated_error;
  all["near_in_single"] = p.near_in_single != 0;
  all["far_in_single"] = p.far_in_single != 0;
  all["influence_table"] = p.influence_table != 0;
  all["bytes"] = p.bytes;
  all["near_seconds"] = p.near_seconds;
  all["far_seconds"] = p.far_seconds;
  all["on_gpus"] = p.on_gpus != 0;
  return all;
}

nb::dict as_dict(nearfar_fmm_parameters const& p) {
  nb::dict all;
  all["box"] = as_tuple(p.box);
  all["order"] = p.order;
  all["depth"] = p.depth;
  all["capacity"] = p.capacity;
  all["well_separation"] = p.well_separation;
  all["near_in_single"] = p.near_in_single != 0;
  all["estimated_error"] = p.estimated_error;
  all["boxes"] = p.boxes;
  all["pairs"] = p.pairs;
  all["seconds"] = p.seconds;
  all["bytes"] = p.bytes;
  all["on_gpus"] = p.on_gpus != 0;
  return all;
}

nb::dict fmm_parameters(Plan const& plan) {
  nearfar_fmm_parameters p{};
  check(nearfar_plan_fmm_parameters(plan.get(), &p, sizeof p));
  return as_dict(p);
}

nb::dict points_parameters(Points const& points) {
  nearfar_fmm_parameters p{};
  check(nearfar_points_fmm_parameters(points.get(), &p, sizeof p));
  return as_dict(p);
}

double estimated_error(Plan const& plan) {
  double error = 0;
  check(nearfar_plan_estimated_error(plan.get(), &error));
  return error;
}

/// New points, or moved ones if there are some before.
Points* place(Plan const& plan, Points const* before, Columns const& sources, Columns const* targets) {
  nearfar_points* points = nullptr;
  auto const* old = before != nullptr ? before->get() : nullptr;
  auto* const p = plan.get();
  call_unlocked([&] {
    if (sources.packed() && (targets == nullptr || targets->packed())) {
      // No targets of this rank's own are not the same as no targets, and empty arrays of some libraries have no
      // address.
      static double none[3];
      void* const to = targets == nullptr ? nullptr : targets->rows() > 0 ? targets->data() : none;
      std::size_t const count = targets != nullptr ? targets->rows() : 0;
      return old != nullptr ? nearfar_move_points(p, old, sources.data(), sources.rows(), to, count, &points)
                            : nearfar_set_points(p, sources.data(), sources.rows(), to, count, &points);
    }
    auto const from = sources.view();
    auto const to = targets != nullptr ? targets->view() : nearfar_rows{};
    auto const* given = targets != nullptr ? &to : nullptr;
    return old != nullptr ? nearfar_move_points_rows(p, old, &from, given, &points)
                          : nearfar_set_points_rows(p, &from, given, &points);
  });
  return new Points(points);
}

/// A list of Columns, each packed, as arrays of the C API. Raises ValueError for one that is not packed.
std::vector<nearfar_array> arrays_of(nb::list const& list, char const* name) {
  std::vector<nearfar_array> arrays;
  for (nb::handle const item : list) {
    auto const& columns = nb::cast<Columns const&>(item);
    if (!columns.packed())
      throw nb::value_error((std::string(name) + "[" + std::to_string(arrays.size()) +
                             "] is not contiguous, and several arrays are used where they are; pass contiguous ones")
                                .c_str());
    arrays.push_back({columns.data(), columns.length()});
  }
  return arrays;
}

/// As `place`, of rows in several arrays.
Points* place_arrays(Plan const& plan, Points const* before, nb::list const& sources,
                     std::optional<nb::list> const& targets) {
  nearfar_points* points = nullptr;
  auto const* old = before != nullptr ? before->get() : nullptr;
  auto* const p = plan.get();
  auto const from = arrays_of(sources, "sources");
  auto const to = targets ? arrays_of(*targets, "targets") : std::vector<nearfar_array>();
  call_unlocked([&] {
    auto const* const given = targets ? to.data() : nullptr;
    return old != nullptr ? nearfar_move_points_arrays(p, old, from.data(), from.size(), given, to.size(), &points)
                          : nearfar_set_points_arrays(p, from.data(), from.size(), given, to.size(), &points);
  });
  return new Points(points);
}

/// Of an Ewald plan; with points, these in the new cell, else none.
Points* set_cell(Plan const& plan, std::array<double, 9> const& cell, Points const* before) {
  nearfar_points* points = nullptr;
  auto const* old = before != nullptr ? before->get() : nullptr;
  auto* const p = plan.get();
  call_unlocked([&] { return nearfar_set_cell(p, cell.data(), old, old != nullptr ? &points : nullptr); });
  return points != nullptr ? new Points(points) : nullptr;
}

/// `strengths` and `result` are Columns, which the job holds.
Job* submit(Plan const& plan, Points const& points, nb::object strengths, nb::object result, int part,
            std::optional<std::uintptr_t> stream) {
  auto const& in = nb::cast<Columns const&>(strengths);
  auto const& out = nb::cast<Columns const&>(result);
  auto* const p = plan.get();
  auto const* const set = points.get();
  nearfar_solve* solve = nullptr;
  auto const options = submit_options(stream, part);
  call_unlocked([&] {
    if (in.packed() && out.packed())
      return nearfar_submit(p, set, in.data(), in.length(), out.data(), out.length(), &options, &solve);
    auto const from = in.view();
    auto const to = out.view();
    return nearfar_submit_rows(p, set, &from, &to, &options, &solve);
  });
  return new Job(solve, {std::move(strengths), std::move(result)});
}

/// As `submit`, of lists of Columns.
Job* submit_arrays(Plan const& plan, Points const& points, nb::list strengths, nb::list result, int part,
                   std::optional<std::uintptr_t> stream) {
  auto const in = arrays_of(strengths, "strengths"), out = arrays_of(result, "out");
  auto* const p = plan.get();
  auto const* const set = points.get();
  nearfar_solve* solve = nullptr;
  auto const options = submit_options(stream, part);
  call_unlocked(
      [&] { return nearfar_submit_arrays(p, set, in.data(), in.size(), out.data(), out.size(), &options, &solve); });
  return new Job(solve, {std::move(strengths), std::move(result)});
}

Job* submit_direct(Runtime const& runtime, int kernel, unsigned outputs, double screening, double softening,
                   nb::object sources, nb::object targets, nb::object strengths, nb::object result) {
  auto const from = nb::cast<Columns const&>(sources).view();
  auto const to = targets.is_none() ? from : nb::cast<Columns const&>(targets).view();
  auto const in = nb::cast<Columns const&>(strengths).view();
  auto const out = nb::cast<Columns const&>(result).view();
  auto const* const r = runtime.get();
  nearfar_solve* solve = nullptr;
  call_unlocked([&] {
    return nearfar_direct_submit_screened(r, kernel, outputs, screening, softening, &from, &to, &in, &out, &solve);
  });
  return new Job(solve, {std::move(sources), std::move(targets), std::move(strengths), std::move(result)});
}

}  // namespace

void bind_plan(nb::module_& module) {
  nb::class_<Plan, Owner>(module, "Plan")
      .def_prop_ro("strength_components", [](Plan const& p) { return nearfar_plan_strength_components(p.get()); })
      .def_prop_ro("result_components", [](Plan const& p) { return nearfar_plan_result_components(p.get()); })
      .def_prop_ro("estimated_error", estimated_error)
      .def_prop_ro("ewald_parameters", ewald_parameters)
      .def_prop_ro("fmm_parameters", fmm_parameters);
  nb::class_<Points, Owner>(module, "Points")
      .def_prop_ro("sources", [](Points const& p) { return nearfar_points_sources(p.get()); })
      .def_prop_ro("targets", [](Points const& p) { return nearfar_points_targets(p.get()); })
      .def_prop_ro("parameters", points_parameters);
  module.def("make_ewald", make_ewald);
  module.def("make_fmm", make_fmm);
  module.def("place", place, nb::arg("plan"), nb::arg("before").none(), nb::arg("sources"), nb::arg("targets").none());
  module.def("place_arrays", place_arrays, nb::arg("plan"), nb::arg("before").none(), nb::arg("sources"),
             nb::arg("targets").none());
  module.def("submit_arrays", submit_arrays, nb::arg("plan"), nb::arg("points"), nb::arg("strengths"),
             nb::arg("result"), nb::arg("part"), nb::arg("stream").none());
  module.def("set_cell", set_cell, nb::arg("plan"), nb::arg("cell"), nb::arg("before").none());
  module.def("submit", submit, nb::arg("plan"), nb::arg("points"), nb::arg("strengths"), nb::arg("result"),
             nb::arg("part"), nb::arg("stream").none());
  module.def("submit_direct", submit_direct, nb::arg("runtime"), nb::arg("kernel"), nb::arg("outputs"),
             nb::arg("screening"), nb::arg("softening"), nb::arg("sources"), nb::arg("targets").none(),
             nb::arg("strengths"), nb::arg("result"));
}

}  // namespace nearfar::python
