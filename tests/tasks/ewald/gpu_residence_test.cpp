// SPDX-License-Identifier: BSD-3-Clause
// Arrays that stay in the memory of a GPU: what a solve copies, in what order it runs with the caller's own work there,
// and what happens where that memory is too small for all of a solve's data.
#include "codelets/near/check/check_rows.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <starpu.h>
#include <starpu_profiling.h>
#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Strengths and results of a problem in the memory of the GPU.
struct OnDevice {
  std::vector<double> const& f;
  std::size_t results;
  mutable DeviceMemory memory;

  OnDevice(std::vector<double> const& strengths, std::size_t numbers)
      : f(strengths), results(numbers), memory(sizeof(double) * (2 * strengths.size() + numbers)) {
    memory.upload(0, f.data(), sizeof(double) * f.size());
  }
  double* at(std::size_t number) const { return reinterpret_cast<double*>(memory.data()) + number; }
  std::span<double const> strengths() const { return {at(0), f.size()}; }
  std::span<double> result() const { return {at(f.size()), results}; }
  double* spare() const { return at(f.size() + results); }  ///< room for as many strengths
  std::vector<double> download() const {
    std::vector<double> u(results);
    memory.download(sizeof(double) * f.size(), u.data(), sizeof(double) * results);
    return u;
  }
};

/// Bytes that StarPU has moved between memories since the last call.
std::size_t moved_bytes() {
  std::size_t all = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info{};
    starpu_bus_get_profiling_info(bus, &info);
    all += std::size_t(info.transferred_bytes);
  }
  return all;
}

double seconds_of(auto const& call) {
  auto const begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("a solve on one GPU moves nothing but the caller's own arrays of the host") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Problem<double> const p(50000, 9);
  for (double tolerance : {1e-4, 1e-6}) {
    CAPTURE(tolerance);
    Ewald plan(runtime, {.kernel = Kernel::stokes, .box = {1.2, 1.2, 1.2}, .tolerance = tolerance});
    auto const points = plan.set_points(p.x);
    OnDevice const there(p.f, 3 * points.targets());
    auto const solve = [&] { plan.submit(points, there.strengths(), there.result()).wait(); };
    for (int i = 0; i < 2; ++i) solve();  // a plan's tables get there once, for each of its two work spaces
    moved_bytes();
    SolveReport report;
    for (int i = 0; i < 4; ++i) report = plan.submit(points, there.strengths(), there.result()).report();
    CHECK(moved_bytes() <= 4 * 2 * sizeof(double) * RowSums::numbers);  // for the reviews
    CHECK(report.tasks <= 40);
    CHECK(report.submit_seconds < 2e-3);
    // Arrays of the host: they, and the numbers that scale them.
    std::vector<double> u(3 * points.targets());
    for (int i = 0; i < 2; ++i) plan.submit(points, p.f, u).wait();
    moved_bytes();
    double const error = plan.submit(points, p.f, u).report().sampled_error;
    CHECK(report.sampled_error == error);  // of the same sums
    std::size_t const own = sizeof(double) * (p.f.size() + u.size()), moved = moved_bytes();
    CHECK(moved <= own + 4096);
    CHECK(u == there.download());
  }
}

