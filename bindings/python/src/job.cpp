// SPDX-License-Identifier: BSD-3-Clause
// Solves in flight: waiting for them without the interpreter's lock, and callbacks that take it.
#include "bindings/python/src/columns.hpp"
#include "bindings/python/src/handles.hpp"
#include "bindings/python/src/options.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

void call_python(void* raw) {
  nb::gil_scoped_acquire const gil;
  auto const callback = nb::steal(static_cast<PyObject*>(raw));
  try {
    callback();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("a callback of a nearfar job");
  }
}

}  // namespace

/// The progress callback of a job, and what it has raised.
struct Job::Listener {
  nb::callable callback;
  nb::object error;

  static int tell(void* raw, double fraction) {
    nb::gil_scoped_acquire const gil;
    auto& listener = *static_cast<Listener*>(raw);
    try {
      listener.callback(fraction);
      return 0;
    } catch (nb::python_error& raised) {
      listener.error = nb::borrow(raised.value());
      return 1;
    }
  }
};

Job::Job(nearfar_solve* solve, std::vector<nb::object> arrays) : Owned(solve), arrays_(std::move(arrays)) {
  if (PyErr_CheckSignals() == 0) return;
  // Ctrl-C while it was submitted: raised later, it would find a job that nobody waits for, which ends in its own time.
  nb::python_error const interrupted;
  nearfar_solve_cancel(solve);
  release();
  throw interrupted;
}
Job::~Job() { release(); }  // before what it uses goes

void Job::check_ended(int code) {
  if (!listener_) return check(code);
  listener_->callback.reset();
  if (!listener_->error.is_valid()) return check(code);
  PyErr_SetObject(listener_->error.type().ptr(), listener_->error.ptr());
  throw nb::python_error();
}

void Job::wait() {
  constexpr double between_looks = 0.05;  // seconds, at Ctrl-C
  auto* const solve = get();
  for (int ended = 0; ended == 0;) {
    call_unlocked([&] { return nearfar_solve_wait_for(solve, between_looks, &ended); });
    if (ended != 0 || PyErr_CheckSignals() == 0) continue;
    check(nearfar_solve_cancel(solve));
    call_unlocked([&] { return nearfar_solve_wait(solve), NEARFAR_OK; });
    throw nb::python_error();
  }
  int code = NEARFAR_OK;
  {
    Unlocked const unlocked;
    code = nearfar_solve_wait(solve);
  }
  check_ended(code);
}

void Job::on_progress(nb::callable callback) {
  auto* const solve = get();
  std::unique_ptr<Listener> listener(new Listener{std::move(callback), nb::object()});
  call_unlocked([&] { return nearfar_solve_on_progress(solve, Listener::tell, listener.get()); });
  if (!listener_ || !listener_->error.is_valid()) listener_ = std::move(listener);
}

void Job::then(nb::callable callback) {
  auto* const solve = get();
  int code = NEARFAR_OK;
  {
    Unlocked const unlocked;
    code = nearfar_solve_then(solve, call_python, callback.ptr());
  }
  check(code);
  callback.release();  // call_python has it
}

nb::dict as_dict(nearfar_report const& report) {
  nb::dict all;
  all["seconds"] = report.seconds;
  all["submit_seconds"] = report.submit_seconds;
  all["tasks"] = report.tasks;
  all["workers"] = report.workers;
  all["ranks"] = report.ranks;
  all["repeats"] = report.repeats;
  all["sent_bytes"] = report.sent_bytes;
  all["direct_bytes"] = report.direct_bytes;
  all["idle_fraction"] = report.idle_fraction;
  all["overlap_fraction"] = report.overlap_fraction;
  all["critical_seconds"] = report.critical_seconds;
  all["bound_seconds"] = report.bound_seconds;
  all["predicted_seconds"] = report.predicted_seconds;
  all["sampled_error"] = report.sampled_error;
  if (report.has_energy != 0) all["energy"] = report.energy;
  if (report.energy_error > 0) all["energy_error"] = report.energy_error;
  if (report.has_virial != 0) all["virial"] = as_tuple(report.virial);
  if (report.virial_error > 0) all["virial_error"] = report.virial_error;
  return all;
}

nb::dict Job::report() {
  wait();
  nearfar_report report{};
  check(nearfar_solve_report(get(), &report, sizeof report));
  nb::dict all = as_dict(report);
  nb::dict stages;
  for (std::size_t i = 0; i < report.stages; ++i) {
    nearfar_stage stage{};
    check(nearfar_solve_stage(get(), i, &stage, sizeof stage));
    nb::dict row;
    row["tasks"] = stage.tasks;
    row["seconds"] = stage.seconds;
    row["flops"] = stage.flops;
    row["expected_seconds"] = stage.expected_seconds;
    stages[stage.stage] = row;
  }
  all["stages"] = stages;
  return all;
}

void bind_columns(nb::module_& module) {
  nb::class_<Columns>(module, "Columns")
      .def(nb::init<nb::handle, std::string const&, int, bool>())
      .def_static("block", &Columns::block)
      .def_prop_ro("rows", &Columns::rows)
      .def_prop_ro("count", &Columns::count)
      .def_prop_ro("dimensions", &Columns::dimensions)
      .def_prop_ro("shape", &Columns::shape)
      .def_prop_ro("packed", &Columns::packed)
      .def_prop_ro("aligned", &Columns::aligned)
      .def_prop_ro("on_gpu", &Columns::on_gpu)
      .def_prop_ro("stream", &Columns::stream);
}

void bind_job(nb::module_& module) {
  nb::class_<Job, Owner>(module, "Job")
      .def("ready", &Job::ready)
      .def("wait", &Job::wait)
      .def("then", &Job::then)
      .def("on_progress", &Job::on_progress)
      .def("cancel", &Job::cancel)
      .def("report", &Job::report)
      .def("write_dag", &Job::write_dag);
}

}  // namespace nearfar::python
