// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"

#include <nearfar/runtime.hpp>
#include <nearfar/tune.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace nearfar::cli {

namespace {

struct TuneSettings {
  RuntimeOptions runtime;
  bool json = false;
};

nlohmann::ordered_json json_of(std::vector<Throughput> const& table) {
  nlohmann::ordered_json json;
  for (auto const& row : table) json[row.work] = {{"cpu", row.cpu}, {"gpu", row.gpu}};
  return json;
}

void print_table(std::vector<Throughput> const& in_double, std::vector<Throughput> const& in_single) {
  std::printf("%-12s %20s %20s\n%-12s %10s%10s %10s%10s\n", "", "double", "single", "work", "cpu", "gpu", "cpu", "gpu");
  for (std::size_t i = 0; i < in_double.size(); ++i)
    std::printf("%-12s %10.3g%10.3g %10.3g%10.3g\n", in_double[i].work.c_str(), in_double[i].cpu, in_double[i].gpu,
                in_single[i].cpu, in_single[i].gpu);
}

int run(TuneSettings const& settings) {
  Runtime const runtime{settings.runtime};
  Progress progress{false};
  progress.step("measuring in double precision");
  auto const in_double = tune<double>(runtime);
  progress.step("measuring in single precision");
  auto const in_single = tune<float>(runtime);
  progress.end();
  if (!settings.json) {
    print_table(in_double, in_single);
    return 0;
  }
  nlohmann::ordered_json json;
  json["version"] = NEARFAR_VERSION;
  json["workers"] = runtime.workers().size();
  json["double"] = json_of(in_double);
  json["single"] = json_of(in_single);
  std::printf("%s\n", json.dump().c_str());
  return 0;
}

}  // namespace

Command tune_command() {
  auto settings = std::make_shared<TuneSettings>();
  auto options = runtime_options(settings->runtime);
  std::erase_if(options, [](Option const& option) { return option.flag == "--trace"; });
  options.push_back(
      {"--json", "", "Print one line of JSON", [settings](std::string const&) { settings->json = true; }});
  return {
      "tune",
      "Measure this machine, so that the best plans are chosen for it",
      "Solves by both methods tell how fast the workers are in each kind of work, in cores of a reference machine\n"
      "while all are busy (gpu: of one GPU). Plans are chosen by these numbers, which are kept in the user's folder\n"
      "for this number of workers. Without it, the first large solve measures for half a second.\n"
      "Takes some seconds, best on a machine that does nothing else. What schedulers of the dm family go by is\n"
      "measured by 'nearfar bench calibrate'.",
      "nearfar tune",
      std::move(options),
      [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