TEST_CASE("a solve begins after what is on the caller's stream, and the host does not wait for that") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Problem<double> const p(20000, 3);
  DeviceStream stream;
  constexpr double delay = 0.2;
  auto const check = [&](auto const& submit, std::size_t results) {
    OnDevice const there(p.f, results);
    submit(there, std::optional<Stream>()).wait();
    auto const expected = there.download();
    // The strengths come at the end of something long.
    std::vector<double> const zeros(p.f.size(), 0.0);
    for (int round = 0; round < 3; ++round) {
      there.memory.upload(sizeof(double) * (p.f.size() + results), p.f.data(), sizeof(double) * p.f.size());
      there.memory.upload(0, zeros.data(), sizeof(double) * zeros.size());
      stream.pass_time(delay);
      stream.copy(there.at(0), there.spare(), sizeof(double) * p.f.size());
      Solve solve;
      double const submitting = seconds_of([&] { solve = submit(there, Stream{stream.handle()}); });
      CHECK(submitting < delay / 2);
      // The caller goes on where the result is, on its stream, without waiting for it.
      DeviceMemory next(sizeof(double) * results);
      solve.then([&] { stream.copy(next.data(), there.result().data(), sizeof(double) * results); });
      CHECK(!solve.ready());
      solve.wait();
      stream.wait();
      std::vector<double> found(results);
      next.download(0, found.data(), sizeof(double) * results);
      CHECK(found == expected);
    }
  };
  for (double tolerance : {1e-4, 1e-6}) {
    Ewald plan(runtime, {.box = {1.2, 1.2, 1.2}, .tolerance = tolerance});
    auto const points = plan.set_points(p.x);
    check([&](OnDevice const& d,
              auto const& after) { return plan.submit(points, d.strengths(), d.result(), Part::whole, after); },
          3 * points.targets());
  }
  Fmm fmm(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-4, .order = 6});
  auto const points = fmm.set_points(p.x);
  check([&](OnDevice const& d, auto const& after) { return fmm.submit(points, d.strengths(), d.result(), after); },
        3 * points.targets());
}

TEST_CASE("where CPUs take part, the host waits for the caller's stream") {
  if (no_gpu()) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  Problem<double> const p(2000, 3);  // too few for the GPU alone
  Ewald plan(runtime, {.tolerance = 1e-4});
  auto const points = plan.set_points(p.x);
  OnDevice const there(p.f, 3 * points.targets());
  std::vector<double> expected(there.results);
  plan.submit(points, p.f, expected).wait();
  std::vector<double> const zeros(p.f.size(), 0.0);
  DeviceStream stream;
  there.memory.upload(sizeof(double) * (p.f.size() + there.results), p.f.data(), sizeof(double) * p.f.size());
  there.memory.upload(0, zeros.data(), sizeof(double) * zeros.size());
  stream.pass_time(0.05);
  stream.copy(there.at(0), there.spare(), sizeof(double) * p.f.size());
  std::vector<double> u(there.results);
  plan.submit(points, there.strengths(), u, Part::whole, Stream{stream.handle()}).wait();
  double error = 0, size = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    error += (u[i] - expected[i]) * (u[i] - expected[i]), size += expected[i] * expected[i];
  CHECK(error < 1e-16 * size);
}

TEST_CASE("a solve whose data do not fit the GPU's memory at once finishes, with the same bits") {
  if (no_gpu()) return;
  constexpr std::size_t count = 400000, mebibyte = 1 << 20;
  Problem<double> const p(count, 9);
  EwaldOptions const options{.kernel = Kernel::stokes, .box = {1.2, 1.2, 1.2}, .tolerance = 1e-6};
  std::size_t used = 0;
  auto const solved = [&] {
    Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
    Ewald plan(runtime, options);
    auto const points = plan.set_points(p.x);
    CHECK(plan.parameters().on_gpus);
    std::vector<double> u(3 * points.targets()), v(u.size());
    auto first = plan.submit(points, p.f, u), second = plan.submit(points, p.f, v);
    second.wait();
    first.wait();
    CHECK(u == v);
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
      if (starpu_worker_get_type(int(w)) != STARPU_CPU_WORKER)
        used = std::size_t(starpu_memory_get_used(starpu_worker_get_memory_node(w)));
    return u;
  };
  auto const whole = solved();
  std::size_t const limit = used * 7 / 10 / mebibyte;
  MESSAGE("the solves have " << used / mebibyte << " MiB there; again with " << limit);
  REQUIRE(limit > 0);
  setenv("STARPU_LIMIT_CUDA_MEM", std::to_string(limit).c_str(), 1);
  auto const tight = solved();
  unsetenv("STARPU_LIMIT_CUDA_MEM");
  CHECK(used <= limit * mebibyte);
  CHECK(whole == tight);
}
