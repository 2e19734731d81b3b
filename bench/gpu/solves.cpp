// SPDX-License-Identifier: BSD-3-Clause
// Whole solves, with strengths and results in the memory of the GPU and in that of the host.
#include "bench/gpu/cases.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace nearfar::bench {

namespace {

struct Times {
  Timing device, host;
  double set_points = 0;  ///< from the device
  bool equal = false;     ///< whether device and host give the same bits
  bool on_gpus = false;   ///< whether all stages run on GPUs
  std::string plan;
  std::size_t count = 0;
};

/// `run(points, strengths, result)` submits.
template <class T, class Plan>
Times time_both(Plan& plan, std::size_t count, int in, int out, int repeat) {
  Particles<T> const particles(count, in);
  Times times;
  DeviceArray<T> const x{std::span<T const>(particles.x)};
  plan.set_points(x.span());
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    plan.set_points(x.span());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + repeat / 2, seconds.end());
  times.set_points = seconds[std::size_t(repeat / 2)];
  auto const points = plan.set_points(particles.x);
  DeviceArray<T> const strengths{std::span<T const>(particles.f)}, result(count * std::size_t(out));
  std::vector<T> u(count * std::size_t(out)), there(u.size());
  times.device = time_solves([&] { return plan.submit(points, strengths.span(), result.span()); }, repeat);
  times.host =
      time_solves([&] { return plan.submit(points, std::span<T const>(particles.f), std::span<T>(u)); }, repeat);
  result.download(there);
  times.equal = u == there;
  times.count = count;
  return times;
}

template <class T>
Times time_ewald(Runtime const& runtime, EwaldCase const& c, int repeat = 5) {
  BasicEwald<T> plan(runtime, c.options());
  Times times = time_both<T>(plan, c.points, c.in(), c.out(), repeat);
  auto const p = plan.parameters();
  times.on_gpus = p.on_gpus;
  times.plan = "grid " + std::to_string(p.grid[0]) + ", window " + std::to_string(p.window_points);
  return times;
}

template <class T>
Times time_fmm(Runtime const& runtime, FmmCase const& c, int repeat = 5) {
  BasicFmm<T> plan(runtime, c.options());
  Times times = time_both<T>(plan, c.points, c.in(), c.out(), repeat);
  auto const p = plan.parameters();
  times.on_gpus = p.on_gpus;
  times.plan = "order " + std::to_string(p.order) + ", depth " + std::to_string(p.depth);
  return times;
}

void print_row(std::string const& what, Periodicity periodicity, bool single, double tolerance, double goal,
               Times const& t, Checks& checks) {
  SolveReport const& report = t.device.median();
  char goal_text[32] = "";
  if (goal > 0) std::snprintf(goal_text, sizeof goal_text, "%.0f", 1e3 * goal);
  std::printf("| %s | %s | %s | %zu | %.0e | %.2f | %s | %.2f | %.0f | %.3f | %d | %.2f | %s%s |\n", what.c_str(),
              std::string(name(periodicity)).c_str(), single ? "single" : "double", t.count, tolerance,
              1e3 * t.device.seconds(), goal_text, 1e3 * t.host.seconds(), 1e-6 * double(t.count) / t.device.seconds(),
              1e3 * report.submit_seconds, report.tasks, 1e3 * t.set_points, t.plan.c_str(),
              t.on_gpus ? "" : ", not all on the GPU");
  checks.expect(t.equal, what + ": results on the device and on the host differ");
}

constexpr char const* head =
    "| what | periodic | precision | points | tolerance | ms, on the device | goal | ms, on the host | million "
    "points/s "
    "| submit, ms | tasks | set points, ms | plan |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";

}  // namespace

void print_solves(Settings const& settings, Checks& checks) {
  std::printf(
      "## Whole solves\n\nMedian of five, from submit to the end of the last task; points are set before, from the "
      "device.\n\n%s",
      head);
  Runtime const runtime({.scheduler = "overlap", .gpus = 1});
  using enum Kernel;
  using enum Periodicity;
  std::vector<EwaldCase> ewald{{stokes, {}, xyz, 4000000, 1e-6, 0.050},
                               {stokes, {}, xyz, 4000000, 1e-9, 0.090},
                               {stokes, {}, x, 4000000, 2e-6, 0.070},
                               {stokeslet, {}, xyz, 1000000, 1e-6, 0.012},
                               {laplace, Output::potential | Output::gradient, xyz, 4000000, 1e-6, 0.025},
                               {stokeslet, {}, xyz, 1000000, 1e-9},
                               {stokeslet, {}, none, 1000000, 1e-6},
                               {stresslet, {}, xyz, 1000000, 1e-6}};
  if (settings.quick) ewald.resize(5);
  if (!settings.ewald) ewald.clear();
  for (EwaldCase const& c : ewald) {
    Times const t = time_ewald<double>(runtime, c, settings.quick ? 3 : 5);
    print_row(title(c.kernel, c.outputs), c.periodicity, false, c.tolerance, c.goal, t, checks);
    checks.expect(t.device.median().tasks <= 40, "an Ewald solve has " + std::to_string(t.device.median().tasks) +
                                                     " tasks on one GPU (at most 40 are wanted)");
    checks.expect(t.device.median().submit_seconds < 2e-3, "an Ewald solve takes 2 ms to submit, or more");
  }
  std::vector<FmmCase> fmm{{laplace, Output::potential | Output::gradient, false, 1000000, 1e-6, 0.012},
                           {laplace, Output::potential | Output::gradient, true, 4000000, 1e-3, 0.0267},
                           {.kernel = laplace,
                            .outputs = Output::potential | Output::gradient,
                            .single = false,
                            .points = 1000000,
                            .tolerance = 1e-6,
                            .periodicity = xyz},
                           {laplace, Output::potential | Output::gradient, false, 4000000, 1e-6},
                           {laplace, Output::potential | Output::gradient, false, 1000000, 1e-9},
                           {stokes, {}, false, 1000000, 1e-6}};
  if (settings.quick) fmm.resize(3);
  if (!settings.multipoles) fmm.clear();
  for (FmmCase const& c : fmm)
    print_row("multipoles, " + title(c.kernel, c.outputs), c.periodicity, c.single, c.tolerance, c.goal,
              c.single ? time_fmm<float>(runtime, c, settings.quick ? 3 : 5)
                       : time_fmm<double>(runtime, c, settings.quick ? 3 : 5),
              checks);
  std::printf("\n");
}

