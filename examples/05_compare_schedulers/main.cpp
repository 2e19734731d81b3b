// SPDX-License-Identifier: BSD-3-Clause
// usage: 05_compare_schedulers [COUNT [ROUNDS [PROFILE...]]]
// The same solve under every scheduling profile, or the named ones. Each round runs all profiles in turn, so that other
// load on the machine affects all alike. "beside" is the median over the rounds of a profile's time divided by that of
// the first profile. The bound is that of nearfar::SolveReport: no schedule of the same tasks could be faster.
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

/// Parameters are chosen once, so that the plans of all profiles are the same.
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

struct Profile {
  std::string name;
  std::vector<nearfar::SolveReport> reports;
  std::vector<double> rounds;  // seconds: median of the solves of a round
};

template <class Values>
auto median(Values values, auto projection) {
  std::sort(values.begin(), values.end(), [&](auto const& a, auto const& b) { return projection(a) < projection(b); });
  return values[values.size() / 2];
}

/// The first solve is a warm-up: it allocates memory, and lets schedulers learn.
void run(Profile& profile, nearfar::EwaldOptions const& options, Problem& problem) {
  nearfar::Runtime const runtime({.scheduler = profile.name});
  nearfar::Ewald plan(runtime, options);
  auto const points = plan.set_points(problem.x);
  std::vector<double> seconds;
  for (int i = 0; i <= solves_per_round; ++i) {
    auto report = plan.submit(points, problem.force, problem.u).report();
    if (i == 0) continue;
    seconds.push_back(report.seconds);
    profile.reports.push_back(std::move(report));
  }
  profile.rounds.push_back(median(seconds, [](double t) { return t; }));
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t const count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20000;
  int const rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  Problem problem(count);
  bool gpus = false;
  auto const options = choose(count, gpus);
  std::vector<Profile> profiles;
  for (int i = 3; i < argc; ++i) profiles.push_back({argv[i], {}, {}});
  if (argc <= 3)
    for (auto const& profile : nearfar::scheduler_profiles()) profiles.push_back({profile.name, {}, {}});
  std::vector<double> first;
  bool same = true;
  for (int round = 0; round < rounds; ++round)
    for (Profile& profile : profiles) {
      run(profile, options, problem);
      if (first.empty()) first = problem.u;
      same = same && problem.u == first;
    }

  std::printf("%zu particles, %d solves under each scheduler; medians, and the least time\n", count,
              rounds * solves_per_round);
  std::printf("%-12s %10s %10s %11s %7s %8s %9s  beside %s\n", "scheduler", "time", "least", "in tasks", "idle",
              "overlap", "of bound", profiles.front().name.c_str());
  for (Profile const& profile : profiles) {
    auto const seconds = [](nearfar::SolveReport const& r) { return r.seconds; };
    auto const r = median(profile.reports, seconds);
    double work = 0;
    for (auto const& stage : r.stages) work += stage.seconds;
    std::vector<double> beside;
    for (std::size_t i = 0; i < profile.rounds.size(); ++i)
      beside.push_back(profile.rounds[i] / profiles.front().rounds[i]);
    std::printf("%-12s %8.2f ms %7.2f ms %8.2f ms %5.0f %% %6.0f %% %7.0f %%  %.3f%s\n", profile.name.c_str(),
                1e3 * r.seconds, 1e3 * std::ranges::min(profile.reports, {}, seconds).seconds, 1e3 * work,
                100 * r.idle_fraction, 100 * r.overlap_fraction, 100 * r.bound_seconds / r.seconds,
                median(beside, [](double x) { return x; }), r.uncalibrated.empty() ? "" : "  (not calibrated)");
  }
  std::printf("results: %s\n", same   ? "the same bits under all"
                               : gpus ? "not the same bits: a GPU took part"
                                      : "DIFFERENT");
}
