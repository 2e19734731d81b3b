// SPDX-License-Identifier: BSD-3-Clause
// usage: 05_compare_schedulers [COUNT [ROUNDS]]
// The same solve under every scheduling profile. The rounds go through all profiles in turn, so that what else the
// machine does is shared by all. The bound is that of nearfar::SolveReport: no order of the same tasks could be faster.
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int solves_per_round = 5;

struct Problem {
  explicit Problem(std::size_t count) : x(3 * count), force(3 * count), u(3 * count) {
    std::mt19937 random(1);
    for (auto* values : {&x, &force})
      for (double& v : *values) v = random() / 4294967296.0;
  }
  std::vector<double> x, force, u;
};

/// Parameters that are chosen once: the plans of all profiles are to be the same.
nearfar::EwaldOptions choose(std::size_t count, bool& gpus) {
  nearfar::EwaldOptions options{.tolerance = 1e-6, .count = count};
  nearfar::Runtime const runtime;
  for (auto const& worker : runtime.workers()) gpus = gpus || worker.kind != "cpu";
  auto const p = nearfar::Ewald(runtime, options).parameters();
  options.cutoff = p.cutoff;
  options.grid = p.grid;
  options.window_points = p.window_points;
  return options;
}

/// The first solve warms up: memory is allocated, and schedulers that learn do.
void run(std::string const& scheduler, nearfar::EwaldOptions const& options, Problem& problem,
         std::vector<nearfar::SolveReport>& reports) {
  nearfar::Runtime const runtime({.scheduler = scheduler});
  nearfar::Ewald plan(runtime, options);
  auto const points = plan.set_points(problem.x);
  for (int i = 0; i <= solves_per_round; ++i) {
    auto report = plan.submit(points, problem.force, problem.u).report();
    if (i > 0) reports.push_back(std::move(report));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t const count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20000;
  int const rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  Problem problem(count);
  bool gpus = false;
  auto const options = choose(count, gpus);
  std::map<std::string, std::vector<nearfar::SolveReport>> reports;
  std::vector<double> first;
  bool same = true;
  for (int round = 0; round < rounds; ++round)
    for (auto const& profile : nearfar::scheduler_profiles()) {
      run(profile.name, options, problem, reports[profile.name]);
      if (first.empty()) first = problem.u;
      same = same && problem.u == first;
    }

  std::printf("%zu particles, %d solves under each scheduler; medians, and the least time\n", count,
              rounds * solves_per_round);
  std::printf("%-12s %10s %10s %11s %7s %8s %9s\n", "scheduler", "time", "least", "in tasks", "idle", "overlap",
              "of bound");
  for (auto& [name, list] : reports) {
    std::sort(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.seconds < b.seconds; });
    auto const& r = list[list.size() / 2];
    double work = 0;
    for (auto const& stage : r.stages) work += stage.seconds;
    std::printf("%-12s %8.2f ms %7.2f ms %8.2f ms %5.0f %% %6.0f %% %7.0f %%%s\n", name.c_str(), 1e3 * r.seconds,
                1e3 * list.front().seconds, 1e3 * work, 100 * r.idle_fraction, 100 * r.overlap_fraction,
                100 * r.bound_seconds / r.seconds, r.uncalibrated.empty() ? "" : "  (not calibrated)");
  }
  std::printf("results: %s\n", same   ? "the same bits under all"
                               : gpus ? "not the same bits: a GPU took part"
                                      : "DIFFERENT");
}
