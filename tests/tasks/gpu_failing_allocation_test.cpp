// SPDX-License-Identifier: BSD-3-Clause
// Allocation number n on the GPU fails, for one n after the other: every time there is an error that says so, or the
// right result, nothing is left there, and the next solve is right.
#include "tests/tasks/engine/device_memory.hpp"
#include "tests/tasks/pic/bunch.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <limits>
#include <string>

using namespace nearfar;
using namespace nearfar::test;

namespace {

constexpr long none = std::numeric_limits<long>::max();

std::atomic<long> to_fail{none}, count{0}, live{0};

template <class Function>
Function* next(char const* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// StarPU has ways of its own out of full memory.
bool is_ours(void* caller) {
  Dl_info info{};
  return dladdr(caller, &info) != 0 && std::string(info.dli_fname).find("libnearfar") != std::string::npos;
}

bool fails(void* caller) { return is_ours(caller) && count.fetch_add(1) + 1 == to_fail; }

/// What no device has: the status that CUDA keeps for this thread is that of a real failure.
int allocate_too_much() {
  void* memory = nullptr;
  return next<int(void**, std::size_t)>("cudaMalloc")(&memory, std::size_t(1) << 50);
}

}  // namespace

extern "C" int cudaMalloc(void** memory, std::size_t bytes) {
  if (fails(__builtin_return_address(0))) return allocate_too_much();
  return next<int(void**, std::size_t)>("cudaMalloc")(memory, bytes);
}
extern "C" int cudaMallocHost(void** memory, std::size_t bytes) {
  if (fails(__builtin_return_address(0))) return allocate_too_much();
  return next<int(void**, std::size_t)>("cudaMallocHost")(memory, bytes);
}
extern "C" int cudaMallocAsync(void** memory, std::size_t bytes, void* stream) {
  if (fails(__builtin_return_address(0))) return allocate_too_much();
  if (is_ours(__builtin_return_address(0))) ++live;
  return next<int(void**, std::size_t, void*)>("cudaMallocAsync")(memory, bytes, stream);
}
extern "C" int cudaFreeAsync(void* memory, void* stream) {
  if (is_ours(__builtin_return_address(0)) && memory != nullptr) --live;
  return next<int(void*, void*)>("cudaFreeAsync")(memory, stream);
}

namespace {

using Run = std::function<void(std::vector<double>&)>;

/// Relative l2 difference.
double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(error / size);
}

void fail_allocation(long n) {
  count = 0;
  to_fail = n;
}

/// 40 of all allocations of a run, evenly spaced. Results may differ by `most`: tasks run on a GPU or on a core.
void check(std::size_t numbers, double most, Run const& run) {
  std::vector<double> expected(numbers), found(numbers);
  for (int round = 0; round < 3; ++round) {  // what is kept for later is there then
    fail_allocation(none);
    run(expected);
  }
  long const all = count;
  CHECK(live == 0);
  int errors = 0;
  for (long n = 1; n <= all; n += std::max(1L, all / 40)) {
    CAPTURE(n);
    fail_allocation(n);
    try {
      run(found);
      CHECK(difference(found, expected) <= most);
    } catch (Error const& e) {
      CHECK_MESSAGE(e.fault() == Fault::no_resource, e.what());
      ++errors;
    }
    CHECK(live == 0);
    fail_allocation(none);
    std::fill(found.begin(), found.end(), 0);
    run(found);
    CHECK(difference(found, expected) <= most);
  }
  MESSAGE(all, " allocations, ", errors, " errors");
  if (all > 0) CHECK(errors > 0);
}

Runtime test_runtime() {
  if (DeviceMemory::devices() == 0) {
    std::puts("there is no GPU; skipped");
    std::exit(77);
  }
  return Runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
}

constexpr std::size_t points_count = 20000;

}  // namespace

TEST_CASE("failing allocations on a GPU: ewald") {
  auto const runtime = test_runtime();
  Problem<> const p(points_count, 1);
  for (auto periodicity : {Periodicity::xyz, Periodicity::none})
    check(points_count, 1e-5, [&](std::vector<double>& u) {
      bool const open = periodicity == Periodicity::none;
      Ewald plan(runtime, {.kernel = Kernel::laplace,
                           .periodicity = periodicity,
                           .box = open ? std::array<double, 3>{0, 0, 0} : std::array<double, 3>{1.3, 1.3, 1.3},
                           .tolerance = 1e-6});
      plan.submit(plan.set_points(p.x), p.f, u).report();
    });
}

TEST_CASE("failing allocations on a GPU: fmm") {
  auto const runtime = test_runtime();
  Problem<> const p(points_count, 1);
  check(points_count, 1e-5, [&](std::vector<double>& u) {
    Fmm plan(runtime, {.tolerance = 1e-6});
    plan.submit(plan.set_points(p.x), p.f, u).report();
  });
}

TEST_CASE("failing allocations on a GPU: poisson and a particle-in-cell loop") {
  auto const runtime = test_runtime();
  auto const density = Problem<>(32 * 32 * 32, 1).f;
  check(density.size(), 1e-10, [&](std::vector<double>& phi) {
    Poisson plan(runtime, {.grid = {32, 32, 32}});
    plan.submit(density, phi).report();
  });
  test::Bunch<> const bunch(points_count, 0.2, -1);
  check(3 * points_count, 1e-10, [&](std::vector<double>& positions) {
    auto loop = bunch.loop(runtime, {.grid = {32, 32, 32}, .time_step = 0.01});
    Solve steps = loop.advance(2);
    Solve read = loop.read({.positions = positions});
    steps.wait();  // whose error is the cause, if there is one
    read.report();
  });
}
