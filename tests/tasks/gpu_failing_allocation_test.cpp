// SPDX-License-Identifier: BSD-3-Clause
// Allocation or launch number n on the GPU fails, for one n after the other: every time there is an error that says so,
// or the right result, nothing is left there, and the next solve is right.
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/pic/bunch.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
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

enum class Call { allocation, launch };

std::atomic<Call> counted{Call::allocation};
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

bool fails(Call call, void* caller) { return call == counted && is_ours(caller) && count.fetch_add(1) + 1 == to_fail; }

/// What no device has: the status that CUDA keeps for this thread is that of a real failure.
int allocate_too_much() {
  void* memory = nullptr;
  return next<int(void**, std::size_t)>("cudaMalloc")(&memory, std::size_t(1) << 50);
}

}  // namespace

extern "C" int cudaMalloc(void** memory, std::size_t bytes) {
  if (fails(Call::allocation, __builtin_return_address(0))) return allocate_too_much();
  return next<int(void**, std::size_t)>("cudaMalloc")(memory, bytes);
}
extern "C" int cudaMallocHost(void** memory, std::size_t bytes) {
  if (fails(Call::allocation, __builtin_return_address(0))) return allocate_too_much();
  return next<int(void**, std::size_t)>("cudaMallocHost")(memory, bytes);
}
extern "C" int cudaMallocAsync(void** memory, std::size_t bytes, void* stream) {
  if (fails(Call::allocation, __builtin_return_address(0))) return allocate_too_much();
  if (is_ours(__builtin_return_address(0))) ++live;
  return next<int(void**, std::size_t, void*)>("cudaMallocAsync")(memory, bytes, stream);
}
extern "C" int cudaFreeAsync(void* memory, void* stream) {
  if (is_ours(__builtin_return_address(0)) && memory != nullptr) --live;
  return next<int(void*, void*)>("cudaFreeAsync")(memory, stream);
}

struct Dimensions {
  unsigned x, y, z;
};

/// No block has so many threads.
constexpr Dimensions too_many_threads{1 << 16, 1, 1};

using LaunchKernel = int(void const*, Dimensions, Dimensions, void**, std::size_t, void*);

/// What nvcc makes of a launch: until CUDA 12, and since.
extern "C" int cudaLaunchKernel(void const* kernel, Dimensions blocks, Dimensions threads, void** arguments,
                                std::size_t shared, void* stream) {
  if (fails(Call::launch, __builtin_return_address(0))) threads = too_many_threads;
  return next<LaunchKernel>("cudaLaunchKernel")(kernel, blocks, threads, arguments, shared, stream);
}
extern "C" int __cudaLaunchKernel(void const* kernel, Dimensions blocks, Dimensions threads, void** arguments,
                                  std::size_t shared, void* stream) {
  if (fails(Call::launch, __builtin_return_address(0))) threads = too_many_threads;
  return next<LaunchKernel>("__cudaLaunchKernel")(kernel, blocks, threads, arguments, shared, stream);
}

namespace {

using Run = std::function<void(std::vector<double>&)>;

void fail_call(long n) {
  count = 0;
  to_fail = n;
}

/// Says what failed, in which stage, and on which device.
void check_words(Call call, Error const& e) {
  std::string const text = e.what();
  if (call == Call::allocation) CHECK_MESSAGE(e.fault() == Fault::no_resource, text);
  else
    for (char const* word : {"could not be launched", "(stage ", ", worker CUDA "})
      CHECK_MESSAGE(text.find(word) != text.npos, text);
}

/// 40 of all allocations or launches of a run, evenly spaced. Results may differ by `most`: tasks run on a GPU or on a
/// core.
void check(Call call, std::size_t numbers, double most, Run const& run) {
  counted = call;
  std::vector<double> expected(numbers), found(numbers);
  for (int round = 0; round < 3; ++round) {  // what is kept for later is there then
    fail_call(none);
    run(expected);
  }
  long const all = count;
  CHECK(live == 0);
  int errors = 0;
  for (long n = 1; n <= all; n += std::max(1L, all / 40)) {
    CAPTURE(n);
    fail_call(n);
    try {
      run(found);
      CHECK(relative_difference(found, expected) <= most);
    } catch (Error const& e) {
      check_words(call, e);
      ++errors;
    }
    CHECK(live == 0);
    fail_call(none);
    std::fill(found.begin(), found.end(), 0);
    run(found);
    CHECK(relative_difference(found, expected) <= most);
  }
  MESSAGE(all, call == Call::allocation ? " allocations, " : " launches, ", errors, " errors");
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
    check(Call::allocation, points_count, 1e-5, [&](std::vector<double>& u) {
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
  check(Call::allocation, points_count, 1e-5, [&](std::vector<double>& u) {
    Fmm plan(runtime, {.tolerance = 1e-6});
    plan.submit(plan.set_points(p.x), p.f, u).report();
  });
}

TEST_CASE("failing allocations on a GPU: poisson and a particle-in-cell loop") {
  auto const runtime = test_runtime();
  auto const density = Problem<>(32 * 32 * 32, 1).f;
  check(Call::allocation, density.size(), 1e-10, [&](std::vector<double>& phi) {
    Poisson plan(runtime, {.grid = {32, 32, 32}});
    plan.submit(density, phi).report();
  });
  test::Bunch<> const bunch(points_count, 0.2, -1);
  check(Call::allocation, 3 * points_count, 1e-10, [&](std::vector<double>& positions) {
    auto loop = bunch.loop(runtime, {.grid = {32, 32, 32}, .time_step = 0.01});
    Solve steps = loop.advance(2);
    Solve read = loop.read({.positions = positions});
    steps.wait();  // whose error is the cause, if there is one
    read.report();
  });
}

TEST_CASE("failing launches on a GPU: ewald and fmm") {
  auto const runtime = test_runtime();
  Problem<> const p(points_count, 1);
  Ewald ewald(runtime, {.kernel = Kernel::laplace, .box = {1.3, 1.3, 1.3}, .tolerance = 1e-6});
  Fmm fmm(runtime, {.tolerance = 1e-6});
  auto const in_cells = ewald.set_points(p.x);
  auto const in_leaves = fmm.set_points(p.x);
  check(Call::launch, points_count, 1e-5, [&](std::vector<double>& u) { ewald.submit(in_cells, p.f, u).report(); });
  CHECK(count > 0);
  check(Call::launch, points_count, 1e-5, [&](std::vector<double>& u) { fmm.submit(in_leaves, p.f, u).report(); });
  CHECK(count > 0);
}
