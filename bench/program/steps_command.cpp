// SPDX-License-Identifier: BSD-3-Clause
#include "bench/program/commands.hpp"
#include "bench/steps/steps.hpp"
#include "cli/io/number.hpp"

#include <memory>

namespace nearfar::cli {

Command steps_command() {
  auto settings = std::make_shared<StepsSettings>();
  Options const own = {
      {"METHOD", "", "ewald or fmm [ewald]", [settings](std::string const& text) { settings->method = text; },
       "Arguments"},
      {"--steps", "N", "Number of steps [20]",
       [settings](std::string const& text) { settings->steps = small_count_option("--steps", text, 1); }},
      {"--step", "LENGTH", "Largest move along each direction, in units of the longest edge [0.001]",
       [settings](std::string const& text) { settings->step_length = number_option("--step", text); }},
      {"--on-host", "", "Arrays on the host [in the memory of the GPU, where there is one]",
       [settings](std::string const&) { settings->on_host = true; }},
      {"--masses", "", "Strengths of one sign [charges of both]",
       [settings](std::string const&) { settings->masses = true; }},
      {"--sample", "N", "Targets whose forces are checked; 0: none [200]",
       [settings](std::string const& text) { settings->sample = small_count_option("--sample", text, 0); }}};
  return {
      "steps",
      "Whole steps of charges: points moved, and solved for potential and gradient",
      "'step_seconds' is the time from new positions to forces; 'force_error' the relative l2 error of the last "
      "step's\n"
      "forces, by direct sums (fmm, in free space) or by a plan that is a hundred times as fine (ewald, in a periodic\n"
      "cell). Prints one line of JSON, medians of the steps.",
      "nearfar-bench steps fmm --count 4e6 --precision single --tolerance 1e-3 --gpus 1",
      join({own, measurement_options(settings), solver_options(settings)}),
      [settings] {
        settings->fmm.precision = settings->ewald.precision;
        bench_whole_steps(*settings);
        return 0;
      }};
}

}  // namespace nearfar::cli
