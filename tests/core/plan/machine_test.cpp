// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/machine.hpp"

#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/plan/fmm/choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace nearfar;

namespace {

EwaldOptions options_for(Periodicity periodicity) {
  EwaldOptions o;
  o.periodicity = periodicity;
  return o;
}

/// Near 10 s, far 6 s of one CPU worker; the near part 1 s of a GPU.
Work ten_and_six() {
  Work w;
  w.pairs = {10, 1};
  w.spread = {1};
  w.gather = {2};
  w.planes = {1};
  w.columns = {2};
  return w;
}

/// Its GPUs are so many reference cores in P2P.
Machine with_gpu(int cpus, double speed) {
  Machine machine{.cpus = cpus, .gpus = 1};
  machine.speed.gpu[WorkRow::p2p] = speed;
  return machine;
}

}  // namespace

TEST_CASE("machine: CPUs share all evenly") {
  Machine machine{.cpus = 4};
  CHECK(machine.seconds(10, 0, 6, 0) == 4);
  CHECK(cost_of(ten_and_six(), machine) == ten_and_six().total());
  CHECK(near_gpu_seconds(ten_and_six(), machine) == 0);
}

TEST_CASE("machine: GPUs take the near part as far as that ends sooner") {
  Machine machine = with_gpu(2, 1);
  CHECK(near_gpu_seconds(ten_and_six(), machine) == doctest::Approx(1 + 8 * gpu_task));  // four tasks for each CPU
  CHECK(machine.seconds(10, 0, 6, 1) == doctest::Approx(3));  // all of it, within the far part of the CPUs
  CHECK(machine.seconds(10, 0, 6, 3) == doctest::Approx(3));
  // 12 s of GPU: (6 + 10 x) / 2 = 12 (1 - x), x = 9 / 17.
  CHECK(machine.seconds(10, 0, 6, 12) == doctest::Approx((6 + 90.0 / 17) / 2));
  CHECK(machine.seconds(10, 0, 6, 1e9) == doctest::Approx(8));  // a GPU that is no use
  CHECK(machine.seconds(0, 0, 6, 0) == doctest::Approx(3));
  CHECK(machine.seconds(10, 0, 0, 10) == doctest::Approx(10.0 / 3));  // as three workers alike
  // A CPU begins none of its 2 s that the GPU would have done sooner.
  CHECK(machine.seconds(10, 0, 0, 1.5, 2) == doctest::Approx(1.8 / 1.3));
  CHECK(machine.seconds(10, 0, 0, 1, 2) == doctest::Approx(1));
  CHECK(machine.seconds(10, 2, 0, 1, 10) == doctest::Approx(2));  // 1 s in bin and merge, 1 s on the GPU between
  machine.gpus = 2;
  CHECK(machine.seconds(10, 0, 0, 10) == doctest::Approx(10.0 / 4));
  CHECK(cost_of(ten_and_six(), machine) == doctest::Approx(2 * machine.seconds(10, 0, 6, 1 + 8 * gpu_task)));
}

TEST_CASE("machine: one GPU does all where it has every stage and there is enough to do") {
  Machine machine = with_gpu(2, 1);
  Work work = ten_and_six();
  work.points = {1, 0.25};
  work.spread.gpu = 0.5;
  work.planes.gpu = 0.25;
  work.targets = 1e5;
  CHECK(!machine.all_on_gpus(work.targets));
  machine.all_stages = true;
  CHECK(machine.all_on_gpus(work.targets));
  CHECK(gpu_tasks(work, machine) == 1);
  CHECK(cost_of(work, machine) == doctest::Approx(2 * (2 + 10 * gpu_task)));  // ten stages
  work.targets = 1000;
  CHECK(!machine.all_on_gpus(work.targets));
}

TEST_CASE("machine: several GPUs share a sum from some size on, and any if so many were asked for") {
  Machine machine{.cpus = 4, .gpus = 4, .least_shared = least_for_several_gpus, .all_stages = true};
  auto const gpus_of_ewald = [&](std::size_t count) {
    auto const p = choose_parameters<double>({}, count, count, {}, machine);
    return p.blocks[0] * p.blocks[1] * p.blocks[2];
  };
  auto const gpus_of_fmm = [&](double count) { return choose_fmm_for_uniform<double>({}, count, machine).gpus; };
  CHECK(gpus_of_ewald(100000) == 1);
  CHECK(gpus_of_ewald(1000000) == 4);
  CHECK(gpus_of_fmm(1e5) == 1);
  CHECK(gpus_of_fmm(1e6) == 4);
  CHECK(machine.for_points(1000).gpus == 4);  // CPU workers do such small sums, and GPUs help with pairs
  machine.least_shared = 0;
  CHECK(gpus_of_ewald(100000) == 4);
  CHECK(gpus_of_fmm(1e5) == 4);
}

TEST_CASE("machine: tasks that are fewer than workers take as long as one, and the fullest worker counts") {
  Machine const machine{.cpus = 4};
  CHECK(machine.span(6, 1) == 6);
  CHECK(machine.span(6, 3) == 2);
  CHECK(machine.span(6, 4) == 1.5);
  CHECK(machine.span(6, 6) == 2);
  CHECK(machine.span(6, 60) == doctest::Approx(1.5));
  CHECK(machine.span(6, 0) == 0);
}

