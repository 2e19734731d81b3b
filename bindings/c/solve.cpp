// SPDX-License-Identifier: BSD-3-Clause
// Solves in flight, and how they ran.
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

namespace nearfar::c {

void fill(SolveReport const& from, nearfar_report& to) {
  to.seconds = from.seconds;
  to.submit_seconds = from.submit_seconds;
  to.tasks = from.tasks;
  to.workers = from.workers;
  to.ranks = from.ranks;
  to.repeats = from.repeats;
  to.sent_bytes = from.sent_bytes;
  to.direct_bytes = from.direct_bytes;
  to.idle_fraction = from.idle_fraction;
  to.overlap_fraction = from.overlap_fraction;
  to.critical_seconds = from.critical_seconds;
  to.bound_seconds = from.bound_seconds;
  to.predicted_seconds = from.predicted_seconds;
  to.sampled_error = from.sampled_error;
  to.stages = from.stages.size();
  to.has_energy = from.energy.has_value();
  to.has_virial = from.virial.has_value();
  to.energy = from.energy.value_or(0);
  if (from.virial) copy(*from.virial, to.virial);
  to.energy_error = from.energy_error;
  to.virial_error = from.virial_error;
}

namespace {

SolveReport const& report_of(nearfar_solve& solve) {
  if (!solve.report) solve.report = solve.solve.report();
  return *solve.report;
}

}  // namespace

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

int nearfar_solve_ready(nearfar_solve const* solve) { return solve != nullptr && solve->solve.ready() ? 1 : 0; }

int nearfar_solve_then(nearfar_solve* solve, void (*callback)(void* user), void* user) {
  return c::guarded([&] {
    c::expect(callback, "callback", "a function");
    c::expect_solve(solve).solve.then([callback, user] { callback(user); });
  });
}

int nearfar_solve_on_progress(nearfar_solve* solve, int (*callback)(void* user, double fraction), void* user) {
  return c::guarded([&] {
    c::expect(callback, "callback", "a function");
    c::expect_solve(solve).solve.on_progress([callback, user](double fraction) {
      if (int const asked = callback(user, fraction); asked != 0)
        throw Error(Fault::bad_input, "this solve was cancelled by its progress callback, which returned " +
                                          std::to_string(asked) +
                                          ", so its result is not complete; return 0 to let it go on");
    });
  });
}

int nearfar_solve_cancel(nearfar_solve* solve) {
  return c::guarded([&] { c::expect_solve(solve).solve.cancel(); });
}

int nearfar_solve_wait(nearfar_solve* solve) {
  return c::guarded([&] { c::expect_solve(solve).solve.wait(); });
}

int nearfar_solve_wait_for(nearfar_solve* solve, double seconds, int* ended) {
  return c::guarded([&] {
    c::expect(ended, "ended", "an int");
    *ended = 0;
    *ended = c::expect_solve(solve).solve.wait_for(seconds) ? 1 : 0;
  });
}

int nearfar_solve_write_dag(nearfar_solve const* solve, char const* path) {
  return c::guarded([&] { c::expect_solve(solve).solve.write_dag(&c::expect(path, "path", "a file to write")); });
}

void nearfar_solve_destroy(nearfar_solve* solve) { delete solve; }

int nearfar_solve_report(nearfar_solve* solve, nearfar_report* report, size_t size) {
  return c::guarded([&] {
    nearfar_report found{};
    c::fill(c::report_of(c::expect_solve(solve)), found);
    c::give(found, report, size, "report");
  });
}

int nearfar_solve_stage(nearfar_solve* solve, size_t index, nearfar_stage* stage, size_t size) {
  return c::guarded([&] {
    auto const& stages = c::report_of(c::expect_solve(solve)).stages;
    if (index >= stages.size())
      throw Error(Fault::bad_input, "stage " + std::to_string(index) + " is not in the report, which has " +
                                        std::to_string(stages.size()) + " stages; ask for one of them, from 0");
    auto const& s = stages[index];
    c::give(nearfar_stage{c::kept_text(s.stage), s.tasks, s.seconds, s.flops, s.expected_seconds}, stage, size,
            "stage");
  });
}
}
