// SPDX-License-Identifier: BSD-3-Clause
// Schedulers side by side. Other load on the machine changes by the minute, so all profiles take turns, and what counts
// is the time of each relative to the first profile in the same round.
#include "cli/bench/bench.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/standard_output.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace nearfar::cli {

namespace {

/// So few points that the stages of a solve have about one task per worker and leave gaps, which P2P has to fill.
constexpr std::size_t overlap_points_per_cpu = 6250;

/// A solve to repeat. All calls choose the same plan, since the machine is measured once, whatever the scheduler.
struct Benchmark {
  std::string name;
  std::size_t count;
  std::function<Measurement(Runtime const&)> run;
};

/// What one profile took, round by round.
struct Figures {
  std::string profile;
  Measurement last;
  std::vector<double> rounds{};  ///< seconds: medians of the solves of a round
  double idle = 0;               ///< in the last round
};

/// Quantile of a sorted copy; `share` 0.5 is the median.
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  double const place = share * double(values.size() - 1);
  auto const below = static_cast<std::size_t>(place), above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - double(below)) * (values[above] - values[below]);
}

std::vector<double> beside(Figures const& one, Figures const& first) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < one.rounds.size(); ++i) ratios.push_back(one.rounds[i] / first.rounds[i]);
  return ratios;
}

template <class Plan, class PlanOptions>
Benchmark benchmark(std::string name, GenerateOptions const& particles, PlanOptions const& plan_options, int repeat) {
  struct State {
    Rows<double> rows;
    std::vector<double> result;
    PlanOptions options;
  };
  std::size_t const results =
      particles.count * std::size_t(result_components(plan_options.kernel, plan_options.outputs));
  auto const state =
      std::make_shared<State>(State{Rows<double>(particles), std::vector<double>(results), plan_options});
  return {std::move(name), particles.count, [state, repeat](Runtime const& runtime) {
            State& s = *state;
            Plan plan(runtime, s.options);
            auto points = plan.set_points(s.rows.positions);
            return measure(runtime, repeat, [&] { return plan.submit(points, s.rows.strengths, s.result); });
          }};
}

std::size_t workers_of(Runtime const& runtime, bool cpu) {
  auto const workers = runtime.workers();
  return std::size_t(std::ranges::count_if(workers, [&](Worker const& w) { return (w.kind == "cpu") == cpu; }));
}

std::vector<Benchmark> benchmarks(BenchSettings const& settings, std::size_t cpus) {
  auto const& ewald = settings.ewald.plan;
  auto const& fmm = settings.fmm.plan;
  auto particles = settings.particles;
  particles.kernel = ewald.kernel;
  particles.box = ewald.box;
  int const repeat = settings.repeat;
  std::vector<Benchmark> all{benchmark<Ewald>("ewald", particles, ewald, repeat)};
  particles.count = overlap_points_per_cpu * cpus;
  all.push_back(benchmark<Ewald>("overlap", particles, ewald, repeat));
  particles.count = settings.particles.count;
  particles.kernel = fmm.kernel;
  if (std::ranges::count(fmm.box, 0) == 0) particles.box = fmm.box;
  all.push_back(benchmark<Fmm>("fmm", particles, fmm, repeat));
  return all;
}

void print_json(BenchSettings const& settings, Benchmark const& b, Figures const& f, Figures const& first) {
  auto json = conditions(settings.what, f.last);
  json["benchmark"] = b.name;
  json["precision"] = "double";
  json["count"] = b.count;
  json["rounds"] = f.rounds.size();
  json["repeat"] = settings.repeat;
  json["seconds"] = {{"minimum", std::ranges::min(f.rounds)}, {"median", quantile(f.rounds, 0.5)}};
  json["idle_fraction"] = f.idle;
  auto const ratios = beside(f, first);
  json["beside"] = {{"profile", first.profile},
                    {"median", quantile(ratios, 0.5)},
                    {"lower_quartile", quantile(ratios, 0.25)},
                    {"upper_quartile", quantile(ratios, 0.75)}};
  print_line(json);
}

void print_table(BenchSettings const& settings, Benchmark const& b, std::vector<Figures> const& all) {
  print("%s, %zu particles, %zu rounds of %d solves\n", b.name.c_str(), b.count, all.front().rounds.size(),
        settings.repeat);
  print("  %-12s %10s %10s %6s   beside %s (half of the rounds)\n", "scheduler", "median", "least", "idle",
        all.front().profile.c_str());
  for (Figures const& f : all) {
    auto const ratios = beside(f, all.front());
    print("  %-12s %7.2f ms %7.2f ms %4.0f %%   %.3f (%.3f to %.3f)\n", f.profile.c_str(),
          1e3 * quantile(f.rounds, 0.5), 1e3 * std::ranges::min(f.rounds), 100 * f.idle, quantile(ratios, 0.5),
          quantile(ratios, 0.25), quantile(ratios, 0.75));
  }
}

}  // namespace

void bench_schedulers(BenchSettings settings) {
  if (!settings.runtime.scheduler.empty())
    throw Error{Fault::bad_input,
                "--scheduler names one profile (schedulers are measured side by side); name them with --profiles"};
  expect_outputs(settings.ewald.plan.kernel, settings.ewald.plan.outputs);
  settle_box(settings.fmm);
  if (settings.fmm.plan.kernel == Kernel::laplace) settings.fmm.plan.outputs = Output::potential | Output::gradient;
  auto profiles = settings.profiles;
  std::vector<Benchmark> all;
  {
    settings.runtime.scheduler = profiles.empty() ? "overlap" : profiles.front();
    Runtime const runtime(settings.runtime);
    all = benchmarks(settings, workers_of(runtime, true));
    if (profiles.empty()) profiles = {"overlap", "prio", "lws", "heteroprio"};
    if (settings.profiles.empty() && workers_of(runtime, false) > 0) profiles.push_back("dmdas");
  }
  std::vector<std::vector<Figures>> figures(all.size());
  for (auto& of_benchmark : figures)
    for (auto const& profile : profiles) of_benchmark.push_back({profile, {}});
  for (int round = 0; round < settings.rounds; ++round)
    for (std::size_t turn = 0; turn < profiles.size(); ++turn) {
      // Alternating order: no profile always runs after the same one.
      std::size_t const i = round % 2 == 0 ? turn : profiles.size() - 1 - turn;
      settings.runtime.scheduler = profiles[i];
      Runtime const runtime(settings.runtime);
      for (std::size_t b = 0; b < all.size(); ++b) {
        Figures& f = figures[b][i];
        f.last = all[b].run(runtime);
        f.rounds.push_back(f.last.median().seconds);
        f.idle = f.last.median().idle_fraction;
      }
    }
  for (std::size_t b = 0; b < all.size(); ++b) {
    if (!settings.json) print_table(settings, all[b], figures[b]);
    else
      for (Figures const& f : figures[b]) print_json(settings, all[b], f, figures[b].front());
  }
}

}  // namespace nearfar::cli
