// SPDX-License-Identifier: BSD-3-Clause
// The particle-in-cell loop on the GPU: its stages against the portable bodies, and whole loops against CPUs.
#include "codelets/pic/push/push.hpp"
#include "codelets/pic/unload/unload.hpp"
#include "tests/codelets/pic/pic_cases.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"
#include "tests/tasks/pic/bunch.hpp"

#include <algorithm>
#include <cstdio>

using namespace nearfar;
using namespace nearfar::test;

namespace {

struct ByDevice {
  template <class S>
  void run(Buffers const& b, typename S::Args const& args) const {
    run_on_device<S>(b, args);
  }
};

PicOptions const trap{.grid = {36, 32, 40},
                      .box = {1, 1, 1},
                      .periodic = {false, false, true},
                      .time_step = 0.01,
                      .charge_per_mass = -1,
                      .external = {.gradient = {-0.75, -0.75, 1.5}, .centre = {0.5, 0.5, 0.5}, .magnetic = {0, 0, 5}}};

Runtime runtime_with(int gpus) { return Runtime({.scheduler = "overlap", .cpus = 2, .gpus = gpus}); }

template <class T>
State<T> after(Runtime const& runtime, int steps, PicTotals& totals) {
  auto loop = Bunch<T>(20000, 0.1, -0.5).loop(runtime, trap);
  loop.advance(steps);
  totals = totals_of(loop);
  return state_of(loop);
}

}  // namespace

TEST_CASE("pic stages: the GPU against the portable bodies") {
  if (no_gpu()) return;
  Runtime const runtime({.gpus = 0});
  check_pic_stages<double>(ByDevice(), 1e-13);
  check_pic_stages<float>(ByDevice(), 1e-5);

  PicCase<double> made({});
  auto& block = made.blocks[0];
  for (double& e : block.field) e = 0.1;
  std::vector<double> phases[2]{block.phase, block.phase}, rows[2];
  for (int which : {0, 1}) {
    rows[which].resize(std::size_t(3 * block.count()));
    std::int64_t clock = 4;
    LocalBuffers pushed, kicked, unloaded;
    pushed.access().add(&clock, 1).access().add(block.field).access().add(phases[which]);
    kicked.access().add(block.field).access().add(phases[which]).access().add(&clock, 1);
    unloaded.access().add(phases[which]).access().add(rows[which]);
    PushArgs const push{pic_motion(), 0, 5};
    KickArgs const kick{pic_motion(), 5};
    UnloadArgs const unload{0, 0, block.count(), true};
    if (which == 0) {
      Push<double>::portable(pushed.view(), push);
      Kick<double>::portable(kicked.view(), kick);
      Unload<double>::portable(unloaded.view(), unload);
    } else {
      run_on_device<Push<double>>(pushed.view(), push);
      run_on_device<Kick<double>>(kicked.view(), kick);
      run_on_device<Unload<double>>(unloaded.view(), unload);
    }
    CHECK(clock == 5);
  }
  check_close(phases[1], phases[0], 1e-14);
  check_close(rows[1], rows[0], 1e-14);
}

#if defined(NEARFAR_WITH_GPU_FFT)
TEST_CASE("pic: loops on a GPU are those of CPUs, and the same bits each time") {
  if (no_gpu()) return;
  PicTotals of_cpu, of_gpu, again;
  auto const cpu = after<double>(runtime_with(0), 30, of_cpu);
  auto const single = after<float>(runtime_with(0), 30, again);
  auto const runtime = runtime_with(1);
  auto const gpu = after<double>(runtime, 30, of_gpu);
  CHECK(relative_difference(gpu.positions, cpu.positions) < 1e-12);
  CHECK(relative_difference(gpu.velocities, cpu.velocities) < 1e-11);
  CHECK(gpu == after<double>(runtime, 30, again));
  CHECK(of_gpu.charge == doctest::Approx(-0.5).epsilon(1e-12));
  CHECK(of_gpu.energy() == doctest::Approx(of_cpu.energy()).epsilon(1e-10));
  CHECK(of_gpu.momentum[2] == doctest::Approx(of_cpu.momentum[2]).epsilon(1e-8));
  CHECK(of_gpu.energy() == again.energy());
  CHECK(relative_difference(after<float>(runtime, 30, again).positions, single.positions) < 1e-5);
}

TEST_CASE("pic: a loop on a GPU goes on from a saved state with the same bits") {
  if (no_gpu()) return;
  auto const runtime = runtime_with(1);
  Bunch<double> bunch(20000, 0.1, -0.5);
  auto whole = bunch.loop(runtime, trap);
  whole.advance(5);
  auto const saved = state_of(whole);
  whole.advance(5);
  bunch.positions = saved.positions;
  bunch.velocities = saved.velocities;
  auto rest = bunch.loop(runtime, trap, 5);
  rest.advance(5);
  CHECK(state_of(rest) == state_of(whole));
}

TEST_CASE("pic: a particle that goes too far on a GPU fails its solve, and all that follow") {
  if (no_gpu()) return;
  auto const runtime = runtime_with(1);
  Bunch<double> bunch(20000, 0.1, -0.5);
  bunch.velocities[3 * 777 + 1] = 500;
  auto loop = bunch.loop(runtime, trap);
  auto first = loop.advance(1), second = loop.advance(2);
  CHECK_THROWS_WITH_AS(first.wait(), doctest::Contains("particle 777 moves to y"), Error);
  CHECK_THROWS_WITH_AS(second.wait(), doctest::Contains("a solve before has failed"), Error);
  PicTotals totals;
  CHECK_THROWS_WITH_AS(loop.read({.totals = &totals}).wait(), doctest::Contains("a solve before has failed"), Error);
}

TEST_CASE("pic: totals on a GPU that are not finite are an error") {
  if (no_gpu()) return;
  auto const runtime = runtime_with(1);
  auto loop = Bunch<double>(20000, 0.1, 1e200).loop(runtime, trap);
  PicTotals totals;
  CHECK_THROWS_WITH_AS(loop.read({.totals = &totals}).wait(),
                       doctest::Contains("energy in their own field of the particles is"), Error);
}

// scripts/gpu runs it by name.
TEST_CASE("time of whole particle-in-cell steps on the GPU" * doctest::skip()) {
  Runtime const runtime({.scheduler = "overlap", .gpus = 1});
  std::printf("%8s %10s %14s | seconds by stage\n", "cells", "particles", "seconds a step");
  struct Case {
    int n;
    std::size_t particles;
  };
  for (auto const& c : {Case{64, 1000000}, Case{128, 10000000}}) {
    PicOptions options = trap;
    options.grid = {c.n, c.n, c.n};
    options.periodic = {};
    options.time_step = 0.0005;
    auto loop = Bunch<double>(c.particles, 0.1, -0.5).loop(runtime, options);
    loop.advance(3).wait();
    constexpr int steps = 20;
    auto const report = loop.advance(steps).report();
    std::printf("%6d^3 %10zu %14.6f |", c.n, c.particles, report.seconds / steps);
    for (auto const& stage : report.stages) std::printf(" %s %.6f", stage.stage.c_str(), stage.seconds / steps);
    std::printf("\n");
  }
}
#endif
