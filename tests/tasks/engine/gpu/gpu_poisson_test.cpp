// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on the GPU: the stages against the portable bodies, and whole solves against CPUs.
#include "codelets/spectral/fft/fft.hpp"
#include "codelets/spectral/fft/plans.hpp"
#include "codelets/spectral/green/cosine.hpp"
#include "codelets/spectral/green/green.hpp"
#include "tests/codelets/spectral/pad_cases.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class T>
struct Found {
  std::vector<T> potential, field;
  bool on_gpus = false;
};

/// Two solves in flight, which must agree to the bit.
template <class T>
Found<T> solve(int gpus, PoissonOptions const& options) {
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus});
  BasicPoisson<T> plan(runtime, options);
  auto const density = random_cells<T>(plan.cells());
  Found<T> found[2];
  std::vector<Solve> solves;
  for (auto& f : found) {
    f.potential.resize(density.size());
    f.field.resize(options.field ? 3 * density.size() : 0);
    solves.push_back(plan.submit(density, f.potential, f.field));
  }
  for (auto& s : solves) s.wait();
  CHECK(found[0].potential == found[1].potential);
  CHECK(found[0].field == found[1].field);
  found[0].on_gpus = plan.parameters().on_gpus;
  return found[0];
}

template <class T>
void check_solve(PoissonOptions const& options, double tolerance) {
  auto const cpu = solve<T>(0, options), gpu = solve<T>(1, options);
  CHECK(!cpu.on_gpus);
  CHECK(gpu.on_gpus);
  CHECK(relative_difference(gpu.potential, cpu.potential) < tolerance);
  if (options.field) CHECK(relative_difference(gpu.field, cpu.field) < tolerance);
}

}  // namespace

TEST_CASE("pad and restrict: the GPU against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  for (auto const& options : pad_cases()) {
    check_pad<double>(options, run_on_device<Pad<double>>, run_on_device<Restrict<double>>);
    check_pad<float>(options, run_on_device<Pad<float>>, run_on_device<Restrict<float>>);
  }
}

#if defined(NEARFAR_WITH_GPU_FFT)
namespace {

/// CUDA's and HIP's own functions J_0 and J_1, of which kernels are made that are cut in two directions, have absolute
/// errors of up to 3e-11.
double green_tolerance(int open) { return open == 2 ? 1e-12 : 1e-13; }

void check_green(GreenFunction const& green) {
  prepare_cosine_plans(green);
  int const samples = green.axis[0].samples(), modes = green.axis[0].modes();
  std::int64_t const plane = green_plane(green);
  auto shared = shared_terms(green);
  std::vector<double> work(std::size_t(green_scratch(green))), planes[2];
  std::vector<float> tables[2];
  for (int which : {0, 1}) {
    planes[which].assign(std::size_t(samples * plane), std::nan(""));
    tables[which].assign(std::size_t(modes * plane), 0.0f);
    LocalBuffers of_planes, of_columns;
    of_planes.access().add(shared).access().add(work).access().add(planes[which]);
    of_columns.access().add(planes[0]).access().add(work).access().add(tables[which]);
    GreenPlanesArgs const all{green, 0, samples};
    GreenColumnsArgs const some{green, 16, plane - 16, 0.5};
    if (which == 0) {
      GreenPlanes::portable(of_planes.view(), all);
      GreenColumns<float>::portable(of_columns.view(), some);
    } else {
      run_on_device<GreenPlanes>(of_planes.view(), all);
      run_on_device<GreenColumns<float>>(of_columns.view(), some);
    }
  }
  CHECK(relative_difference(planes[1], planes[0]) < green_tolerance(green.open()));
  CHECK(relative_difference(tables[1], tables[0]) < 1e-6);
}

}  // namespace

TEST_CASE("green stages: the GPU against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  std::array<int, 3> const grid{9, 12, 21};
  std::array<double, 3> const box{0.9, 1.3, 1.7};
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (auto const& periodic :
         {std::array{false, false, false}, std::array{false, false, true}, std::array{true, false, false},
          std::array{false, true, true}, std::array{true, true, true}})
      check_green(make_green_function(method, HockneyGreen::cell_average, grid, box, periodic));
  check_green(make_green_function(PoissonMethod::hockney, HockneyGreen::integrated, grid, box, {}));
}

