// SPDX-License-Identifier: BSD-3-Clause
// The planner's constants of work, measured anew.
#include "bench/fit/gpu_solves.hpp"
#include "bench/fit/solves.hpp"
#include "bench/gpu/device.hpp"
#include "bench/program/commands.hpp"
#include "cli/io/number.hpp"
#include "cli/io/output_files.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

namespace nearfar::cli {

namespace {

struct FitSettings {
  RuntimeOptions runtime;
  std::size_t count = 20000;
  std::string file;
  bool of_gpu = false;
};

std::string text_of(std::string const& file) {
  std::ifstream in(file);
  if (!in) throw Error{Fault::bad_input, "'" + file + "' cannot be read; give core/plan/constants.hpp"};
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Constants>
void write(std::string const& file, std::string const& text, Constants const& fitted) {
  if (file.empty()) return;
  write_whole(file, [&](std::string const& beside) {
    std::ofstream out(beside);
    if (!(out << bench::rewritten(text, fitted) << std::flush))
      throw Error{Fault::no_resource, "'" + file + "' cannot be written; see whether the disk is full"};
  });
}

int run_of_gpu(FitSettings settings) {
  std::string const text = settings.file.empty() ? "" : text_of(settings.file);
  if (!text.empty()) bench::rewritten(text, gpu_constants);
  settings.runtime.gpus = 1;
  Runtime const runtime{settings.runtime};
  if (bench::devices() == 0)
    throw Error{Fault::no_resource, "--of-gpu is given, but there is no GPU (whole solves run there); leave it out"};
  Progress progress{false};
  auto const observations = bench::observe_gpu_solves(runtime, [&](std::string const& what) { progress.step(what); });
  progress.end();
  GpuConstants const fitted = bench::refitted(observations, gpu_constants);
  print("%-26s %10s %10s\n", "constant", "was", "is");
  std::vector<double> was, is;
  for (bench::FittedGpuConstant const& c : bench::fitted_gpu_constants) {
    was.push_back(gpu_constants.*c.member);
    is.push_back(fitted.*c.member);
    print("%-26s %10.3g %10.3g\n", c.name, was.back(), is.back());
  }
  print("of %zu solves; misfit of all predictions: was %.0f %%, is %.0f %%\n", observations.size(),
        100 * bench::misfit(observations, was), 100 * bench::misfit(observations, is));
  write(settings.file, text, fitted);
  return 0;
}

int run(FitSettings const& settings) {
  if (settings.of_gpu) return run_of_gpu(settings);
  std::string const text = settings.file.empty() ? "" : text_of(settings.file);
  if (!text.empty()) bench::rewritten(text, work_constants);  // before seconds are spent: are all constants in it?
  Runtime const runtime{settings.runtime};
  Progress progress{false};
  auto const rows =
      bench::observe_solves(runtime, settings.count, [&](std::string const& what) { progress.step(what); });
  progress.end();
  WorkConstants const fitted = bench::refitted(rows, work_constants);
  print("%-26s %-10s %10s %10s %8s %12s\n", "constant", "of", "was", "is", "solves", "misfit");
  for (FittedConstant const& c : fitted_constants) {
    auto const& observations = rows[std::size_t(c.row)];
    std::vector<double> values;
    for (auto const& own : bench::constants_of(c.row)) values.push_back(fitted.*own.member);
    print("%-26s %-10s %10.3g %10.3g %8zu %10.0f %%\n", c.name, name(c.row), work_constants.*c.member, fitted.*c.member,
          observations.size(), 100 * bench::misfit(observations, values));
  }
  write(settings.file, text, fitted);
  return 0;
}

}  // namespace

Command fit_command() {
  auto settings = std::make_shared<FitSettings>();
  Options own = {{"--count", "N", "Points for each CPU worker [20000]",
                  [settings](std::string const& text) {
                    settings->count = static_cast<std::size_t>(count_option("--count", text, 1));
                  }},
                 {"--of-gpu", "", "Instead what whole solves take on one GPU beside the work of their stages",
                  [settings](std::string const&) { settings->of_gpu = true; }},
                 {"--write", "FILE", "Also write them to core/plan/constants.hpp, which is given here",
                  [settings](std::string const& text) { settings->file = text; }}};
  return {
      "fit",
      "The planner's constants of work, measured anew",
      "Solves two dozen problems by both methods, and finds the constants of core/plan/constants.hpp whose\n"
      "predictions are closest to the CPU times of the stages. They say how kinds of work compare; how fast a\n"
      "machine is, 'nearfar tune' says, so that the mean of all predictions of a stage stays as it was. 'misfit' is\n"
      "what predictions are off, root mean square. Takes a minute; other programs do little harm.",
      "nearfar-bench fit --cpus 1 --write core/plan/constants.hpp",
      join({own, runtime_options(settings->runtime)}),
      [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
