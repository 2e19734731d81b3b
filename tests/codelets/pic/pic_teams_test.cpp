// SPDX-License-Identifier: BSD-3-Clause
// What the threads of GPUs do in a particle-in-cell step, on the host, against the portable bodies.
#include "codelets/pic/gather/gather_body.hpp"
#include "codelets/pic/push/push_body.hpp"
#include "codelets/pic/scatter/scatter_body.hpp"
#include "codelets/pic/sort/sort_team.hpp"
#include "codelets/pic/totals/totals_team.hpp"
#include "codelets/pic/unload/unload.hpp"
#include "codelets/pic/unload/unload_gpu.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/pic/pic_cases.hpp"

#include <nearfar/runtime.hpp>

#include <cstring>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// All teams of a launch.
template <class Program, class Number, class Launch>
void run_teams(int teams, Launch const& launch) {
  for (int i = teams - 1; i >= 0; --i) {
    std::vector<Number> memory(std::size_t(Program::memory_size), Number(77));
    HostTeam<typename Program::State> team(Program::threads);
    Program::run(team, launch, i, memory.data());
  }
}

/// What the launchers of the .cu files do.
template <class S>
struct OnHost;

template <class T>
struct OnHost<Sort<T>> {
  static void run(Buffers const& b, SortArgs const& args) {
    std::int64_t const count = b.size<T>(1);
    int const planes = args.grid.planes();
    std::int32_t* const order = b.get<std::int32_t>(3);
    std::vector<std::int32_t> numbers[2]{std::vector<std::int32_t>(std::size_t(count), -1),
                                         std::vector<std::int32_t>(std::size_t(count), -1)};
    std::int32_t const* from = nullptr;
    for (int d = 2; d >= 0; --d) {
      SortPass<T> pass{args.grid,
                       d,
                       b.get<T const>(0),
                       count,
                       from,
                       numbers[d % 2].data(),
                       nullptr,
                       sort_range(count, args.grid.layout.size[d])};
      std::vector<std::int32_t> places(std::size_t(pass.layers() * pass.ranges()));
      pass.places = places.data();
      for (std::int64_t i = 0; i < count; ++i) ++pass.places[pass.counter(i)];
      run_teams<SumTeam, std::int32_t>(1, SumTeam::Launch{pass.places, std::int64_t(places.size())});
      if (d == 0)
        for (int p = 0; p <= planes; ++p) order[p] = p < planes ? pass.places[p * pass.ranges()] : std::int32_t(count);
      run_teams<PlaceTeam<T>, std::int32_t>(pass.ranges(), pass);
      from = pass.to;
    }
    SortedParticle<T> const copy{b.get<T const>(0), b.get<T const>(1), count, from, b.get<T>(2), order + planes + 1};
    for (std::int64_t i = 0; i < count; ++i) copy(i);
  }
};

template <class T>
struct OnHost<Scatter<T>> {
  static void run(Buffers const& b, ScatterArgs const& args) {
    in_lists_of<SortedBlock<T>>(
        1, b.count(0),
        [&](int i) {
          return SortedBlock<T>{b.get<T const>(0, i), b.get<std::int32_t const>(1, i)};
        },
        [&](auto const& blocks) {
          ScatterBody<T> const body(args, b.get<T>(2), blocks);
          for (std::int64_t i = body.count() - 1; i >= 0; --i) body(i);
        });
  }
};

template <class T>
struct OnHost<Gather<T>> {
  static void run(Buffers const& b, GatherArgs const& args) {
    GatherBody<T> const body(b, args);
    for (std::int64_t i = body.count - 1; i >= 0; --i) body(i);
  }
};

template <class T>
struct OnHost<Measure<T>> {
  static void run(Buffers const& b, MeasureArgs const& args) {
    std::vector<double> partial(sum_teams * pic_sums, NAN);
    run_teams<MeasureTeam<T>, double>(
        sum_teams, typename MeasureTeam<T>::Launch{args.grid, args.motion, b.get<T const>(0), b.get<T const>(1),
                                                   b.size<T>(1), GpuPointers<T>(b, 2), partial.data()});
    for (int m = 0; m < pic_sums; ++m) b.get<double>(3)[m] = add_teams(partial.data(), sum_teams, pic_sums, m);
  }
};

template <class T>
struct OnHost<Tally<T>> {
  static void run(Buffers const& b, TallyArgs const& args) {
    std::vector<double> partial(std::size_t(b.count(1) * sum_teams), NAN);
    for (int s = 0; s < b.count(1); ++s)
      run_teams<ChargeTeam<T>, double>(sum_teams, typename ChargeTeam<T>::Launch{b.get<T const>(1, s), b.size<T>(1, s),
                                                                                 &partial[std::size_t(s * sum_teams)]});
    write_totals(args, GpuPointers<double>(b, 0), add_teams(partial.data(), int(partial.size()), 1, 0),
                 b.get<double>(2));
  }
};

struct ByHost {
  template <class S>
  void run(Buffers const& b, typename S::Args const& args) const {
    OnHost<S>::run(b, args);
  }
};

}  // namespace

TEST_CASE("pic stages: what threads of a GPU do is what the portable bodies do") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  check_pic_stages<double>(ByHost(), 1e-13);
  check_pic_stages<float>(ByHost(), 1e-5);
}

TEST_CASE("pic push, kick and unload: particles one by one, in any order, move as they do in the portable bodies") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  PicCase<double> made({});
  auto &a = made.blocks[0], b = a;
  for (double& e : a.field) e = 0.1;
  b.field = a.field;
  Motion const motion = pic_motion();
  std::int64_t clock = 4;
  LocalBuffers pushed, kicked;
  pushed.access().add(&clock, 1).access().add(a.field).access().add(a.phase);
  kicked.access().add(a.field).access().add(a.phase).access().add(&clock, 1);
  Push<double>::portable(pushed.view(), {motion, 0, 5});
  Kick<double>::portable(kicked.view(), {motion, 5});
  CHECK(clock == 5);
  PushBody<double> const body{Mover<double>(motion), b.field.data(), b.phase.data(), b.count()};
  for (int i = b.count() - 1; i >= 0; --i) CHECK(body.push(i));
  for (int i = b.count() - 1; i >= 0; --i) body.kick(i);
  check_close(a.phase, b.phase, 1e-15);
  std::vector<double> rows[2]{std::vector<double>(std::size_t(3 * a.count())),
                              std::vector<double>(std::size_t(3 * a.count()))};
  LocalBuffers unloaded;
  unloaded.access().add(b.phase).access().add(rows[0]);
  Unload<double>::portable(unloaded.view(), {0, false});
  UnloadBody<double> const unload{b.phase.data(), rows[1].data(), b.count()};
  for (int i = 0; i < b.count(); ++i) unload(i);
  CHECK(rows[0] == rows[1]);

  b.phase[7 + 4 * std::size_t(b.count())] = 100;  // the velocity along y of particle 7
  std::vector<double> const before = b.phase;
  Motion straight = motion;
  for (double& component : straight.magnetic) component = 0;
  PushBody<double> const fast{Mover<double>(straight), b.field.data(), b.phase.data(), b.count()};
  CHECK(!fast.push(7));
  CHECK(before == b.phase);
  LostParticle const lost = fast.lost(straight, 7);
  CHECK(lost.particle == 7);
  CHECK(lost.axis == 1);
  CHECK(lost.x > 3);
}
