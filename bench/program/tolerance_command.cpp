// SPDX-License-Identifier: BSD-3-Clause
#include "bench/program/commands.hpp"
#include "bench/tolerance/tolerance.hpp"
#include "cli/io/number.hpp"

#include <memory>

namespace nearfar::cli {

Command tolerance_command() {
  auto settings = std::make_shared<BenchSettings>();
  settings->step_length = 1e-5;
  Options const own = {
      {"SYSTEM", "", "liquid, crystal or suspension [all]",
       [settings](std::string const& text) { settings->what = text; }, "Arguments"},
      {"--steps", "N", "Number of steps [20]",
       [settings](std::string const& text) { settings->steps = small_count_option("--steps", text, 1); }},
      {"--step", "LENGTH", "Largest move along each direction, in edges of the cell [1e-5]",
       [settings](std::string const& text) { settings->step_length = number_option("--step", text); }}};
  return {"tolerance",
          "What a tolerance of the whole sum saves, beside one of its far part too",
          "Simulated systems in a periodic cube are moved and solved for by two plans in turn, with --tolerance-of\n"
          "parts and whole. Prints one line of JSON for each system: the CPU time of a step of each, medians, their\n"
          "ratio, what plans predict of it ('predicted_ratio'), and the errors of the last step beside a plan that is\n"
          "a thousand times as fine; 'repeats' are solves of the second plan that missed the tolerance later.",
          "nearfar-bench tolerance --count 1e5 --tolerance 1e-4 --cpus 1",
          join({own, measurement_options(settings), solver_options(settings)}),
          [settings] {
            bench_tolerance_of(*settings);
            return 0;
          }};
}

}  // namespace nearfar::cli
