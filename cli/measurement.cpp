// SPDX-License-Identifier: BSD-3-Clause
#include "cli/measurement.hpp"

#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace nearfar::cli {

Measurement measure(Runtime const& runtime, int repeat, std::function<Solve()> const& submit) {
  Measurement measurement{{}, runtime.workers().size(), runtime.scheduler()};
  for (int i = 0; i <= repeat; ++i) {
    runtime.mark(i > 0 ? "run " + std::to_string(i) : "warm-up");
    auto solve = submit();
    if (i > 0) measurement.solves.push_back(solve.report());
    else solve.wait();
  }
  std::ranges::sort(measurement.solves, {}, &SolveReport::seconds);
  return measurement;
}

void add_times(nlohmann::ordered_json& json, Measurement const& m, std::size_t count) {
  json["scheduler"] = m.scheduler;
  json["workers"] = m.workers;
  json["seconds"] = {
      {"minimum", m.solves.front().seconds}, {"median", m.median().seconds}, {"maximum", m.solves.back().seconds}};
  json["particles_per_second"] = m.rate(count);
  json["predicted_seconds"] = m.median().predicted_seconds;
  json["bound_seconds"] = m.median().bound_seconds;
  json["tasks"] = m.median().tasks;
  json["submit_seconds"] = m.median().submit_seconds;
  json["idle_fraction"] = m.median().idle_fraction;
  json["overlap_fraction"] = m.median().overlap_fraction;
  for (auto const& stage : m.median().stages)
    json["stages"][stage.stage] = {{"tasks", stage.tasks}, {"seconds", stage.seconds}};
}

void print_times(Measurement const& m, std::size_t count) {
  auto const& median = m.median();
  std::printf("%.4g s (%.4g to %.4g in %zu runs), %s particles/s, idle %.0f %%, overlap %.0f %%\n", median.seconds,
              m.solves.front().seconds, m.solves.back().seconds, m.solves.size(), engineering(m.rate(count)).c_str(),
              100 * median.idle_fraction, 100 * median.overlap_fraction);
  for (auto const& stage : median.stages)
    std::printf("  %-12s %8d tasks %12.4g s\n", stage.stage.c_str(), stage.tasks, stage.seconds);
  if (median.predicted_seconds > 0)
    std::printf("predicted %.4g s, at least %.4g s\n", median.predicted_seconds, median.bound_seconds);
  if (auto const note = uncalibrated_note(median.uncalibrated); !note.empty()) std::printf("%s\n", note.c_str());
}

}  // namespace nearfar::cli
