// SPDX-License-Identifier: BSD-3-Clause
// Diffusing points: in every step they are set anew, moved, and solved for, one after the other, so that other load on
// the machine affects all three.
#include "cli/bench/bench.hpp"
#include "cli/bench/diffusion.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <sys/resource.h>

namespace nearfar::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double mean(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Times of one kind of call in every step, by the clock and in CPU time.
struct Times {
  std::vector<double> wall, cpu;

  template <class Call>
  void add(Call const& call) {
    auto const begin = Clock::now();
    double const before = cpu_seconds();
    call();
    wall.push_back(seconds_between(begin, Clock::now()));
    cpu.push_back(cpu_seconds() - before);
  }
};

struct Figures {
  Times set, move, solve;
  double sorted = 0, sorted_beside = 0;  ///< seconds of moving: all, and while a solve was in flight
  Measurement machine;
};

template <class T, class Plan, class Settings>
Figures figures_of(BenchSettings const& settings, Settings const& method) {
  Runtime const runtime{settings.runtime};
  auto const& options = method.plan;
  Rows<T> const rows{settings.particles};
  auto const& box = settings.particles.box;
  Diffusion<T> diffusion(box, static_cast<int>(options.periodicity),
                         settings.step_length * *std::ranges::max_element(box), settings.particles.seed + 1);
  Plan plan{runtime, options};
  using Points = decltype(plan.set_points(rows.positions));
  struct System {
    std::vector<T> x, result;
    std::optional<Points> points;
    Solve solve{};
  };
  auto const numbers = static_cast<std::size_t>(result_components(options.kernel, options.outputs));
  std::vector<System> systems(static_cast<std::size_t>(settings.systems));
  for (auto& s : systems) {
    s.x = rows.positions;
    s.result.resize(settings.particles.count * numbers);
    s.points = plan.set_points(s.x);
    plan.submit(*s.points, rows.strengths, s.result).wait();
  }
  Figures f;
  f.machine = measurement_on(runtime);
  for (int step = 0; step < settings.steps; ++step)
    for (auto& s : systems) {
      if (s.solve.state()) f.solve.wall.push_back(s.solve.report().seconds);
      diffusion.step(s.x);
      auto const in_flight = [&] {
        return std::ranges::any_of(systems, [](System const& o) { return o.solve.state() && !o.solve.ready(); });
      };
      f.set.add([&] { plan.set_points(s.x); });
      bool const beside = in_flight();
      f.move.add([&] { s.points = plan.move_points(*s.points, s.x); });
      f.sorted += f.move.wall.back();
      if (beside && in_flight()) f.sorted_beside += f.move.wall.back();
      double const before = cpu_seconds();
      s.solve = plan.submit(*s.points, rows.strengths, s.result);
      if (systems.size() > 1 && step + 1 < settings.steps) continue;
      f.solve.wall.push_back(s.solve.report().seconds);
      if (systems.size() == 1) f.solve.cpu.push_back(cpu_seconds() - before);
      s.solve = {};
    }
  return f;
}

Figures measure_steps(BenchSettings const& settings) {
  bool const single = settings.ewald.precision == Precision::single;
  if (settings.method == "fmm")
    return single ? figures_of<float, BasicFmm<float>>(settings, settings.fmm)
                  : figures_of<double, BasicFmm<double>>(settings, settings.fmm);
  return single ? figures_of<float, BasicEwald<float>>(settings, settings.ewald)
                : figures_of<double, BasicEwald<double>>(settings, settings.ewald);
}

template <class Plan>
nlohmann::ordered_json json_of(Figures const& f, BenchSettings const& settings, Plan const& plan) {
  auto json = conditions("steps", f.machine);
  json["method"] = settings.method;
  add_request(json, {plan.kernel, plan.outputs, plan.periodicity, name_of(settings.ewald.precision),
                     settings.particles.distribution, settings.particles.count});
  json["tolerance"] = plan.tolerance;
  json["steps"] = settings.steps;
  json["step"] = settings.step_length;
  json["systems"] = settings.systems;
  double const solve = median(f.solve.wall);
  json["set_seconds"] = median(f.set.wall);
  json["move_seconds"] = median(f.move.wall);
  json["move_mean_seconds"] = mean(f.move.wall);  // includes steps that needed a new tree
  json["solve_seconds"] = solve;
  json["set_share"] = median(f.set.wall) / solve;
  json["move_share"] = median(f.move.wall) / solve;
  json["set_cpu_seconds"] = median(f.set.cpu);
  json["move_cpu_seconds"] = median(f.move.cpu);
  if (!f.solve.cpu.empty()) json["solve_cpu_seconds"] = median(f.solve.cpu);
  json["sorted_beside"] = f.sorted_beside / f.sorted;
  return json;
}

void print_table(Figures const& f, BenchSettings const& settings) {
  double const solve = median(f.solve.wall);
  print("%s, %zu particles (%s), %d steps of up to %.2g of the box, %s (%s)\n", settings.method.c_str(),
        settings.particles.count, name_of(settings.particles.distribution), settings.steps, settings.step_length,
        counted(f.machine.workers, "worker").c_str(), f.machine.scheduler.c_str());
  auto const row = [&](char const* what, Times const& t) {
    print("%-12s %11.4g s %8.1f %% of the solve %11.4g CPU s\n", what, median(t.wall), 100 * median(t.wall) / solve,
          median(t.cpu));
  };
  row("set_points", f.set);
  row("move_points", f.move);
  print("%-12s %11.4g s\n", "solve", solve);
  print("%.0f %% of the time of move_points had a solve in flight\n", 100 * f.sorted_beside / f.sorted);
}

}  // namespace

void bench_steps(BenchSettings settings) {
  if (settings.method.empty()) settings.method = "ewald";
  if (settings.method != "ewald" && settings.method != "fmm")
    throw Error{Fault::bad_input, "'" + settings.method + "' is no method whose points move here; take ewald or fmm"};
  if (!(settings.step_length > 0 && settings.step_length <= 0.5))
    throw Error{Fault::bad_input, "--step is " + digits(settings.step_length) +
                                      " (steps are parts of the box, and walls turn points back once); give a number "
                                      "above 0, at most 0.5"};
  bool const fmm = settings.method == "fmm";
  if (fmm) settle_box(settings.fmm);
  auto const& box = fmm ? settings.fmm.plan.box : settings.ewald.plan.box;
  settings.particles.kernel = fmm ? settings.fmm.plan.kernel : settings.ewald.plan.kernel;
  if (std::ranges::count(box, 0) == 0) settings.particles.box = box;
  if (fmm) expect_outputs(settings.fmm.plan.kernel, settings.fmm.plan.outputs);
  else expect_outputs(settings.ewald.plan.kernel, settings.ewald.plan.outputs);
  auto const figures = measure_steps(settings);
  if (!settings.json) return print_table(figures, settings);
  print_line(fmm ? json_of(figures, settings, settings.fmm.plan) : json_of(figures, settings, settings.ewald.plan));
}

}  // namespace nearfar::cli
