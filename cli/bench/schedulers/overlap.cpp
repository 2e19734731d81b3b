// SPDX-License-Identifier: BSD-3-Clause
// How much of the transforms and messages of an Ewald sum the near part hides: the parts alone and together,
// interleaved, so that other load on the machine affects all three.
#include "cli/trace/overlap.hpp"
#include "cli/bench/bench.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <span>

namespace nearfar::cli {

namespace {

constexpr std::array parts{Part::near, Part::far, Part::whole};

struct Figures {
  std::array<std::vector<double>, 3> seconds;  ///< of near, far and whole solves, by round
  EwaldPlanning parameters;
  SolveReport last;  ///< of the whole solve
  Measurement machine;
  std::array<std::vector<double>, 3> idle;  ///< idle time of the workers, likewise
  std::vector<Overlap> overlap;             ///< of whole solves, by round
  double messages = 0;                      ///< of one solve
};

double median_of(std::vector<Overlap> const& all, Covered Overlap::*what, double (*value)(Covered const&)) {
  std::vector<double> values;
  for (auto const& one : all) values.push_back(value(one.*what));
  return median(std::move(values));
}

/// A temporary folder for the trace, unless the user names one.
class TraceFolder {
 public:
  explicit TraceFolder(std::string& folder) {
    if (!folder.empty() || launch().rank > 0) {
      if (folder.empty()) folder = "of rank 0";  // rank 0 makes the folder and writes the traces of all
      return;
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "nearfar-trace-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error{Fault::bad_input, pattern + ": no folder for the trace can be made there; name one with --trace"};
    own_ = folder = pattern;
  }
  ~TraceFolder() {
    std::error_code ignored;
    if (!own_.empty()) std::filesystem::remove_all(own_, ignored);
  }
  TraceFolder(TraceFolder const&) = delete;
  TraceFolder& operator=(TraceFolder const&) = delete;

 private:
  std::string own_;
};

/// Every round is one solve of each part; the first warms up.
template <class T>
Figures solve(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  bool const first = runtime.rank() == 0;
  Figures figures;
  figures.machine = measurement_on(runtime);
  auto const& options = settings.ewald.plan;
  auto const rows = rows_of_rank<T>(settings.particles, runtime.rank(), runtime.ranks());
  std::vector<T> result(rows.positions.size() / 3 *
                        static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
  BasicEwald<T> plan{runtime, options};
  auto const points = plan.set_points(rows.positions);
  figures.parameters = plan.parameters();
  for (int round = 0; round <= settings.repeat; ++round)
    for (std::size_t i = 0; i < parts.size(); ++i) {
      runtime.mark(round == 0 ? "warm-up" : std::string(name(parts[i])));
      auto const begin = std::chrono::steady_clock::now();
      auto report = plan.submit(points, rows.strengths, result, parts[i]).report();  // when all ranks have ended
      std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
      if (round > 0) figures.seconds[i].push_back(seconds.count());
      if (first) figures.last = std::move(report);
    }
  return figures;
}

/// The numbers of sums: a plan also has workers sort points and copy strengths, in solves of nothing but loops.
std::vector<int> sums_of(Trace const& trace) {
  std::set<int> sums;
  for (auto const& task : trace.tasks)
    if (trace.stages[task.stage].name != "loop") sums.insert(task.solve);
  std::vector<int> found;
  for (auto const& solve : trace.solves)
    if (sums.contains(solve.number)) found.push_back(solve.number);
  return found;
}

/// Reads the last sums of the trace: the plan may have made some of its own before ours.
void read_overlap(Figures& figures, std::string const& folder, int repeat) {
  auto const trace = read_trace(folder);
  auto const sums = sums_of(trace);
  for (std::size_t back = std::size_t(repeat) * parts.size(); back > 0; back -= parts.size()) {
    int number = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      number = sums.at(sums.size() - back + i);
      auto const overlap = overlap_of(trace, number);
      figures.idle[i].push_back(overlap.idle);
      if (parts[i] == Part::whole) figures.overlap.push_back(overlap);
    }
    figures.messages = static_cast<double>(std::ranges::count(trace.messages, number, &Trace::Message::solve));
  }
}

nlohmann::ordered_json json_of(BenchSettings const& settings, Figures const& f) {
  EwaldFigures const head{f.parameters, f.machine};
  auto json = head_of(settings, head);
  json.erase("part");
  json["ranks"] = f.last.ranks;
  json["message_delay"] = settings.runtime.message_delay;
  json["near_seconds"] = median(f.seconds[0]);
  json["far_seconds"] = median(f.seconds[1]);
  json["both_seconds"] = median(f.seconds[2]);
  json["near_idle_seconds"] = median(f.idle[0]);
  json["far_idle_seconds"] = median(f.idle[1]);
  json["both_idle_seconds"] = median(f.idle[2]);
  auto const covered = [&](Covered Overlap::*what) {
    return nlohmann::ordered_json{{"seconds", median_of(f.overlap, what, [](Covered const& c) { return c.seconds; })},
                                  {"covered", median_of(f.overlap, what, [](Covered const& c) { return c.share(); })}};
  };
  json["transforms"] = covered(&Overlap::transforms);
  json["messages"] = covered(&Overlap::messages);
  json["messages"]["count"] = f.messages;
  json["either"] = covered(&Overlap::either);
  json["sent_bytes"] = f.last.sent_bytes;
  json["idle_fraction"] = f.last.idle_fraction;
  return json;
}

void print_table(nlohmann::ordered_json const& json) {
  auto const number = [](nlohmann::ordered_json const& value) { return value.get<double>(); };
  print("overlap, %s, %.0f particles, %s, %s on each (%s)\n", json["kernel"].get<std::string>().c_str(),
        number(json["count"]), counted(json["ranks"].get<std::size_t>(), "rank").c_str(),
        counted(json["workers"].get<std::size_t>(), "worker").c_str(), json["scheduler"].get<std::string>().c_str());
  print("near part %.4g s, far part %.4g s, both together %.4g s\n", number(json["near_seconds"]),
        number(json["far_seconds"]), number(json["both_seconds"]));
  print("a worker was idle for %.4g s, %.4g s and %.4g s of that\n", number(json["near_idle_seconds"]),
        number(json["far_idle_seconds"]), number(json["both_idle_seconds"]));
  for (auto const* what : {"transforms", "messages", "either"})
    print("  %-10s %10.4g s of ranks, P2P beside them for %.0f %%\n", what, number(json[what]["seconds"]),
          100 * number(json[what]["covered"]));
  print("%.0f messages, %s in all\n", number(json["messages"]["count"]),
        bytes_text(number(json["sent_bytes"])).c_str());
}

}  // namespace

void bench_overlap(BenchSettings settings) {
  auto const& options = settings.ewald.plan;
  expect_outputs(options.kernel, options.outputs);
  settings.particles.kernel = options.kernel;
  settings.particles.box = options.box;
  TraceFolder const folder{settings.runtime.trace};
  auto figures = settings.ewald.precision == Precision::double_ ? solve<double>(settings) : solve<float>(settings);
  if (launch().rank > 0) return;
  read_overlap(figures, settings.runtime.trace, settings.repeat);
  auto const json = json_of(settings, figures);
  if (settings.json) print_line(json);
  else print_table(json);
}

}  // namespace nearfar::cli
