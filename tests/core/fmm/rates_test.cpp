// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/rates.hpp"

#include "core/fmm/choice.hpp"
#include "core/fmm/flops.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace nearfar;
using doctest::Approx;

namespace {

/// A GPU that is `speed` CPU workers in everything, but for what is changed.
FmmMachine with_gpu(double speed, int cpus = 15) {
  FmmMachine machine{default_fmm_rates<double>(), cpus, 1};
  FmmRates const& r = machine.rates;
  auto const link = [&](int order) { return (r.link + r.translation * m2l_flops(order)) / speed; };
  auto const [low, middle, high] = fmm_gpu_orders<double>;
  FmmEnds const ends = fmm_ends(Kernel::laplace, true, middle);
  FmmFlops const flops = fmm_flops(Kernel::laplace, true, middle);
  double const source = r.source * ends.p2m / flops.p2m / speed;
  machine.gpu = {.pair = r.pair / speed,
                 .low_link = link(low),
                 .middle_link = link(middle),
                 .high_link = link(high),
                 .shift = r.shift / speed,
                 .high_shift = r.shift / speed,
                 .source = source,
                 .high_source = source,
                 .target = r.target * ends.l2p / flops.l2p / speed,
                 .task = 1e-9,
                 .short_task = 1e-9};
  return machine;
}

}  // namespace

TEST_CASE("GPU rates: links cost what was measured at three orders, and powers between and beyond") {
  FmmGpuRates r;
  r.low_link = 1;
  r.middle_link = 8;
  r.high_link = 100;
  auto const link = [&](Kernel kernel, int order) { return fmm_gpu_seconds<double>(kernel, false, order, r).link; };
  auto const [low, middle, high] = fmm_gpu_orders<double>;
  CHECK(link(Kernel::laplace, low) == Approx(1));
  CHECK(link(Kernel::laplace, middle) == Approx(8));
  CHECK(link(Kernel::laplace, high) == Approx(100));
  CHECK(link(Kernel::stokeslet, high) == Approx(4 * 100));  // right-hand sides
  double const exponent = std::log(8) / std::log(double(middle) / low);
  CHECK(link(Kernel::laplace, 10) == Approx(std::pow(10.0 / low, exponent)));
  CHECK(link(Kernel::laplace, 3) == Approx(std::pow(3.0 / low, exponent)));
  CHECK(link(Kernel::laplace, 28) == Approx(100 * std::pow(28.0 / high, std::log(12.5) / std::log(24.0 / 14))));
}

TEST_CASE("GPU rates: seconds of the other stages by flop, P2M and shifts dearer at high orders") {
  FmmGpuRates const r{.pair = 2,
                      .shift = 3,
                      .high_shift = 4,
                      .source = 5,
                      .high_source = 10,
                      .target = 7,
                      .task = 11,
                      .short_task = 13,
                      .start = 17};
  auto const [low, middle, high] = fmm_gpu_orders<double>;
  FmmFlops const f = fmm_flops(Kernel::laplace, true, low), fine = fmm_flops(Kernel::laplace, true, high);
  FmmGpuSeconds const s = fmm_gpu_seconds<double>(Kernel::laplace, true, low, r);
  CHECK(s.pair == Approx(2 * f.pair));
  CHECK(s.shift == Approx(3 * (f.m2m + f.l2l) / 2));
  CHECK(s.source == Approx(5 * f.p2m));
  CHECK(s.target == Approx(7 * f.l2p));
  CHECK(s.task == 11);
  CHECK(s.short_task == 13);
  CHECK(s.start == 17);
  CHECK(fmm_gpu_seconds<double>(Kernel::laplace, true, middle, r).source ==
        Approx(5 * fmm_flops(Kernel::laplace, true, middle).p2m));
  CHECK(fmm_gpu_seconds<double>(Kernel::laplace, true, high, r).source == Approx(10 * fine.p2m));
  CHECK(fmm_gpu_seconds<double>(Kernel::laplace, true, high, r).shift == Approx(4 * (fine.m2m + fine.l2l) / 2));
}

TEST_CASE("rates of CPU workers: P2M by weights, L2P by values, harmonics beside") {
  FmmRates const r{.source = 2, .target = 3, .particle = 10};
  auto const seconds = [&](Kernel kernel) { return fmm_seconds(kernel, kernel == Kernel::laplace, 4, r); };
  // 25 coefficients; weights: a charge; four charges; nine components of dipoles; both. Half a particle for bin.
  CHECK(seconds(Kernel::laplace).source == Approx(2 * 25 * (1 + 1) + 5));
  CHECK(seconds(Kernel::stokeslet).source == Approx(2 * 25 * (1 + 4) + 5));
  CHECK(seconds(Kernel::stresslet).source == Approx(2 * 25 * (1 + 9) + 5));
  CHECK(seconds(Kernel::stokes).source == Approx(2 * 25 * (1 + 13) + 5));
  CHECK(seconds(Kernel::laplace).target == Approx(3 * 25 * (9 + 4) + 5));  // the potential and its gradient
  CHECK(fmm_seconds(Kernel::laplace, false, 4, r).target == Approx(3 * 25 * (9 + 1) + 5));
}

TEST_CASE("GPU plans: few blocks, some for each CPU worker, none for less than two milliseconds of one") {
  FmmMachine machine{default_fmm_rates<double>(), 15, 1};
  CHECK(machine.gpu_blocks(10, 0.1) == 48);
  CHECK(machine.gpu_blocks(10, 0.012) == Approx(30));
  CHECK(machine.gpu_blocks(10, 1e-3) == 15);
  CHECK(machine.gpu_blocks(0.02, 1e-3) == Approx(10));
  CHECK(machine.gpu_blocks(1e-4, 1e-6) == 1);
  machine.gpus = 4;
  CHECK(machine.gpu_blocks(10, 0.1) == 96);
}

TEST_CASE("GPU plans: a GPU that does all alike changes little, one that does pairs well makes leaves larger") {
  FmmOptions const options{.gradient = true};
  for (double count : {3e5, 1e6, 4e6}) {
    FmmChoice const cpus = choose_fmm_for_uniform<double>(options, count);
    FmmMachine machine = with_gpu(100);
    FmmChoice const alike = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(alike.seconds < 1.25 * cpus.seconds);
    CHECK(alike.cost == Approx(alike.seconds / (100 + 15)).epsilon(0.25));
    CHECK(alike.gpu_seconds < alike.seconds / 100);
    machine.gpu.pair /= 20;
    FmmChoice const pairs = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(pairs.boxes < 0.7 * alike.boxes);
    CHECK(pairs.cost < alike.cost);
    machine = with_gpu(100);
    for (auto const link : {&FmmGpuRates::low_link, &FmmGpuRates::middle_link, &FmmGpuRates::high_link})
      machine.gpu.*link /= 20;
    FmmChoice const links = choose_fmm_for_uniform<double>(options, count, machine);
    CHECK(links.boxes > 1.3 * alike.boxes);
    CHECK(links.cost < alike.cost);
  }
}

TEST_CASE("GPU plans: without a GPU in the machine, its rates do not matter") {
  FmmMachine machine = with_gpu(100);
  machine.gpus = 0;
  machine.gpu.pair = 1e3;
  FmmChoice const here = choose_fmm_for_uniform<double>({}, 1e6, machine),
                  usual = choose_fmm_for_uniform<double>({}, 1e6);
  CHECK(here.depth == usual.depth);
  CHECK(here.boxes == usual.boxes);
  CHECK(here.cost == usual.seconds);
  CHECK(here.gpu_seconds == 0);
}
