// SPDX-License-Identifier: BSD-3-Clause
// Multipole solves of which a GPU runs every stage, with the caller's arrays on the host and there.
#include "tests/codelets/blocked_set.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/direct.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace nearfar;
using namespace nearfar::test;

namespace {

constexpr std::size_t count = 20000;

Problem<double> inside_box(int components) {
  Problem<double> p(count, components);
  for (double& x : p.x) x = (x + 0.1) / 1.2;
  return p;
}

/// An array on the device, beside others.
template <class T>
std::span<T> put(DeviceMemory& memory, std::size_t at, std::vector<T> const& numbers) {
  memory.upload(at, numbers.data(), sizeof(T) * numbers.size());
  return {reinterpret_cast<T*>(memory.data() + at), numbers.size()};
}

}  // namespace

TEST_CASE("multipole solves run on the GPU alone; arrays of the host and of the GPU give the same bits") {
  if (DeviceMemory::devices() == 0) return;  // another test case says that it is skipped
  for (FmmOptions const& options : {FmmOptions{.outputs = Output::potential | Output::gradient, .tolerance = 1e-6},
                                    FmmOptions{.kernel = Kernel::rotlet, .tolerance = 1e-5},
                                    FmmOptions{.kernel = Kernel::stokes, .tolerance = 1e-4, .depth = 8, .capacity = 30},
                                    FmmOptions{.outputs = Output::potential | Output::gradient,
                                    .periodicity = Periodicity::xyz,
                                    .box = {1, 1, 1},
                                    .tolerance = 1e-6}}) {
    CAPTURE(name(options.kernel));
    // With few CPU workers, and with enough to copy what travels.
    Runtime const runtime({.scheduler = "overlap", .cpus = options.depth > 0 ? 2 : 9, .gpus = 1});
    Fmm plan(runtime, options);
    auto const p = inside_box(strength_components(options.kernel));
    std::vector<double> host(count * std::size_t(result_components(options.kernel, options.outputs))), there(host);
    auto const points = plan.set_points(p.x);
    CHECK(points.parameters().on_gpus);
    auto const report = plan.submit(points, p.f, host).report();
    CHECK(report.sampled_error < options.tolerance);
    DeviceMemory memory(sizeof(double) * (p.x.size() + p.f.size() + host.size()) + 1024);
    std::size_t const f_at = (sizeof(double) * p.x.size() + 255) / 256 * 256, u_at = f_at + sizeof(double) * p.f.size();
    auto const x = put(memory, 0, p.x), f = put(memory, f_at, p.f);
    auto const u = put(memory, u_at, there);
    auto const points_there = plan.set_points(std::span<double const>(x));
    auto const both = {plan.set_points(p.x), points_there};
    for (auto const& each : both) {
      plan.submit(each, std::span<double const>(f), u).wait();
      memory.download(u_at, there.data(), sizeof(double) * there.size());
      CHECK(host == there);
    }
  }
}

TEST_CASE(
    "a multipole solve on one GPU has at most 42 tasks, two of them the energy, which are submitted within two "
    "milliseconds") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 8, .gpus = 1});
  for (auto const& [options, points_given] :
       {std::pair{FmmOptions{.outputs = Output::potential | Output::gradient, .tolerance = 1e-6}, 1000000},
        {FmmOptions{.kernel = Kernel::stokes, .tolerance = 1e-4}, 500000},
        {FmmOptions{.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-6}, 300000}}) {
    CAPTURE(name(options.kernel));
    Problem<double> p(std::size_t(points_given), strength_components(options.kernel));
    for (double& x : p.x) x = (x + 0.1) / 1.2;
    Fmm plan(runtime, options);
    auto const points = plan.set_points(p.x);
    std::vector<double> u(std::size_t(points_given) * std::size_t(result_components(options.kernel, options.outputs)));
    DeviceMemory memory(sizeof(double) * (p.f.size() + u.size()));
    auto const f = put(memory, 0, p.f), there = put(memory, sizeof(double) * p.f.size(), u);
    auto const check = [&](std::span<double const> strengths, std::span<double> result) {
      SolveReport report;
      double least = 1;
      for (int i = 0; i < 5; ++i) {
        report = plan.submit(points, strengths, result).report();
        least = std::min(least, report.submit_seconds);
      }
      CHECK(report.tasks <= 42);
      CHECK(least < 2e-3);
    };
    check(std::span<double const>(f), there);
    check(p.f, u);
  }
}

TEST_CASE("softened charges on the GPU: as the direct sum, moved, and reviewed, all stages there") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  auto const check = [&]<class T>(T tolerance) {
    CAPTURE(tolerance);
    auto p = inside_box(1);
    std::vector<T> x(p.x.begin(), p.x.end()), q(p.f.begin(), p.f.end()), u(4 * count);
    double const softening = tolerance < 1e-5 ? 1e-4 : 2e-3;
    BasicFmm<T> plan(runtime, {.outputs = Output::potential | Output::gradient,
                               .tolerance = tolerance,
                               .capacity = 100,
                               .softening = softening});
    auto points = plan.set_points(x);
    for (int step = 0; step < 3; ++step) {
      REQUIRE(points.parameters().on_gpus);
      auto const report = plan.submit(points, q, u).report();
      std::vector<double> const place(x.begin(), x.end()), charge(q.begin(), q.end());
      std::vector<double> exact(4 * count);
      direct(runtime, Kernel::laplace, Output::potential | Output::gradient, place, place, charge, exact, {}, softening)
          .wait();
      double wrong[2] = {}, all[2] = {};
      for (std::size_t i = 0; i < exact.size(); ++i) {
        wrong[i % 4 > 0] += std::pow(double(u[i]) - exact[i], 2);
        all[i % 4 > 0] += exact[i] * exact[i];
      }
      CHECK(std::sqrt(wrong[0] / all[0]) < tolerance);
      CHECK(std::sqrt(wrong[1] / all[1]) < tolerance);
      CHECK(report.sampled_error < tolerance);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += T(1e-4) * T(i % 7);
      points = plan.move_points(points, x);
    }
  };
  check(1e-6);
  check(1e-3f);
}

TEST_CASE("a charged cell in vacuum is found on the GPU, and the next solve is well") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Fmm plan(runtime,
           {.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-4, .boundary = Boundary::vacuum});
  auto p = inside_box(1);
  double sum = 0;
  for (double f : p.f) sum += f;
  auto const points = plan.set_points(p.x);
  std::vector<double> u(count);
  p.f[7] += 3.5 - sum;
  CHECK_THROWS_WITH_AS(plan.submit(points, p.f, u).wait(), doctest::Contains("add up to 3.5"), Error);
  p.f[7] -= 3.5;
  plan.submit(points, p.f, u).wait();
  CHECK(std::isfinite(u[5]));
}
