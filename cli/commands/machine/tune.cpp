// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/runtime.hpp>
#include <nearfar/tune.hpp>

#include <nlohmann/json.hpp>

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
  print("%-12s %20s %20s\n%-12s %10s%10s %10s%10s\n", "", "double", "single", "work", "cpu", "gpu", "cpu", "gpu");
  for (std::size_t i = 0; i < in_double.size(); ++i)
    print("%-12s %10.3g%10.3g %10.3g%10.3g\n", in_double[i].work.c_str(), in_double[i].cpu, in_double[i].gpu,
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
  print("%s\n", json.dump().c_str());
  return 0;
}

}  // namespace

Command tune_command() {
  auto settings = std::make_shared<TuneSettings>();
  auto options = runtime_options(settings->runtime);
  std::erase_if(options,
                [](Option const& option) { return option.flag == "--trace" || option.flag == independent_flag; });
  options.push_back(
      {"--json", "", "Print one line of JSON", [settings](std::string const&) { settings->json = true; }});
  return {
      "tune",
      "Measures the throughput of this machine, for better plans",
      "Solves by both methods, with all workers busy, and prints how many cores of a reference machine a worker is\n"
      "worth for each kind of work (gpu: one GPU). The numbers are kept in the user's folder for this number of\n"
      "workers; plans are chosen by them. Without this command, the first large solve measures for half a second.\n"
      "Takes some seconds; run it on a quiet machine. 'nearfar bench calibrate' measures task times for the\n"
      "schedulers of the dm family.",
      "nearfar tune",
      std::move(options),
      [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
