// SPDX-License-Identifier: BSD-3-Clause
// What the threads of GPUs do for short stages, on the host, against the portable bodies.
#include "codelets/fmm/cell/cell_team.hpp"
#include "codelets/near/reduce/reduce_team.hpp"
#include "codelets/points/energy/energy_team.hpp"
#include "codelets/points/moment/moment_team.hpp"
#include "codelets/points/units/units_team.hpp"
#include "tests/codelets/host_team.hpp"
#include "tests/codelets/short_stages.hpp"

#include <nearfar/runtime.hpp>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class Program, class Number, class Launch>
void run_blocks(Launch const& launch, int blocks) {
  auto memory = unset<Number>(std::size_t(Program::memory_size));
  HostTeam<typename Program::State> team(Program::threads);
  for (int block = 0; block < blocks; ++block) Program::run(team, launch, block, memory.data());
}

/// What the launchers of the .cu files do, with short lists of buffers.
template <class S>
struct ByTeam;

template <class T>
struct ByTeam<CellMoment<T>> {
  static void run(Buffers const& b, CellMomentArgs const& args) {
    auto launch = CellMomentLaunch<T>::of(b, args);
    int const blocks = CellMomentTeam<T>::parts * args.vectors;
    auto part = unset<double>(std::size_t(blocks * cell_moments));
    launch.part = part.data();
    run_blocks<CellMomentTeam<T>, double>(launch, blocks);
    run_blocks<CellMomentGatherTeam<T>, double>(launch, args.vectors);
  }
};

template <>
struct ByTeam<CellSum> {
  static BadNumber run(Buffers const& b, CellSumArgs const& args) {
    BadNumber bad;
    HostTeam<NoState> team(CellSumTeam::threads);
    in_lists_of<double const*>(
        6, b.count(0), [&](int i) { return b.get<double const>(0, i); },
        [&](auto const& moments) {
          CellSumTeam::run(team, args, moments, moments.first + moments.count >= b.count(0),
                           b.get<StrengthUnit const>(1), b.get<double>(2), &bad, 0, nullptr);
        });
    return bad;
  }
};

template <class T, int G>
struct ByTeam<CellField<T, G>> {
  static void run(Buffers const& b, CellFieldArgs const& args) {
    auto const launch = CellFieldLaunch<T>::of(b, args);
    run_blocks<CellFieldTeam<G, T>, T>(launch, CellFieldTeam<G, T>::blocks_per_vector(launch) * args.vectors);
  }
};

template <>
struct ByTeam<Units> {
  static void run(Buffers const& b, UnitsArgs const& args) {
    LaunchList<double const*> largest;
    largest.count = b.count(0);
    for (int i = 0; i < largest.count; ++i) largest.item[i] = b.get<double const>(0, i);
    HostTeam<NoState> team(UnitsTeam::threads);
    UnitsTeam::run(team, args, largest, b.get<StrengthUnit>(1), 0, nullptr);
  }
};

template <class T>
struct ByTeam<Largest<T>> {
  static void run(Buffers const& b, LargestArgs const& args) {
    auto const launch = LargestLaunch<T>::of(args, b.get<T const>(0), b.get<double>(1));
    std::fill_n(launch.out, launch.columns(), 0.0);
    run_blocks<LargestTeam<T>, double>(launch, launch.parts * launch.columns());
  }
};

template <class T>
struct ByTeam<Moment<T>> {
  static void run(Buffers const& b, MomentArgs const& args) {
    auto launch = MomentLaunch<T>::of(b, args);
    auto part = unset<double>(std::size_t(MomentTeam<T>::parts * moment_size));
    launch.part = part.data();
    run_blocks<MomentTeam<T>, double>(launch, MomentTeam<T>::parts);
    run_blocks<MomentGatherTeam<T>, double>(launch, 1);
  }
};

template <>
struct ByTeam<MomentSum> {
  static void run(Buffers const& b, MomentSumArgs const& args) {
    in_lists_of<double const*>(
        6, b.count(0), [&](int i) { return b.get<double const>(0, i); },
        [&](auto const& moments) {
          bool const is_last = moments.first + moments.count >= b.count(0);
          MomentSumLoop const loop{moments, is_last ? args.factor : 1, b.get<double>(1)};
          for (int m = 0; m < moment_size; ++m) loop(m);
        });
  }
};

template <class T>
struct ByTeam<Energy<T>> {
  static void run(Buffers const& b, EnergyArgs const& args) {
    auto part = unset<double>(std::size_t(EnergyTeam<T>::parts * energy_sums));
    EnergyLaunch<T> const launch{EnergyView<T>(b, args), part.data()};
    run_blocks<EnergyTeam<T>, double>(launch, EnergyTeam<T>::parts);
    run_blocks<EnergyGatherTeam<T>, double>(launch, 1);
  }
};

template <>
struct ByTeam<EnergySum> {
  static void run(Buffers const& b, EnergySumArgs const& args) {
    EnergySums all;
    auto const add = [&](int access, int numbers, double* to) {
      in_lists_of<double const*>(
          6, b.count(access), [&](int i) { return b.get<double const>(access, i); },
          [&](auto const& list) {
            for (int m = 0; m < numbers; ++m) AddEnergies{list, to}(m);
          });
    };
    add(0, energy_sums, all.of_points);
    add(1, image_sums, all.of_images);
    add(2, far_virial_size, all.of_modes);
    WriteEnergy{args, &all, b.get<StrengthUnit const>(3), b.get<double>(4)}(0);
  }
};

template <class T>
struct ByTeam<Reduce<T>> {
  static void run(Buffers const& b, ReduceArgs const& args) {
    run_blocks<ReduceTeam<T>, T>(ReduceLaunch<T>::of(b, args), ReduceTeam<T>::blocks(args));
  }
};

struct OnHost {
  template <class S>
  static void run(Buffers const& b, typename S::Args const& args) {
    ByTeam<S>::run(b, args);
  }
};

}  // namespace

TEST_CASE(
    "moments, energies, those of a cell, their sums and field, units, and mutual contributions: teams against portable "
    "bodies") {
  Runtime const runtime({.gpus = 0});  // the portable bodies run through its Kokkos
  check_short_stages<OnHost>();
}

TEST_CASE("dipoles: a team finds the first vector with a charge where the cell must be neutral") {
  std::vector<double> moments(3 * cell_moments, 0.0), sum(moments);
  for (int v = 0; v < 3; ++v) moments[std::size_t(v * cell_moments + 5)] = 100;
  std::vector<StrengthUnit> units(3);
  for (auto& unit : units) unit.strength[0] = -4;
  LocalBuffers b;
  b.access().add(moments).access().add(units).access().add(sum);
  CellSumArgs const args{3, true, 1e-3};
  CHECK(ByTeam<CellSum>::run(b.view(), args).place == BadNumber::none);
  moments[cell_moments] = -0.2;
  moments[2 * cell_moments] = 5;
  BadNumber const bad = ByTeam<CellSum>::run(b.view(), args);
  CHECK(bad.place == 1);
  CHECK(bad.value == -0.2);
  CHECK(bad.exponent == 4);
}
