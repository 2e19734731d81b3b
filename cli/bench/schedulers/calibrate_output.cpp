// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/schedulers/calibrate.hpp"

#include "cli/bench/measurement.hpp"
#include "cli/report.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace nearfar::cli {

namespace {

/// In per cent of what was measured; "-" where nothing was predicted.
std::string share(double predicted, double measured) {
  return predicted > 0 && measured > 0 ? text("%.0f %%", 100 * predicted / measured) : "-";
}

std::string kernel_of(CalibrationCheck const& c) { return std::string(name(c.kernel)) + ", " + name(c.outputs); }

CalibrationCheck const& worst_of(std::vector<CalibrationCheck> const& checks) {
  return *std::ranges::max_element(checks, {}, &CalibrationCheck::deviation);
}

void print_json(std::vector<CalibrationCheck> const& checks) {
  nlohmann::ordered_json json;
  json["bench"] = "calibrate";
  json["version"] = NEARFAR_VERSION;
  for (auto const& c : checks)
    json["checks"].push_back({{"method", name_of(c.method)},
                              {"kernel", name(c.kernel)},
                              {"outputs", name(c.outputs)},
                              {"periodicity", name(c.periodicity)},
                              {"count", c.count},
                              {"seconds", c.seconds},
                              {"predicted_seconds", c.predicted},
                              {"work_seconds", c.work},
                              {"expected_work_seconds", c.expected},
                              {"uncalibrated", c.uncalibrated}});
  if (!checks.empty()) json["largest_deviation"] = worst_of(checks).deviation();
  print_line(json);
}

void print_table(std::vector<CalibrationCheck> const& checks) {
  print("%-6s %-18s %-8s %10s %12s %10s %12s %10s\n", "method", "kernel", "periodic", "particles", "seconds",
        "predicted", "work", "expected");
  for (auto const& c : checks) {
    print("%-6s %-18s %-8s %10zu %10.4g s %10s %10.4g s %10s\n", name_of(c.method), kernel_of(c).c_str(),
          std::string(name(c.periodicity)).c_str(), c.count, c.seconds, share(c.predicted, c.seconds).c_str(), c.work,
          share(c.expected, c.work).c_str());
    if (!c.uncalibrated.empty()) print("  %s\n", uncalibrated_note(c.uncalibrated).c_str());
  }
  print("predicted: by the plan, were no worker ever idle; expected: by StarPU's models of task times\n");
  if (checks.empty() || !(worst_of(checks).deviation() > 0)) return;
  auto const& worst = worst_of(checks);
  print("largest deviation of predicted: %.0f %% (%s, %s, periodic %s, %zu particles)\n", 100 * worst.deviation(),
        name_of(worst.method), kernel_of(worst).c_str(), std::string(name(worst.periodicity)).c_str(), worst.count);
}

}  // namespace

void print_checks(std::vector<CalibrationCheck> const& checks, bool json) {
  json ? print_json(checks) : print_table(checks);
}

}  // namespace nearfar::cli