TEST_CASE("poisson: whole solves on a GPU are those of CPUs") {
  if (no_gpu()) return;
  PoissonOptions o{.grid = {40, 36, 45}, .box = {1, 1.5, 0.8}, .field = true};
  for (int mask = 0; mask < 8; ++mask) {
    CAPTURE(mask);
    o.periodic = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
    check_solve<double>(o, green_tolerance(o.periodic[0] + o.periodic[1] + o.periodic[2] == 1 ? 2 : 3));
  }
  check_solve<float>({.grid = {40, 36, 45}, .field = true}, 1e-5);
  check_solve<double>({.method = PoissonMethod::hockney, .grid = {36, 40, 32}, .conductor = BoxFace::y_high}, 1e-13);
  // Averages over cells are differences of large numbers.
  check_solve<double>({.method = PoissonMethod::hockney, .grid = {36, 40, 32}, .green = HockneyGreen::integrated},
                      1e-12);
  check_solve<double>({.method = PoissonMethod::hockney, .grid = {36, 40, 32}, .periodic = {false, true, false}},
                      green_tolerance(2));
  // Several parts of planes and of columns.
  check_solve<double>({.grid = {130, 110, 150}, .field = true}, 1e-13);
}

TEST_CASE("poisson: arrays in the memory of the GPU, and another spacing while a solve runs") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Poisson plan(runtime, {.grid = {48, 40, 36}, .field = true});
  auto const density = random_cells<double>(plan.cells());
  std::size_t const cells = plan.cells();
  std::vector<double> potential(cells), field(3 * cells), wider(cells), unused(3 * cells);
  auto first = plan.submit(density, potential, field);
  plan.set_spacing({0.1, 0.1, 0.1});
  plan.submit(density, wider, unused).wait();
  first.wait();
  Poisson other(runtime, {.grid = {48, 40, 36}, .box = {4.8, 4, 3.6}});
  std::vector<double> expected(cells);
  other.submit(density, expected).wait();
  CHECK(relative_difference(wider, expected) < 1e-13);
  CHECK(relative_difference(potential, expected) > 0.1);

  plan.set_spacing({1.0 / 48, 1.0 / 40, 1.0 / 36});
  DeviceMemory memory(sizeof(double) * 5 * cells);
  memory.upload(0, density.data(), sizeof(double) * cells);
  auto* const there = reinterpret_cast<double*>(memory.data());
  plan.submit(std::span<double const>(there, cells), {there + cells, cells}, {there + 2 * cells, 3 * cells}).wait();
  std::vector<double> back(4 * cells), host(potential);
  host.insert(host.end(), field.begin(), field.end());
  memory.download(sizeof(double) * cells, back.data(), sizeof(double) * back.size());
  CHECK(relative_difference(back, host) < 1e-13);
}

TEST_CASE("poisson: a density that is no number is found on the GPU, with its cell") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 1, .gpus = 1});
  Poisson plan(runtime, {.grid = {40, 36, 45}});
  auto density = random_cells<double>(plan.cells());
  std::vector<double> potential(plan.cells());
  density[(3 * 36 + 5) * 45 + 7] = std::nan("");
  CHECK_THROWS_WITH_AS(plan.submit(density, potential).wait(), doctest::Contains("in cell (3, 5, 7)"), Error);
  density[(3 * 36 + 5) * 45 + 7] = 0;
  plan.submit(density, potential).wait();
  CHECK(std::isfinite(potential[11]));
}

// scripts/gpu runs it by name.
TEST_CASE("time of whole Poisson solves, density and potential in the memory of the GPU" * doctest::skip()) {
  Runtime const runtime({.scheduler = "overlap", .gpus = 1});
  std::printf("%8s %10s %12s %12s | seconds by stage\n", "cells", "seconds", "bytes/cell", "green, s");
  for (int n : {64, 128, 256, 512}) {
    Poisson plan(runtime, {.grid = {n, n, n}});
    auto const parameters = plan.parameters();
    CHECK(parameters.on_gpus);
    std::size_t const cells = plan.cells();
    double const green = plan.green_report().seconds;
    DeviceMemory memory(sizeof(double) * 2 * cells);
    auto const density = random_cells<double>(cells);
    memory.upload(0, density.data(), sizeof(double) * cells);
    auto* const there = reinterpret_cast<double*>(memory.data());
    std::vector<double> seconds;
    SolveReport report;
    for (int i = 0; i < 12; ++i) {
      report = plan.submit(std::span<double const>(there, cells), {there + cells, cells}).report();
      if (i > 1) seconds.push_back(report.seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("%6d^3 %10.5f %12.1f %12.3f |", n, seconds[seconds.size() / 2],
                double(parameters.bytes) / double(cells) + 16, green);
    for (auto const& stage : report.stages) std::printf(" %s %.5f", stage.stage.c_str(), stage.seconds);
    std::printf("\n");
  }
}
#endif