void print_small(Checks& checks) {
  std::printf(
      "## Small solves\n\nPotential and gradient of charges, to 1e-6, in single precision to 1e-3; milliseconds, "
      "medians of 50: captured, of that the submission and the task, kernel by kernel (NEARFAR_CAPTURE=0), and "
      "captured "
      "with arrays on the host.\n\n"
      "| method | points | precision | captured | submission | task | kernel by kernel | on the host |\n"
      "|---|---|---|---|---|---|---|---|\n");
  constexpr int repeat = 50;
  Runtime const runtime({.scheduler = "overlap", .gpus = 1});
  Outputs const field = Output::potential | Output::gradient;
  auto const row = [&](char const* method, char const* precision, auto const& time) {
    Times const captured = time();
    setenv("NEARFAR_CAPTURE", "0", 1);
    Times const plain = time();
    unsetenv("NEARFAR_CAPTURE");
    SolveReport const& report = captured.device.median();
    std::printf("| %s | %zu | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", method, captured.count, precision,
                1e3 * report.seconds, 1e3 * report.submit_seconds, 1e3 * report.stages[0].seconds,
                1e3 * plain.device.seconds(), 1e3 * captured.host.seconds());
    checks.expect(captured.equal, std::string(method) + ": results on the device and on the host differ");
  };
  for (std::size_t const count : {10000, 30000, 100000, 300000}) {
    row("Ewald", "double", [&] {
      return time_ewald<double>(runtime, {Kernel::laplace, field, Periodicity::xyz, count, 1e-6}, repeat);
    });
    row("Ewald", "single", [&] {
      return time_ewald<float>(runtime, {Kernel::laplace, field, Periodicity::xyz, count, 1e-3}, repeat);
    });
    row("multipoles", "double", [&] {
      return time_fmm<double>(runtime, {Kernel::laplace, field, false, count, 1e-6}, repeat);
    });
    row("multipoles", "single", [&] {
      return time_fmm<float>(runtime, {Kernel::laplace, field, true, count, 1e-3}, repeat);
    });
  }
  std::printf("\n");
}

void print_growth(Settings const& settings, Checks& checks) {
  std::printf("## Growth with the number of points\n\nTolerance 1e-6; points are set before, from the device.\n\n");
  std::printf(
      "| method | kernel | points | ms, on the device | ns a point | ms, on the host | set points, ms |\n"
      "|---|---|---|---|---|---|---|\n");
  Runtime const runtime({.scheduler = "overlap", .gpus = 1});
  using enum Kernel;
  std::vector<std::size_t> counts{10000, 30000, 100000, 300000, 1000000, 4000000, 16000000};
  if (settings.quick) counts = {10000, 100000, 1000000};
  auto const row = [&](char const* method, std::string const& kernel, Times const& t) {
    std::printf("| %s | %s | %zu | %.3f | %.2f | %.3f | %.2f |\n", method, kernel.c_str(), t.count,
                1e3 * t.device.seconds(), 1e9 * t.device.seconds() / double(t.count), 1e3 * t.host.seconds(),
                1e3 * t.set_points);
    checks.expect(t.equal, std::string(method) + ": results on the device and on the host differ");
  };
  for (std::size_t count : counts) {
    row("Ewald", "laplace, gradient",
        time_ewald<double>(runtime, {laplace, Output::potential | Output::gradient, Periodicity::xyz, count, 1e-6}, 3));
    row("Ewald", "stokeslet", time_ewald<double>(runtime, {stokeslet, {}, Periodicity::xyz, count, 1e-6}, 3));
    row("multipoles", "laplace, gradient",
        time_fmm<double>(runtime, {laplace, Output::potential | Output::gradient, false, count, 1e-6}, 3));
  }
  std::printf("\n");
}

}  // namespace nearfar::bench
