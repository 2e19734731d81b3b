// SPDX-License-Identifier: BSD-3-Clause
// Whole solves by Ewald summation on the GPU, against CPUs.
#include "tasks/particles/staged_rows.hpp"
#include "tests/codelets/spectral/grid_cases.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/runtime.hpp>

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class T>
std::vector<T> whole_solve(int gpus, EwaldOptions const& options, EwaldPlanning& parameters, bool twice = false) {
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus});
  BasicEwald<T> plan(runtime, options);
  Problem<T> p(20000, strength_components(options.kernel));
  for (T& x : p.x) x = T(0.7) * (x + T(0.1));  // inside, where a direction does not repeat
  auto const points = plan.set_points(p.x);
  std::vector<T> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs))), v(u.size());
  auto first = plan.submit(points, std::span<T const>(p.f), std::span<T>(u));
  if (twice) {
    auto second = plan.submit(points, std::span<T const>(p.f), std::span<T>(v));
    second.wait();
    first.wait();
    CHECK(u == v);  // two in flight, and the same bits
  }
  first.wait();
  parameters = plan.parameters();
  return u;
}

/// With the same parameters, whatever a GPU would make of the plan. Its cells are others, from whose faces the grid is
/// counted too, so that each has its own errors within the tolerance.
template <class T>
void check_whole(EwaldOptions options) {
  EwaldPlanning parameters;
  auto const cpu = whole_solve<T>(0, options, parameters);
  options.split_parameter = parameters.split_parameter;
  options.grid = parameters.grid;
  options.window_points = parameters.window_points;
  auto const gpu = whole_solve<T>(1, options, parameters, true);
  CHECK(parameters.on_gpus);
  Difference difference;
  for (std::size_t i = 0; i < cpu.size(); ++i) difference.add(double(gpu[i]), double(cpu[i]));
  CHECK(difference.relative() < 2 * options.tolerance);
}

}  // namespace

TEST_CASE("whole solves on a GPU by each implementation are those of CPUs, and it is told that it ran") {
  if (no_gpu()) return;
  Problem<double> const p(20000, 9);  // fewer run on CPUs
  for (Implementation const implementation : implementations()) {
    if (implementation == Implementation::any || !suits_gpus(implementation)) continue;
    CAPTURE(name(implementation));
    EwaldOptions options{.kernel = Kernel::stokes, .box = {1, 1.2, 0.9}, .tolerance = 1e-11, .cutoff = 0.2};
    options.implementation = implementation;
    std::vector<double> u[2];
    std::string ran;
    for (int const gpus : {0, 1}) {
      Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus});
      Ewald plan(runtime, options);
      auto const points = plan.set_points(p.x);
      options.split_parameter = plan.parameters().split_parameter;
      options.grid = plan.parameters().grid;
      options.window_points = plan.parameters().window_points;
      auto& result = u[gpus];
      result.resize(p.x.size());
      auto solve = plan.submit(points, p.f, result);
      for (auto const& use : implementations_used(solve))
        if (use.worker != "cpu") ran += use.implementation + ";";
    }
    CHECK((ran.find(name(implementation)) != ran.npos || implementation == Implementation::tuned));
    Difference difference;
    for (std::size_t i = 0; i < u[0].size(); ++i) difference.add(u[1][i], u[0][i]);
    CHECK(difference.relative() < 2 * options.tolerance);
  }
}

TEST_CASE("whole solves on a GPU are those of CPUs") {
  if (no_gpu()) return;
  struct Case {
    Kernel kernel;
    Outputs outputs;
    Periodicity periodicity;
  };
  for (auto const& c : {Case{Kernel::stokeslet, {}, Periodicity::xyz}, Case{Kernel::stresslet, {}, Periodicity::xyz},
                        Case{Kernel::stokes, {}, Periodicity::xyz}, Case{Kernel::rotlet, {}, Periodicity::xy},
                        Case{Kernel::rotlet, {}, Periodicity::none},
                        Case{Kernel::laplace, Output::potential | Output::gradient, Periodicity::xyz},
                        Case{Kernel::laplace, {}, Periodicity::xy}, Case{Kernel::stokes, {}, Periodicity::x},
                        Case{Kernel::stokeslet, {}, Periodicity::none}, Case{Kernel::stokes, {}, Periodicity::none},
                        Case{Kernel::stokes, {}, Periodicity::xy}}) {
    CAPTURE(name(c.kernel));
    EwaldOptions options{.kernel = c.kernel,
                         .outputs = c.outputs,
                         .periodicity = c.periodicity,
                         .box = {1, 1.2, 0.9},
                         .tolerance = 1e-11,
                         .cutoff = 0.2};
    check_whole<double>(options);
    if (c.periodicity == Periodicity::none) options.influence = Influence::table;
    check_whole<double>(options);
    options.tolerance = 1e-6;
    options.near_precision = NearPrecision::single;
    check_whole<double>(options);
    options.tolerance = 1e-5;
    options.far_precision = FarPrecision::single;
    check_whole<double>(options);
    check_whole<float>(options);
  }
}

