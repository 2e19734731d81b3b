// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/measurement.hpp"

#include "cli/commands/machine/machine.hpp"
#include "cli/report.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/processor.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>

namespace nearfar::cli {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double median(std::vector<double> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

Measurement measurement_on(Runtime const& runtime) {
  Measurement measurement;
  measurement.workers = runtime.workers().size();
  measurement.scheduler = runtime.scheduler();
  measurement.runtime = runtime.version();
  return measurement;
}

Measurement measure(Runtime const& runtime, int repeat, std::function<Solve()> const& submit) {
  Measurement measurement = measurement_on(runtime);
  for (int i = 0; i <= repeat; ++i) {
    runtime.mark(i > 0 ? "run " + std::to_string(i) : "warm-up");
    auto solve = submit();
    if (i > 0) measurement.solves.push_back(solve.report());
    else solve.wait();
  }
  std::ranges::sort(measurement.solves, {}, &SolveReport::seconds);
  return measurement;
}

MemoryGrowth::MemoryGrowth() {
  forget_peak_memory();
  before_ = resident_bytes();
}

std::size_t MemoryGrowth::bytes() const {
  return static_cast<std::size_t>(std::max(0.0, peak_resident_bytes() - before_));
}

nlohmann::ordered_json conditions(std::string const& what, Measurement const& m) {
  nlohmann::ordered_json json;
  json["bench"] = what;
  json["version"] = NEARFAR_VERSION;
  json["compiler"] = NEARFAR_COMPILER;
  json["build"] = NEARFAR_BUILD;
  json["processor"] = processor_name();
  json["cores"] = allowed_cores();
  json["simd"] = simd_level_name();
  if (m.workers == 0) return json;
  json["runtime"] = m.runtime;
  json["workers"] = m.workers;
  json["scheduler"] = m.scheduler;
  return json;
}

void add_request(nlohmann::ordered_json& json, SumRequest const& r) {
  json["kernel"] = name(r.kernel);
  json["gradient"] = r.outputs.has(Output::gradient);
  json["periodic"] = name(r.periodicity);
  json["precision"] = r.precision;
  json["distribution"] = name_of(r.distribution);
  json["count"] = r.count;
}

void print_line(nlohmann::ordered_json const& json) { print("%s\n", json.dump().c_str()); }

void add_times(nlohmann::ordered_json& json, Measurement const& m, std::size_t count) {
  json["seconds"] = {
      {"minimum", m.solves.front().seconds}, {"median", m.median().seconds}, {"maximum", m.solves.back().seconds}};
  json["particles_per_second"] = m.rate(count);
  json["predicted_seconds"] = m.median().predicted_seconds;
  json["bound_seconds"] = m.median().bound_seconds;
  json["ranks"] = m.median().ranks;
  json["tasks"] = m.median().tasks;
  json["submit_seconds"] = m.median().submit_seconds;
  json["idle_fraction"] = m.median().idle_fraction;
  json["overlap_fraction"] = m.median().overlap_fraction;
  json["peak_bytes"] = m.peak_bytes;
  json["caller_bytes"] = m.caller_bytes;
  json["peak_bytes_per_particle"] = static_cast<double>(m.peak_bytes) / static_cast<double>(count);
  for (auto const& stage : m.median().stages)
    json["stages"][stage.stage] = {{"tasks", stage.tasks}, {"seconds", stage.seconds}};
}

void print_times(Measurement const& m, std::size_t count) {
  auto const& median = m.median();
  print("%.4g s (%.4g to %.4g in %zu runs), %s particles/s, idle %.0f %%, overlap %.0f %%\n", median.seconds,
        m.solves.front().seconds, m.solves.back().seconds, m.solves.size(), engineering(m.rate(count)).c_str(),
        100 * median.idle_fraction, 100 * median.overlap_fraction);
  for (auto const& stage : median.stages)
    print("  %-12s %8d tasks %12.4g s\n", stage.stage.c_str(), stage.tasks, stage.seconds);
  if (median.ranks > 1) print("%d ranks; memory and stages are those of the first\n", median.ranks);
  if (median.predicted_seconds > 0)
    print("predicted %.4g s, at least %.4g s\n", median.predicted_seconds, median.bound_seconds);
  print("memory %s at the peak, beside %s of the caller's: %.0f + %.0f bytes per particle\n",
        bytes_text(static_cast<double>(m.peak_bytes)).c_str(), bytes_text(static_cast<double>(m.caller_bytes)).c_str(),
        static_cast<double>(m.peak_bytes) / static_cast<double>(count),
        static_cast<double>(m.caller_bytes) / static_cast<double>(count));
  if (auto const note = uncalibrated_note(median.uncalibrated); !note.empty()) print("%s\n", note.c_str());
}

}  // namespace nearfar::cli
