// SPDX-License-Identifier: BSD-3-Clause
// What further outputs and other kernels cost: Ewald sums of each kernel with more and more outputs, and with the
// virial, beside the kernel's first output. All take turns, and CPU time counts, so that a busy machine does no harm.
#include "cli/bench/bench.hpp"
#include "cli/bench/operators/sets.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace nearfar::cli {

namespace {

struct Particles {
  std::vector<double> positions, strengths;
};

/// One request: its plan and points, and what each of its solves took.
struct Contender {
  EwaldOptions options;
  std::shared_ptr<Particles const> particles;
  Ewald plan;
  Points points;
  std::vector<double> result;
  std::vector<double> seconds{};

  Contender(Runtime const& runtime, EwaldOptions const& o, std::shared_ptr<Particles const> const& given)
      : options(o), particles(given), plan(runtime, o), points(plan.set_points(given->positions)),
        result(points.targets() * static_cast<std::size_t>(result_components(o.kernel, o.outputs))) {}

  void run(bool count) {
    double const before = cpu_seconds();
    plan.submit(points, particles->strengths, result).wait();
    if (count) seconds.push_back(cpu_seconds() - before);
  }
  double least() const { return *std::ranges::min_element(seconds); }
};

/// All requests of one kernel, the one with its first output first.
std::vector<Contender> contenders_of(Runtime const& runtime, BenchSettings const& settings, KernelInfo const& kernel) {
  GenerateOptions of_kernel = settings.particles;
  of_kernel.kernel = kernel.kernel;
  of_kernel.box = settings.ewald.plan.box;
  Rows<double> rows{of_kernel};
  auto const particles =
      std::make_shared<Particles const>(Particles{std::move(rows.positions), std::move(rows.strengths)});
  EwaldOptions options = settings.ewald.plan;
  options.kernel = kernel.kernel;
  options.screening = screening_for(kernel.kernel, settings.ewald.plan.screening);
  std::vector<Contender> contenders;
  for (Outputs const outputs : sets_of_outputs(kernel)) {
    options.outputs = outputs;
    contenders.emplace_back(runtime, options, particles);
  }
  options.virial = !kernel.virial_outputs.empty();
  options.outputs = kernel.virial_outputs;
  if (options.virial) contenders.emplace_back(runtime, options, particles);
  return contenders;
}

std::string names_of(EwaldOptions const& o) {
  std::string names;
  for (Output const output : list_of(o.outputs)) names.append(names.empty() ? "" : ",").append(name(output));
  return o.virial ? names + ",virial" : names;
}

/// The request without the virial, else the one with the first output.
Contender const& beside(std::vector<Contender> const& all, Contender const& one) {
  for (Contender const& other : all)
    if (one.options.virial && other.options.outputs == one.options.outputs) return other;
  return all.front();
}

void print_results(BenchSettings const& settings, Runtime const& runtime, std::vector<Contender> const& all) {
  for (Contender const& c : all) {
    Contender const& other = beside(all, c);
    auto json = conditions("operators", {});
    json["workers"] = runtime.workers().size();
    json["kernel"] = name(c.options.kernel);
    json["outputs"] = names_of(c.options);
    json["periodic"] = name(c.options.periodicity);
    json["count"] = settings.particles.count;
    json["tolerance"] = c.options.tolerance;
    json["repeat"] = settings.repeat;
    json["cpu_seconds"] = c.least();
    json["beside"] = names_of(other.options);
    json["ratio"] = c.least() / other.least();
    if (settings.json) print_line(json);
    else
      print("%-14s %-38s %10.4g s  %5.2f times %s\n", std::string(name(c.options.kernel)).c_str(),
            names_of(c.options).c_str(), c.least(), c.least() / other.least(), names_of(other.options).c_str());
  }
}

}  // namespace

void bench_operators(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  for (KernelInfo const& kernel : kernel_list()) {
    if (settings.kernel && *settings.kernel != kernel.kernel) continue;
    auto all = contenders_of(runtime, settings, kernel);
    for (int round = 0; round <= settings.repeat; ++round)  // one to warm up
      for (Contender& c : all) c.run(round > 0);
    print_results(settings, runtime, all);
  }
}

}  // namespace nearfar::cli
