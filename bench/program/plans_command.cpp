// SPDX-License-Identifier: BSD-3-Clause
#include "bench/plans/plans.hpp"
#include "bench/program/commands.hpp"
#include "cli/io/number.hpp"

#include <memory>

namespace nearfar::cli {

Command plans_command() {
  auto settings = std::make_shared<PlansSettings>();
  Options const own = {
      {"METHOD", "", "ewald or fmm [both]", [settings](std::string const& text) { settings->method = text; },
       "Arguments"},
      {"--rounds", "R", "Rounds in which the finalists take turns [9]",
       [settings](std::string const& text) { settings->race.rounds = small_count_option("--rounds", text, 1); }},
      {"--others", "N", "At most so many others [32]",
       [settings](std::string const& text) { settings->race.most = small_count_option("--others", text, 1); }},
      {"--cpu-time", "", "Compare CPU times, for busy machines",
       [settings](std::string const&) { settings->race.by_cpu = true; }},
      {"--all", "", "All 24 standard requests", [settings](std::string const&) { settings->all_cases = true; }},
      {"--quick", "", "Two small requests", [settings](std::string const&) { settings->quick_cases = true; }}};
  return {
      "plans",
      "How good the chosen plans are",
      "'ratio' is the time of the chosen plan divided by that of the fastest of itself and --others plans around it\n"
      "(cutoff, grid, window and blocks; order, depth, capacity and separation) that keep the tolerance. Prints one\n"
      "line of JSON for each request and method.",
      "nearfar-bench plans ewald --kernel stokes --count 1e5 --cpu-time --cpus 1",
      join({own, measurement_options(settings), solver_options(settings)}),
      [settings] {
        settings->fmm.precision = settings->ewald.precision;
        bench_plans(*settings);
        return 0;
      }};
}

}  // namespace nearfar::cli
