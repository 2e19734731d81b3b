// SPDX-License-Identifier: BSD-3-Clause
// A particle-in-cell step as GPUs take it, on the host, against the portable bodies.
#include "codelets/pic/gather/gather.cu"
#include "codelets/pic/push/push.cu"
#include "codelets/pic/scatter/scatter.cu"
#include "codelets/pic/sort/sort.cu"
#include "codelets/pic/totals/totals.cu"
#include "codelets/pic/unload/unload.cu"

#include "codelets/pic/unload/unload.hpp"
#include "tests/codelets/pic/pic_cases.hpp"

#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class S>
struct AsOnGpu;

template <class T>
struct AsOnGpu<Sort<T>> {
  static void run(Buffers const& b, SortArgs const& args) {
    launch_sort(args.grid, b.size<T>(1), b.get<T const>(0), b.get<T const>(1), b.get<T>(2), b.get<std::int32_t>(3),
                nullptr);
  }
};

template <class T>
struct AsOnGpu<Scatter<T>> {
  static void run(Buffers const& b, ScatterArgs const& args) {
    in_lists_of<SortedBlock<T>>(
        1, b.count(0),
        [&](int i) {
          return SortedBlock<T>{b.get<T const>(0, i), b.get<std::int32_t const>(1, i)};
        },
        [&](auto const& blocks) { launch_scatter(ScatterBody<T>(args, b.get<T>(2), blocks), nullptr); });
  }
};

template <class T>
struct AsOnGpu<Gather<T>> {
  static void run(Buffers const& b, GatherArgs const& args) { launch_gather(GatherBody<T>(b, args), nullptr); }
};

template <class T>
struct AsOnGpu<Measure<T>> {
  static void run(Buffers const& b, MeasureArgs const& args) {
    launch_measure<T>(
        {args.grid, args.motion, b.get<T const>(0), b.get<T const>(1), b.size<T>(1), GpuPointers<T>(b, 2), nullptr},
        b.get<double>(3), nullptr);
  }
};

template <class T>
struct AsOnGpu<Tally<T>> {
  static void run(Buffers const& b, TallyArgs const& args) {
    BadNumber bad;
    launch_tally(args, GpuPointers<double>(b, 0), GpuPointers<T>(b, 1), b.get<double>(2), &bad, nullptr);
    CHECK(bad.place == BadNumber::none);
  }
};

struct ByHost {
  template <class S>
  void run(Buffers const& b, typename S::Args const& args) const {
    AsOnGpu<S>::run(b, args);
  }
};

}  // namespace

TEST_CASE("pic stages: as GPUs run them") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  check_pic_stages<double>(ByHost(), 1e-13);
  check_pic_stages<float>(ByHost(), 1e-5);
}

TEST_CASE("pic push, kick and unload: as GPUs run them") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  PicCase<double> made({});
  auto &a = made.blocks[0], b = a;
  for (double& e : a.field) e = 0.1;
  b.field = a.field;
  Motion const motion = pic_motion();
  std::int64_t clock = 4, other = 4;
  LocalBuffers pushed, kicked;
  pushed.access().add(&clock, 1).access().add(a.field).access().add(a.phase);
  kicked.access().add(a.field).access().add(a.phase).access().add(&clock, 1);
  PushArgs const push{motion, 0, 5};
  KickArgs const kick{motion, 5};
  Push<double>::portable(pushed.view(), push);
  Kick<double>::portable(kicked.view(), kick);
  PushBody<double> const body{Mover<double>(motion), b.field.data(), b.phase.data(), b.count()};
  BadNumber bad;
  launch_push(body, push, &other, &bad, nullptr);
  CHECK(bad.place == BadNumber::none);
  CHECK(other == 4);
  launch_kick(body, kick, &other, nullptr);
  CHECK(clock == 5);
  CHECK(other == 5);
  check_close(b.phase, a.phase, 1e-15);

  std::vector<double> rows[2]{std::vector<double>(std::size_t(3 * a.count())),
                              std::vector<double>(std::size_t(3 * a.count()))};
  LocalBuffers unloaded;
  unloaded.access().add(b.phase).access().add(rows[0]);
  Unload<double>::portable(unloaded.view(), {0, 0, b.count(), false});
  launch_unload(UnloadBody<double>{b.phase.data(), rows[1].data(), b.count(), b.count()}, &bad, nullptr);
  CHECK(rows[0] == rows[1]);
  CHECK(bad.place == BadNumber::none);
}

TEST_CASE("pic unload and tally: as GPUs run them, numbers that are not finite are told") {
  double const infinite = HUGE_VAL;
  std::vector<double> const phase{1, 2, 3, 4, infinite, 6, 7, infinite, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> rows(9), sums{1, 2, infinite, 4, 5, infinite}, density(8, 1), totals(8);
  BadNumber of_particles, of_totals;
  launch_unload(UnloadBody<double>{phase.data(), rows.data(), 3, 3}, &of_particles, nullptr);
  CHECK(of_particles.place == 4);  // y of particle 1
  CHECK(of_particles.value == infinite);

  LocalBuffers tallied;
  tallied.access().add(sums).access().add(density).access().add(totals);
  Buffers const b = tallied.view();
  launch_tally<double>({}, GpuPointers<double>(b, 0), GpuPointers<double>(b, 1), totals.data(), &of_totals, nullptr);
  CHECK(of_totals.place == 1 + std::uint64_t(PicSum::external));
  CHECK(of_totals.value == infinite);
  CHECK_THROWS_WITH_AS(Tally<double>::portable(b, {}), doctest::Contains("energy in the external field"), Error);
  LocalBuffers unloaded;
  unloaded.access().add(phase).access().add(rows);
  CHECK_THROWS_WITH_AS(Unload<double>::portable(unloaded.view(), {0, 0, 3, false}),
                       doctest::Contains("coordinate of particle 1"), Error);
}

TEST_CASE(
    "pic push: as GPUs run it, a particle that goes too far stays, is told, and breaks the clock for all steps after") {
  PicCase<double> made({});
  auto& block = made.blocks[0];
  for (double& e : block.field) e = 0.1;
  Motion straight = pic_motion();
  for (double& component : straight.magnetic) component = 0;
  auto const velocity = [&](int particle) -> double& {
    return block.phase[std::size_t(particle + 4 * block.count())];  // along y
  };
  velocity(9) = 50;
  velocity(7) = 100;
  auto const before = block.phase;
  PushBody<double> const body{Mover<double>(straight), block.field.data(), block.phase.data(), block.count()};
  std::int64_t clock = 4;
  BadNumber bad;
  launch_push(body, {straight, 0, 5}, &clock, &bad, nullptr);
  CHECK(bad.place == 7);
  CHECK(bad.exponent == 1);
  CHECK(bad.value > 3);
  CHECK(bad.beside > 99);
  for (int d = 0; d < 6; ++d)
    for (int i : {7, 9})
      CHECK(block.phase[std::size_t(d * block.count() + i)] == before[std::size_t(d * block.count() + i)]);

  auto const failed = block.phase;
  launch_kick(body, {straight, 5}, &clock, nullptr);
  BadNumber stale;
  launch_push(body, {straight, 0, 6}, &clock, &stale, nullptr);
  launch_kick(body, {straight, 6}, &clock, nullptr);
  CHECK(stale.exponent == stale_axis);
  CHECK(clock == broken_clock);
  CHECK(block.phase == failed);
}
