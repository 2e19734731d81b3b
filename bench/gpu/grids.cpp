// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on grids, and steps of a particle-in-cell loop, with the caller's arrays in the memory of the GPU.
#include "bench/gpu/cases.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

namespace nearfar::bench {

namespace {

/// The test problem: a Gaussian charge in the middle of the unit box; density and potential as in fmm.md, Sec. 5.6.
constexpr double width = 0.05;
double distance(int n, std::size_t i, std::size_t j, std::size_t k) {
  auto const at = [&](std::size_t c) { return (double(c) + 0.5) / n - 0.5; };
  return std::sqrt(at(i) * at(i) + at(j) * at(j) + at(k) * at(k));
}
double density_at(double r) {
  double const normal = width * std::sqrt(2 * std::numbers::pi);
  return std::exp(-r * r / (2 * width * width)) / (normal * normal * normal);
}
double potential_at(double r) {
  return std::erf(r / (std::numbers::sqrt2 * width)) / (4 * std::numbers::pi * r);  // even grids have no cell at 0
}

/// Relative l2 error over every 97th cell.
template <class T>
double error_of(std::vector<T> const& potential, int n) {
  double error = 0, norm = 0;
  auto const edge = std::size_t(n);
  for (std::size_t c = 0; c < potential.size(); c += 97) {
    double const exact = potential_at(distance(n, c / edge / edge, c / edge % edge, c % edge));
    error += (double(potential[c]) - exact) * (double(potential[c]) - exact);
    norm += exact * exact;
  }
  return std::sqrt(error / norm);
}

template <class T>
void poisson_row(Runtime const& runtime, int n, double goal, Checks& checks) {
  std::size_t const edge = std::size_t(n), cells = edge * edge * edge, free_before = free_memory();
  std::vector<T> host(cells);
  for (std::size_t c = 0; c < cells; ++c)
    host[c] = T(density_at(distance(n, c / edge / edge, c / edge % edge, c % edge)));
  DeviceArray<T> const density{std::span<T const>(host)}, potential(cells);
  BasicPoisson<T> plan(runtime, {.grid = {n, n, n}});
  double const green = plan.green_report().seconds;
  Timing const timing = time_solves([&] { return plan.submit(density.span(), potential.span()); }, 5, 1);
  potential.download(host);
  double const error = error_of(host, n), bytes = double(free_before - free_memory());
  char goal_text[32] = "";
  if (goal > 0) std::snprintf(goal_text, sizeof goal_text, "%.0f", 1e3 * goal);
  std::printf("| %d | %s | %.2f | %s | %.2f | %.2f | %.0f | %.1e | %d |\n", n, sizeof(T) == 8 ? "double" : "single",
              1e3 * timing.seconds(), goal_text, 1e3 * green, 1e-9 * bytes, bytes / double(cells), error,
              timing.median().tasks);
  checks.expect(plan.parameters().on_gpus, "a Poisson solve of " + std::to_string(n) + " cubed is not on the GPU");
  checks.expect(error < (sizeof(T) == 8 ? 1e-12 : 1e-5), "a Poisson solve's error is " + std::to_string(error));
}

void pic_row(Runtime const& runtime, std::size_t particles, int n) {
  Particles<double> const uniform(particles, 3);
  std::vector<double> positions(uniform.x), velocities(uniform.f), charges(particles, -1562.5 / double(particles));
  for (double& x : positions) x = 5 + 10 * x;
  Pic loop(runtime,
           {.grid = {n, n, n},
            .box = {20, 20, 20},
            .time_step = 0.0048828125,
            .charge_per_mass = -1,
            .external = {.magnetic = {0, 0, 5}}},
           positions, velocities, charges);
  constexpr int steps = 20;
  Timing const timing = time_solves([&] { return loop.advance(steps); }, 3, 1);
  std::printf("| %zu | %d | %.3f | %.0f |\n", particles, n, 1e3 * timing.seconds() / steps,
              1e-6 * double(particles) * steps / timing.seconds());
}

}  // namespace

void print_grids(Settings const& settings, Checks& checks) {
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  std::printf(
      "## Poisson's equation\n\nFree space, method vico-dct, a Gaussian charge; density and potential on the device. "
      "Memory: all that is gone of the device's, with both arrays.\n\n"
      "| grid | precision | ms, a solve | goal | ms, Green's function | GB | bytes a cell | relative l2 error | tasks "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  poisson_row<double>(runtime, 128, 0, checks);
  poisson_row<double>(runtime, 256, 0, checks);
  poisson_row<float>(runtime, 256, 0, checks);
  if (!settings.quick) poisson_row<float>(runtime, 512, 0, checks);
  poisson_row<double>(runtime, 512, 0.030, checks);
  std::printf(
      "\n## Particles in cells\n\nSteps of a bunch in a magnetic field: push, scatter, solve, gather.\n\n"
      "| particles | grid | ms a step | million particles/s |\n|---|---|---|---|\n");
  pic_row(runtime, 1000000, 64);
  if (!settings.quick) pic_row(runtime, 10000000, 128);
  std::printf("\n");
}

}  // namespace nearfar::bench
