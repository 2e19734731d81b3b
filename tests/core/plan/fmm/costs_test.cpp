// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/costs.hpp"

#include "core/plan/fmm/choice.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace nearfar;
using doctest::Approx;

namespace {

/// A GPU that is `speed` reference cores in everything.
Machine with_gpu(double speed, int cpus = 15) {
  Machine machine{.cpus = cpus, .gpus = 1};
  machine.speed.gpu = Speeds(speed);
  return machine;
}

}  // namespace

TEST_CASE("costs: of GPUs by reference cores, of M2L and P2M by what kernels of different shape are worth") {
  auto const ratio = [&](double FmmSeconds::*seconds, int order) {
    return fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, order, {}).*seconds /
           fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, order, with_gpu(10), WorkerKind::gpu).*
               seconds;
  };
  for (int order : {6, 10, 14, 19, 24, 28}) {
    CHECK(ratio(&FmmSeconds::pair, order) == Approx(10));
    CHECK(ratio(&FmmSeconds::shift, order) == Approx(10));
  }
  auto const m2l = [&](int order) { return ratio(&FmmSeconds::interaction, order); };
  CHECK(m2l(6) == Approx(6.2));
  CHECK(m2l(14) == Approx(10));
  CHECK(m2l(24) == Approx(3.5));
  CHECK(m2l(10) > 6.2);
  CHECK(m2l(10) < 10);
  CHECK(m2l(3) < 6.2);
  CHECK(m2l(28) < 3.5);
  Machine const machine = with_gpu(10);
  FmmSeconds const cpu = fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, 14, machine);
  FmmSeconds const gpu =
      fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, 14, machine, WorkerKind::gpu);
  CHECK(gpu.source == Approx((cpu.source - cpu.particle) / 10));  // bin is no GPU's
  CHECK(gpu.target == Approx((cpu.target - cpu.particle) / 10));
  CHECK(fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, 14, {}, WorkerKind::gpu).pair == 0);
}

TEST_CASE("costs: every stage goes by its row of the table") {
  FmmSeconds const one = fmm_seconds(Kernel::stokeslet, {}, 10, {});
  auto const twice = [&](WorkRow row) {
    Machine machine;
    machine.speed.cpu[row] = 2;
    return fmm_seconds(Kernel::stokeslet, {}, 10, machine);
  };
  CHECK(twice(WorkRow::leaf_p2p).pair == Approx(one.pair / 2));
  CHECK(twice(WorkRow::m2l).interaction == Approx(one.interaction / 2));
  CHECK(twice(WorkRow::shift).shift == Approx(one.shift / 2));
  CHECK(twice(WorkRow::p2m).source == Approx((one.source + one.particle) / 2));
  CHECK(twice(WorkRow::l2p).target == Approx((one.target + one.particle) / 2));
  CHECK(twice(WorkRow::evaluation).m2p == Approx(one.m2p / 2));
  CHECK(twice(WorkRow::evaluation).p2l == Approx(one.p2l / 2));
  CHECK(twice(WorkRow::points).particle == Approx(one.particle / 2));
  CHECK(twice(WorkRow::points).source == Approx(one.source - one.particle / 2));
}

TEST_CASE("costs: P2M by weights, L2P by values, harmonics beside") {
  auto const ratio = [](Kernel kernel, auto end) {
    auto const of = [&](Kernel k) {
      FmmSeconds const s =
          fmm_seconds(k, k == Kernel::laplace ? Output::potential | Output::gradient : Outputs(), 4, {});
      return s.*end - s.particle;
    };
    return of(kernel) / of(Kernel::laplace);
  };
  // Weights: a charge; four charges; nine components of dipoles; both.
  CHECK(ratio(Kernel::stokeslet, &FmmSeconds::source) == Approx((1 + 4) / 2.0));
  CHECK(ratio(Kernel::stresslet, &FmmSeconds::source) == Approx((1 + 9) / 2.0));
  CHECK(ratio(Kernel::stokes, &FmmSeconds::source) == Approx((1 + 13) / 2.0));
  // Values: the potential, and its gradient.
  FmmSeconds const potential = fmm_seconds(Kernel::laplace, {}, 4, {}),
                   both = fmm_seconds(Kernel::laplace, Output::potential | Output::gradient, 4, {});
  CHECK((both.target - both.particle) / (potential.target - potential.particle) == Approx((9 + 4) / (9 + 1.0)));
}

TEST_CASE(
    "GPU plans: few blocks, some for each CPU worker, none for less than two milliseconds of one; fewer on a GPU") {
  Machine machine{.cpus = 15, .gpus = 1};
  CHECK(gpu_blocks(machine, 10, 0.1, false) == 48);
  CHECK(gpu_blocks(machine, 10, 0.012, false) == Approx(30));
  CHECK(gpu_blocks(machine, 10, 1e-3, false) == 15);
  CHECK(gpu_blocks(machine, 0.02, 1e-3, false) == Approx(10));
  CHECK(gpu_blocks(machine, 1e-4, 1e-6, false) == 1);
  CHECK(gpu_blocks(machine, 10, 100, true) == 16);
  CHECK(gpu_blocks(machine, 10, 4, true) == Approx(4));
  CHECK(gpu_blocks(machine, 10, 1e-3, true) == 1);
  machine.gpus = 4;
  CHECK(gpu_blocks(machine, 10, 0.1, false) == 96);
  CHECK(gpu_blocks(machine, 10, 1, true) == 4 * 16);
  CHECK(gpu_blocks(machine, 10, 0.1, true) == Approx(20));
  CHECK(gpu_blocks(machine, 10, 1e-3, true) == 4 * 4);
}

TEST_CASE("GPU plans: a GPU that does all alike changes little, one that does pairs well makes leaves larger") {
  FmmOptions const options{.outputs = Output::potential | Output::gradient};
  for (double count : {3e5, 1e6, 4e6}) {
    FmmChoice const cpus = choose_fmm_for_uniform<double>(options, count);
    Machine machine = with_gpu(100);
    FmmChoice const alike = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(alike.seconds < 1.25 * cpus.seconds);
    CHECK(alike.cost == Approx(alike.seconds / (100 + 15)).epsilon(0.25));
    CHECK(alike.gpu_seconds < alike.seconds / 100);
    machine.speed.gpu[WorkRow::leaf_p2p] *= 20;
    FmmChoice const pairs = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(pairs.boxes < 0.7 * alike.boxes);
    CHECK(pairs.cost < alike.cost);
    machine = with_gpu(100);
    machine.speed.gpu[WorkRow::m2l] *= 20;
    FmmChoice const interactions = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(interactions.boxes > 1.3 * alike.boxes);
    CHECK(interactions.cost < alike.cost);
  }
}

TEST_CASE("GPU plans: without a GPU in the machine, its rates do not matter") {
  Machine machine = with_gpu(100);
  machine.gpus = 0;
  machine.speed.gpu[WorkRow::leaf_p2p] = 1e-9;
  FmmChoice const here = choose_fmm_for_uniform<double>({}, 1e6, machine),
                  usual = choose_fmm_for_uniform<double>({}, 1e6);
  CHECK(here.depth == usual.depth);
  CHECK(here.boxes == usual.boxes);
  CHECK(here.cost == usual.seconds);
  CHECK(here.gpu_seconds == 0);
}
