// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/schedulers/calibrate.hpp"

#include "cli/bench/operators/sets.hpp"
#include "cli/io/generate.hpp"
#include "cli/progress.hpp"

#include <nearfar/fmm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace nearfar::cli {

char const* name_of(Method method) noexcept { return method == Method::ewald ? "ewald" : "fmm"; }

namespace {

struct Sum {
  Method method;
  Kernel kernel;
  Outputs outputs{};
  Periodicity periodicity;
};

std::vector<Sum> sums(CalibrationSettings const& settings) {
  std::vector<Sum> all;
  for (Method method : {Method::ewald, Method::fmm})
    for (KernelInfo const& kernel : kernel_list()) {
      if (settings.kernel && kernel.kernel != *settings.kernel) continue;
      auto const periodicity = method == Method::ewald ? settings.plan.periodicity : Periodicity::none;
      for (Outputs const outputs : sets_of_outputs(kernel))
        if (method == Method::ewald || kernel.fmm_outputs.has_all(outputs))
          all.push_back({method, kernel.kernel, outputs, periodicity});
    }
  return all;
}

/// Numbers of particles up to the largest, half a decade apart.
std::vector<std::size_t> sizes(std::size_t largest) {
  std::vector<std::size_t> all;
  for (double n = static_cast<double>(largest); n >= 1000; n /= std::sqrt(10.0))
    all.push_back(static_cast<std::size_t>(std::lround(n)));
  if (all.empty()) all.push_back(largest);
  std::ranges::reverse(all);
  return all;
}

/// Solves of this size: fewer of large ones, which have many tasks; StarPU trusts a size after ten measurements.
int repeats(CalibrationSettings const& settings, std::size_t count) {
  constexpr double many = 1e4;
  double const share = std::min(1.0, std::sqrt(many / static_cast<double>(count)));
  return std::max(3, static_cast<int>(std::lround(settings.repeat * share)));
}

/// Reports of `repeat` solves, after one to warm up.
template <class T, class Plan, class Options>
std::vector<SolveReport> solves_by(Options options, CalibrationSettings const& settings, Runtime const& runtime,
                                   Sum sum, std::size_t count, int repeat) {
  options.kernel = sum.kernel;
  options.outputs = sum.outputs;
  options.periodicity = sum.periodicity;
  options.count = count;
  constexpr double finest_in_single = 1e-5;
  if (sizeof(T) == sizeof(float)) options.tolerance = std::max(options.tolerance, finest_in_single);
  Plan plan{runtime, options};
  auto const table = generate({.count = count, .seed = settings.seed, .kernel = sum.kernel, .box = settings.plan.box});
  std::vector<T> positions, strengths;
  for (std::size_t i = 0; i < table.values.size(); ++i)
    (i % table.names.size() < 3 ? positions : strengths).push_back(static_cast<T>(table.values[i]));
  auto const points = plan.set_points(positions);
  std::vector<T> result(count * static_cast<std::size_t>(result_components(sum.kernel, sum.outputs)));
  std::vector<SolveReport> reports;
  for (int i = 0; i <= repeat; ++i) {
    auto report = plan.submit(points, strengths, result).report();
    if (i > 0) reports.push_back(std::move(report));
  }
  return reports;
}

template <class T>
std::vector<SolveReport> solves(CalibrationSettings const& settings, Runtime const& runtime, Sum sum, std::size_t count,
                                int repeat) {
  if (sum.method == Method::ewald) {
    EwaldOptions options = settings.plan;
    options.screening = screening_for(sum.kernel, options.screening);
    return solves_by<T, BasicEwald<T>>(options, settings, runtime, sum, count, repeat);
  }
  FmmOptions const options{.tolerance = settings.plan.tolerance};
  return solves_by<T, BasicFmm<T>>(options, settings, runtime, sum, count, repeat);
}

CalibrationCheck check(CalibrationSettings const& settings, Runtime const& runtime, Sum sum, std::size_t count) {
  auto reports = solves<double>(settings, runtime, sum, count, 3);
  std::ranges::sort(reports, {}, &SolveReport::seconds);
  auto const& median = reports[reports.size() / 2];
  CalibrationCheck result{.method = sum.method,
                          .kernel = sum.kernel,
                          .outputs = sum.outputs,
                          .periodicity = sum.periodicity,
                          .count = count,
                          .seconds = median.seconds,
                          .predicted = median.predicted_seconds,
                          .work = 0,
                          .expected = 0,
                          .uncalibrated = median.uncalibrated};
  for (auto const& stage : median.stages) {
    result.work += stage.seconds;
    result.expected += stage.expected_seconds;
  }
  return result;
}

/// Checks a tenth and a half of the largest problem; of the half also Ewald sums with the other periodicities.
std::vector<CalibrationCheck> checks(CalibrationSettings const& settings, Runtime const& runtime, Progress& progress) {
  std::vector<CalibrationCheck> all;
  auto const add = [&](Sum sum, std::size_t divisor) {
    progress.step("checking " + std::string(name_of(sum.method)) + ", " + std::string(name(sum.kernel)) +
                  ", periodic: " + std::string(name(sum.periodicity)));
    all.push_back(check(settings, runtime, sum, std::max<std::size_t>(1, settings.count / divisor)));
  };
  for (auto sum : sums(settings)) {
    add(sum, 10);
    add(sum, 2);
    if (sum.method != Method::ewald) continue;
    for (auto periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x, Periodicity::none}) {
      if (periodicity == settings.plan.periodicity) continue;
      sum.periodicity = periodicity;
      add(sum, 2);
    }
  }
  return all;
}

}  // namespace

double CalibrationCheck::deviation() const noexcept {
  return predicted > 0 && seconds > 0 ? std::max(predicted / seconds, seconds / predicted) - 1 : 0;
}

std::vector<CalibrationCheck> calibrate(CalibrationSettings const& settings) {
  auto runtime_options = settings.runtime;
  if (runtime_options.scheduler.empty()) runtime_options.scheduler = "dmdas";  // tries whatever it has not measured
  Progress progress{false};
  setenv("STARPU_CALIBRATE", "2", 1);  // measure again: with other numbers of workers, times differ
  {
    Runtime const runtime{runtime_options};
    for (auto const sum : sums(settings))
      for (auto const count : sizes(settings.count)) {
        progress.step("measuring " + std::string(name_of(sum.method)) + ", " + std::string(name(sum.kernel)) + ", " +
                      std::to_string(count) + " particles");
        solves<double>(settings, runtime, sum, count, repeats(settings, count));
        solves<float>(settings, runtime, sum, count, repeats(settings, count));
      }
  }
  // StarPU has written its models, and only reads them when it starts.
  unsetenv("STARPU_CALIBRATE");
  Runtime const runtime{runtime_options};
  auto const found = checks(settings, runtime, progress);
  progress.end();
  return found;
}

}  // namespace nearfar::cli