TEST_CASE("strengths and results in the memory of the GPU are those of the host, to the bit") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Ewald plan(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-5});
  Problem<double> const p(20000, 9);
  auto const points = plan.set_points(p.x);
  std::vector<double> host(3 * points.targets()), there(host.size());
  plan.submit(points, p.f, host).wait();
  DeviceMemory memory(sizeof(double) * (p.f.size() + host.size()));
  memory.upload(0, p.f.data(), sizeof(double) * p.f.size());
  std::size_t const result = sizeof(double) * p.f.size();
  plan.submit(points, std::span(reinterpret_cast<double const*>(memory.data()), p.f.size()),
              std::span(reinterpret_cast<double*>(memory.data() + result), there.size()))
      .wait();
  memory.download(result, there.data(), sizeof(double) * there.size());
  CHECK(host == there);
}

TEST_CASE(
    "what CPU workers sort for a GPU, and bring from it, are the same bits, and so is a plan's order of targets") {
  if (no_gpu()) return;
  Problem<double> const p(1200000, 1), at(30000, 1);
  for (bool same : {true, false}) {
    std::vector<double> results[2];
    for (int cpus : {2, 9}) {
      Runtime const runtime({.scheduler = "overlap", .cpus = cpus, .gpus = 1});
      detail::StagedRows<double>::least_bytes = 0;
      CHECK(detail::StagedRows<double>::pay(1) == (cpus == 9));
      Ewald plan(runtime, {.kernel = Kernel::laplace,
                           .outputs = Output::potential | Output::gradient,
                           .box = {1.2, 1.2, 1.2},
                           .tolerance = 1e-3});
      auto const points = same ? plan.set_points(p.x) : plan.set_points(p.x, at.x);
      auto& u = results[cpus == 9];
      u.resize(4 * points.targets());
      Solve solves[2];
      std::vector<double> other(u.size());
      solves[0] = plan.submit(points, p.f, u);
      solves[1] = plan.submit(points, p.f, other);
      for (auto& solve : solves) CHECK(solve.report().tasks <= 40);
      CHECK(u == other);
    }
    CHECK(results[0] == results[1]);
  }
}

// scripts/gpu runs it by name.
TEST_CASE("time of whole solves, strengths and results in the memory of the GPU" * doctest::skip()) {
  struct Case {
    std::size_t points;
    EwaldOptions options;
  };
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  std::printf("%-11s %8s %7s %6s | %9s %6s %6s | seconds, submit, tasks\n", "kernel", "points", "periods", "error",
              "cutoff", "grid", "window");
  for (auto const& c :
       {Case{4000000, {.kernel = Kernel::stokes, .tolerance = 1e-6}},
        Case{4000000, {.kernel = Kernel::stokes, .tolerance = 1e-9}},
        Case{4000000, {.kernel = Kernel::stokes, .periodicity = Periodicity::x, .tolerance = 2e-6}},
        Case{1000000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}},
        Case{4000000, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-6}},
        Case{100000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}},
        Case{10000, {.kernel = Kernel::stokeslet, .tolerance = 1e-6}}}) {
    Ewald plan(runtime, c.options);
    int const in = strength_components(c.options.kernel), out = result_components(c.options.kernel, c.options.outputs);
    Problem<double> p(c.points, in);
    for (double& x : p.x) x = (x + 0.1) / 1.2;
    auto const points = plan.set_points(p.x);
    DeviceMemory memory(sizeof(double) * c.points * std::size_t(in + out));
    memory.upload(0, p.f.data(), sizeof(double) * p.f.size());
    std::span const strengths(reinterpret_cast<double const*>(memory.data()), p.f.size());
    std::span const result(reinterpret_cast<double*>(memory.data()) + p.f.size(), c.points * std::size_t(out));
    std::vector<double> seconds;
    SolveReport report;
    for (int i = 0; i < 8; ++i) {
      report = plan.submit(points, strengths, result).report();
      if (i > 1) seconds.push_back(report.seconds);
    }
    std::sort(seconds.begin(), seconds.end());
    auto const q = plan.parameters();
    std::printf("%-11s %8zu %7s %6.0e | %9.4f %6d %6d | %.5f %.5f %d\n", std::string(name(c.options.kernel)).c_str(),
                c.points, std::string(name(c.options.periodicity)).c_str(), c.options.tolerance, q.cutoff, q.grid[0],
                q.window_points, seconds[seconds.size() / 2], report.submit_seconds, report.tasks);
    for (auto const& stage : report.stages) std::printf("  %s %.5f", stage.stage.c_str(), stage.seconds);
    std::printf("\n");
  }
}

TEST_CASE("a strength that is no number is found on the GPU") {
  if (no_gpu()) return;
  for (int cpus : {1, 9}) {  // by the caller's rows, and by copies of them
    Runtime const runtime({.scheduler = "overlap", .cpus = cpus, .gpus = 1});
    Ewald plan(runtime, {.box = {1, 1.2, 0.9}, .tolerance = 1e-4});
    Problem<double> p(20000, 3);
    auto const points = plan.set_points(p.x);
    std::vector<double> u(3 * points.targets());
    auto bad = p.f;
    bad[3 * 777 + 1] = std::nan("");
    CHECK_THROWS_WITH_AS(plan.submit(points, bad, u).wait(), doctest::Contains("strength 1 of source 777"), Error);
    bad = p.f;
    for (double& f : bad) f *= 1e307;
    CHECK_THROWS_WITH_AS(plan.submit(points, bad, u).wait(), doctest::Contains("precision ends at"), Error);
    plan.submit(points, p.f, u).wait();
    CHECK(std::isfinite(u[5]));
  }
}