TEST_CASE("machine: a GPU wants long tasks, and takes longer for each") {
  Machine const machine = with_gpu(4, 1);
  Work work;
  work.pairs = {1, 0.01};
  CHECK(gpu_tasks(work, machine) == doctest::Approx(10));
  CHECK(near_gpu_seconds(work, machine) == doctest::Approx(0.01 + 10 * gpu_task));
  work.pairs.gpu = 1e-4;
  CHECK(gpu_tasks(work, machine) == 4);
  work.pairs.gpu = 1;
  CHECK(gpu_tasks(work, machine) == 16);
}

TEST_CASE("layout: enough tasks for the workers, long ones where there is enough to do") {
  EwaldOptions const o = options_for(Periodicity::xyz);
  auto const plan = [&](std::size_t count, Machine const& machine) {
    return choose_parameters<double>(o, count, count, {}, machine);
  };
  auto const blocks = [](EwaldPlanning const& p) { return p.blocks[0] * p.blocks[1] * p.blocks[2]; };
  EwaldPlanning const few = plan(100000, {.cpus = 2}), many = plan(100000, {.cpus = 16});
  CHECK(blocks(few) >= 8);
  CHECK(blocks(many) >= 15);
  CHECK(many.slabs >= 12);
  CHECK(many.columns > few.columns);
  CHECK(many.chain_seconds < few.chain_seconds);
  // One after the other: nothing is shared by more workers than there are tasks.
  EwaldPlanning const one = plan(100000, {.cpus = 1});
  Work const work = predict_work(o, one, 1, 100000, 100000, {}, 1);
  CHECK(one.far_seconds == doctest::Approx(work.far()));
  CHECK(one.chain_seconds == doctest::Approx(work.far() + work.points.cpu));
  CHECK(one.last_seconds * blocks(one) == doctest::Approx(work.gather.cpu + work.points.cpu / 2));
  EwaldPlanning const thousand = plan(3000, {.cpus = 1000});
  Work const little = predict_work(o, thousand, 1, 3000, 3000, {}, 1);
  auto const least = [](double seconds, int tasks) { return seconds / tasks; };  // all at once
  CHECK(thousand.chain_seconds ==
        doctest::Approx(6 * 1000 * 2e-6 + 1.12 * (least(little.points.cpu + little.gather.cpu, blocks(thousand)) +
                                                  least(little.spread.cpu + little.planes.cpu, thousand.slabs) +
                                                  least(little.columns.cpu, thousand.columns))));
  for (int cpus : {2, 16}) {
    EwaldPlanning const million = plan(1000000, {.cpus = cpus});
    CHECK(million.near_seconds / blocks(million) > 6e-3);
    CHECK(million.near_seconds / blocks(million) < 14e-3);
  }
  CHECK(blocks(plan(1000000, with_gpu(16, 100))) >= 16);
  CHECK(blocks(plan(1000000, with_gpu(16, 100))) <= 4 * 16);
}

TEST_CASE("layout: blocks come in whole rounds of the workers") {
  EwaldOptions const o = options_for(Periodicity::xyz);
  for (double speed : {20, 45, 87, 126})
    for (int cpus : {6, 12, 15, 16, 24, 48})
      for (std::size_t count : {100000, 1000000}) {
        auto const p = choose_parameters<double>(o, count, count, {}, with_gpu(cpus, speed));
        CAPTURE(speed);
        CAPTURE(cpus);
        CAPTURE(count);
        double rounds = 1.0 / cpus, largest = 1;
        for (std::size_t d = 0; d < 3; ++d) {
          rounds *= p.blocks[d];
          largest *= std::ceil(double(p.cells[d]) / p.blocks[d]) / p.cells[d];
        }
        CAPTURE(rounds);
        // A stage with one task for each block, in what it would take if it were shared evenly.
        CHECK(std::ceil(rounds) * largest * cpus <= 1.4);
      }
}

TEST_CASE("machine: the last worker ends half a task after the mean") {
  CHECK(Machine{.cpus = 1}.until_last(3, 1) == 3);
  CHECK(Machine{.cpus = 4}.until_last(3, 1) == doctest::Approx(3.375));
}

TEST_CASE("machine: plans of CPUs alone do not depend on their number, and a GPU makes the cutoff longer") {
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none}) {
    EwaldOptions const o = options_for(periodicity);
    auto const plan = [&](Machine const& machine) {
      return choose_parameters<double>(o, 1000000, 1000000, {}, machine);
    };
    EwaldPlanning const alone = plan({}), many = plan({.cpus = 48});
    CHECK(alone.cutoff == many.cutoff);
    CHECK(alone.grid == many.grid);
    CHECK(alone.window_points == many.window_points);
    CHECK(alone.near_gpu_seconds == 0);
    Machine const fast = with_gpu(16, 70);
    EwaldPlanning const with = plan(fast);
    CHECK(with.cutoff > 1.1 * alone.cutoff);
    CHECK(with.far_seconds < alone.far_seconds);
    CHECK(with.near_gpu_seconds > 0);
    CHECK(fast.seconds(with.near_seconds, 0, with.far_seconds, with.near_gpu_seconds) <
          many.near_seconds / 16 + many.far_seconds / 16);
    // One that is slower than the CPUs together changes next to nothing.
    Machine const slow = with_gpu(16, 1e-9);
    CHECK(plan(slow).cutoff == doctest::Approx(alone.cutoff));
  }
}
