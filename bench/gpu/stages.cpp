// SPDX-License-Identifier: BSD-3-Clause
// Every stage alone: its time in solves whose tasks run one after the other, and lower bounds from its operations and
// from the bytes that it must move.
#include "bench/gpu/cases.hpp"
#include "core/kernels/description/description.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>

namespace nearfar::bench {

namespace {

/// Bytes of each stage, if everything is read and written once. Transforms go along two directions and along the
/// columns, each forward and inverse.
using Bytes = std::map<std::string, double>;

Bytes bytes_of(EwaldCase const& c, EwaldPlanning const& p) {
  KernelDescription const& kernel = describe(c.kernel, c.outputs);
  double const n = double(c.points), in = c.in(), out = c.out(), modes = double(p.grid[0]) * p.grid[1] * p.grid[2],
               spread = kernel.forward, gathered = kernel.inverse, word = sizeof(double);
  return {{"largest", word * n * in},
          {"bin", n * (word * (2 * in + 6 + in) + 4)},
          {"p2g", word * (n * (3 + in) + spread * modes)},
          {"fft", word * 4 * spread * modes},
          {"scale", word * 2 * (spread + gathered) * modes},
          {"ifft", word * 4 * gathered * modes},
          {"g2p", word * (n * (3 + out) + gathered * modes)},
          {"p2p", word * n * (6 + in + out)},
          {"moment", word * n * 9},
          {"merge", n * (word * 3 * out + 4)}};
}

template <class T>
Bytes bytes_of(FmmCase const& c, FmmPlanning const& p) {
  double const n = double(c.points), in = c.in(), out = c.out(), word = sizeof(T),
               rhs = describe(c.kernel, c.outputs).rhs,
               boxes = word * rhs * (p.order + 1) * (p.order + 1) * double(p.boxes);
  return {{"largest", word * n * in},
          {"bin", n * (word * 2 * in + 4)},
          {"p2m", word * n * (3 + in) + boxes},
          {"m2m", boxes},
          {"m2l", 2 * boxes + 12 * double(p.translations)},
          {"l2l", boxes},
          {"l2p", word * n * (3 + out) + boxes},
          {"leaf_p2p", word * n * (6 + in + out)},
          {"merge", n * (word * 3 * out + 4)}};
}

/// `flops`: what the GPU can do in a second, in the precision of a stage.
void print_table(Timing const& timing, Bytes const& bytes, std::function<double(std::string const&)> const& flops,
                 double bytes_per_second, std::function<std::string(StageTime const&)> const& rate) {
  std::printf("| stage | tasks | ms | Gflop | floor by flops, ms | by bytes, ms | time by floor | rate |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  double all = 0, floors = 0;
  for (StageTime const& stage : timing.median().stages) {
    auto const found = bytes.find(stage.stage);
    double const by_flops = stage.flops / flops(stage.stage),
                 by_bytes = found == bytes.end() ? 0 : found->second / bytes_per_second,
                 floor = std::max(by_flops, by_bytes);
    all += stage.seconds;
    floors += floor;
    std::printf("| %s | %d | %.3f | %.2f | %.3f | %.3f | %.1f | %s |\n", stage.stage.c_str(), stage.tasks,
                1e3 * stage.seconds, 1e-9 * stage.flops, 1e3 * by_flops, 1e3 * by_bytes,
                floor > 0 ? stage.seconds / floor : 0, rate(stage).c_str());
  }
  std::printf("| all | %d | %.3f | | | %.3f | %.1f | from submit to end %.3f ms |\n\n", timing.median().tasks,
              1e3 * all, 1e3 * floors, all / floors, 1e3 * timing.seconds());
}

std::string giga(double amount, double seconds, char const* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g G %s/s", 1e-9 * amount / seconds, unit);
  return text;
}

void ewald(Settings const& settings, Runtime const& runtime, EwaldCase const& c) {
  Ewald plan(runtime, c.options());
  Particles<double> const particles(c.points, c.in());
  auto const points = plan.set_points(particles.x);
  DeviceArray<double> const strengths{std::span<double const>(particles.f)};
  DeviceArray<double> const result(c.points * std::size_t(c.out()));
  auto const timing = time_solves([&] { return plan.submit(points, strengths.span(), result.span()); });
  auto const p = plan.parameters();
  double const n = double(c.points), neighbours = n * 4 / 3 * std::numbers::pi * std::pow(p.cutoff, 3),
               spread = describe(c.kernel, c.outputs).forward, gathered = describe(c.kernel, c.outputs).inverse;
  std::printf("### Ewald, %s, %zu points, %.0e: grid %d, window %d, %.0f neighbours%s\n\n",
              title(c.kernel, c.outputs).c_str(), c.points, c.tolerance, p.grid[0], p.window_points, neighbours,
              p.on_gpus ? "" : " (NOT all on the GPU)");
  auto const flops = [&](std::string const& stage) {
    return stage == "p2p" && p.near_in_single ? settings.peaks.single_flops : settings.peaks.double_flops;
  };
  print_table(timing, bytes_of(c, p), flops, settings.peaks.bytes, [&](StageTime const& s) -> std::string {
    if (s.stage == "p2p") return giga(n * neighbours, s.seconds, "pairs");
    if (s.stage == "p2g") return giga(n * spread, s.seconds, "components");
    if (s.stage == "g2p") return giga(n * gathered, s.seconds, "components");
    return "";
  });
}

template <class T>
void fmm(Settings const& settings, Runtime const& runtime, FmmCase const& c) {
  BasicFmm<T> plan(runtime, c.options());
  Particles<T> const particles(c.points, c.in());
  auto const points = plan.set_points(particles.x);
  DeviceArray<T> const strengths{std::span<T const>(particles.f)};
  DeviceArray<T> const result(c.points * std::size_t(c.out()));
  auto const timing = time_solves([&] { return plan.submit(points, strengths.span(), result.span()); });
  auto const p = points.parameters();
  std::printf("### Multipoles, %s, %s, %s, %zu points, %.0e: order %d, depth %d, %zu blocks%s\n\n",
              title(c.kernel, c.outputs).c_str(), std::string(name(c.periodicity)).c_str(),
              c.single ? "single" : "double", c.points, c.tolerance, p.order, p.depth, p.blocks,
              p.on_gpus ? "" : " (NOT all on the GPU)");
  auto const flops = [&](std::string const& stage) {
    bool const single = c.single || (stage == "leaf_p2p" && p.near_in_single);
    return single ? settings.peaks.single_flops : settings.peaks.double_flops;
  };
  print_table(timing, bytes_of<T>(c, p), flops, settings.peaks.bytes, [&](StageTime const& s) -> std::string {
    if (s.stage == "leaf_p2p") return giga(double(p.pairs), s.seconds, "pairs");
    if (s.stage == "m2l") return giga(double(p.translations), s.seconds, "translations");
    return "";
  });
}

}  // namespace

void print_stages(Settings const& settings) {
  std::printf("## Stages\n\nTasks one after the other (STARPU_CUDA_PIPELINE=0), arrays in the memory of the GPU.\n\n");
  setenv("STARPU_CUDA_PIPELINE", "0", 1);
  {
    Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
    using enum Kernel;
    auto const xyz = Periodicity::xyz;
    std::size_t const large = settings.quick ? 1000000 : 4000000;
    if (settings.ewald) {
      ewald(settings, runtime, {stokes, {}, xyz, large, 1e-6});
      if (!settings.quick) ewald(settings, runtime, {stokes, {}, xyz, large, 1e-9});
      ewald(settings, runtime, {stokeslet, {}, xyz, 1000000, 1e-6});
      ewald(settings, runtime, {laplace, Output::potential | Output::gradient, xyz, large, 1e-6});
    }
    if (settings.multipoles) {
      FmmCase const charges{.kernel = laplace,
                            .outputs = Output::potential | Output::gradient,
                            .single = false,
                            .points = 1000000,
                            .tolerance = 1e-6};
      FmmCase periodic = charges;
      periodic.periodicity = xyz;
      fmm<double>(settings, runtime, charges);
      fmm<double>(settings, runtime, periodic);
      fmm<float>(settings, runtime, {laplace, Output::potential | Output::gradient, true, large, 1e-3});
      if (!settings.quick) fmm<double>(settings, runtime, {stokes, {}, false, 1000000, 1e-6});
    }
  }
  unsetenv("STARPU_CUDA_PIPELINE");
}

void print_translations(Settings const& settings) {
  std::printf("## Translations\n\nM2L of a tree of depth 5, a million charges with gradient.\n\n");
  std::printf("| order | precision | M2L, ms | Gflop | Gflop/s | of the peak |\n|---|---|---|---|---|---|\n");
  setenv("STARPU_CUDA_PIPELINE", "0", 1);
  {
    Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
    auto const one = [&]<class T>(T, int order) {
      FmmCase const c{.kernel = Kernel::laplace,
                      .outputs = Output::potential | Output::gradient,
                      .single = sizeof(T) == 4,
                      .points = 1000000,
                      .tolerance = 1e-3,
                      .order = order,
                      .depth = 5};
      BasicFmm<T> plan(runtime, c.options());
      Particles<T> const particles(c.points, 1);
      auto const points = plan.set_points(particles.x);
      DeviceArray<T> const strengths{std::span<T const>(particles.f)}, result(4 * c.points);
      auto const timing = time_solves([&] { return plan.submit(points, strengths.span(), result.span()); }, 3, 1);
      for (StageTime const& s : timing.median().stages)
        if (s.stage == "m2l")
          std::printf(
              "| %d | %s | %.3f | %.1f | %.0f | %.1f %% |\n", order, c.single ? "single" : "double", 1e3 * s.seconds,
              1e-9 * s.flops, 1e-9 * s.flops / s.seconds,
              100 * s.flops / s.seconds / (c.single ? settings.peaks.single_flops : settings.peaks.double_flops));
    };
    for (int order : {4, 8, 12}) {
      one(double(), order);
      one(float(), order);
    }
  }
  unsetenv("STARPU_CUDA_PIPELINE");
  std::printf("\n");
}

}  // namespace nearfar::bench
