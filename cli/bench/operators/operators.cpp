// SPDX-License-Identifier: BSD-3-Clause
// What further outputs and other kernels cost: Ewald sums of each kernel with more and more outputs, and with the
// virial, beside the kernel's first output, and that beside the first output of the first kernel that has the same. All
// of a kernel take turns. CPU time counts, so that a busy machine does no harm; with GPUs the time of solves.
#include "cli/bench/bench.hpp"
#include "cli/bench/operators/sets.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

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
  std::vector<double> cpu{}, solves{};  ///< seconds: of all threads, and from submission to the last task

  Contender(Runtime const& runtime, EwaldOptions const& o, std::shared_ptr<Particles const> const& given)
      : options(o), particles(given), plan(runtime, o), points(plan.set_points(given->positions)),
        result(points.targets() * static_cast<std::size_t>(result_components(o.kernel, o.outputs))) {}

  void run(bool count) {
    double const before = cpu_seconds();
    auto solve = plan.submit(points, particles->strengths, result);
    solve.wait();
    if (!count) return;
    cpu.push_back(cpu_seconds() - before);
    solves.push_back(solve.report().seconds);
  }
};

/// Adds requests of one kernel: its sets of outputs, and the virial; or its first output alone.
void add_contenders(std::vector<Contender>& contenders, Runtime const& runtime, BenchSettings const& settings,
                    KernelInfo const& kernel, bool first_alone) {
  GenerateOptions of_kernel = settings.particles;
  of_kernel.kernel = kernel.kernel;
  of_kernel.box = settings.ewald.plan.box;
  Rows<double> rows{of_kernel};
  auto const particles =
      std::make_shared<Particles const>(Particles{std::move(rows.positions), std::move(rows.strengths)});
  EwaldOptions options = settings.ewald.plan;
  options.kernel = kernel.kernel;
  options.screening = screening_for(kernel.kernel, settings.ewald.plan.screening);
  for (Outputs const outputs : sets_of_outputs(kernel)) {
    options.outputs = outputs;
    contenders.emplace_back(runtime, options, particles);
    if (first_alone) return;
  }
  options.virial = !kernel.virial_outputs.empty();
  options.outputs = kernel.virial_outputs;
  if (options.virial) contenders.emplace_back(runtime, options, particles);
}

std::string names_of(EwaldOptions const& o) {
  std::string names;
  for (Output const output : list_of(o.outputs)) names.append(names.empty() ? "" : ",").append(name(output));
  return o.virial ? names + ",virial" : names;
}

/// What a request is compared with: without the virial, the first output of its kernel, or that of another one.
Contender const& beside(std::vector<Contender> const& all, Contender const& one) {
  Contender const* first = nullptr;
  for (Contender const& other : all) {
    if (other.options.kernel != one.options.kernel) continue;
    if (one.options.virial && other.options.outputs == one.options.outputs) return other;
    if (first == nullptr) first = &other;
  }
  return &one == first ? all.front() : *first;
}

void print_results(BenchSettings const& settings, Runtime const& runtime, std::vector<Contender> const& all) {
  bool const on_gpus = settings.runtime.gpus > 0;
  auto const seconds = [&](Contender const& c) { return median(on_gpus ? c.solves : c.cpu); };
  for (Contender const& c : all) {
    if (c.options.kernel != all.back().options.kernel) continue;
    Contender const& other = beside(all, c);
    double const ratio = seconds(c) / seconds(other);
    std::string const of_kernel(name(c.options.kernel)), of_other(name(other.options.kernel)),
        what = &c == &other ? "" : (of_other == of_kernel ? "" : of_other + ' ') + names_of(other.options);
    auto json = conditions("operators", {});
    json["workers"] = runtime.workers().size();
    json["gpus"] = settings.runtime.gpus;
    json["kernel"] = of_kernel;
    json["outputs"] = names_of(c.options);
    json["periodic"] = name(c.options.periodicity);
    json["count"] = settings.particles.count;
    json["tolerance"] = c.options.tolerance;
    json["repeat"] = settings.repeat;
    json["cpu_seconds"] = median(c.cpu);
    json["seconds"] = median(c.solves);
    json["beside"] = what;
    json["ratio"] = ratio;
    if (settings.json) print_line(json);
    else
      print("%-14s %-38s %10.4g s  %s\n", of_kernel.c_str(), names_of(c.options).c_str(), seconds(c),
            what.empty() ? "" : text("%5.2f times %s", ratio, what.c_str()).c_str());
  }
}

}  // namespace

void bench_operators(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  for (KernelInfo const& kernel : kernel_list()) {
    if (settings.kernel && *settings.kernel != kernel.kernel) continue;
    KernelInfo const& simplest = simplest_like(kernel);
    std::vector<Contender> all;
    if (simplest.kernel != kernel.kernel) add_contenders(all, runtime, settings, simplest, true);
    add_contenders(all, runtime, settings, kernel, false);
    for (int round = 0; round <= settings.repeat; ++round)  // one to warm up
      for (Contender& c : all) c.run(round > 0);
    print_results(settings, runtime, all);
  }
}

}  // namespace nearfar::cli
