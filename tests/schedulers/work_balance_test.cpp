// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/work_balance.hpp"

#include <doctest/doctest.h>

using nearfar::WorkBalance;
using Kind = WorkBalance::Kind;

namespace {

int fft, p2p;  // stages are addresses

/// Work left: `far` and `near` seconds of a core, both measured at 1 s per 1e9 flops.
WorkBalance with_work(int cpus, int gpus, double far, double near) {
  WorkBalance balance;
  for (int i = 0; i < cpus; ++i) balance.add_worker(Kind::cpu);
  for (int i = 0; i < gpus; ++i) balance.add_worker(Kind::gpu);
  balance.submitted(&fft, false, 1e9 * (far + 1));
  balance.ended(&fft, Kind::cpu, 1e9, 1);
  balance.submitted(&p2p, true, 1e9 * (near + 1));
  balance.ended(&p2p, Kind::cpu, 1e9, 1);
  return balance;
}

}  // namespace

TEST_CASE("balance: CPUs are shared in proportion to what is left") {
  auto const far_workers = [](int cpus, double far, double near) {
    auto balance = with_work(cpus, 0, far, near);
    int count = 0;
    while (count < cpus && !balance.filler_first(Kind::cpu)) ++count, balance.far_began();
    return count;
  };
  CHECK(far_workers(1, 1, 9) == 1);  // never none, however little is left: the chain is what others wait for
  CHECK(far_workers(2, 1, 1) == 1);
  CHECK(far_workers(2, 1, 9) == 1);
  CHECK(far_workers(2, 9, 1) == 2);
  CHECK(far_workers(8, 1, 1) == 4);
  CHECK(far_workers(8, 1, 3) == 2);
  CHECK(far_workers(8, 1, 0) == 8);
}

TEST_CASE("balance: a far-field task that ends makes place for another one") {
  auto balance = with_work(2, 0, 1, 1);
  balance.far_began();
  CHECK(balance.filler_first(Kind::cpu));
  balance.far_ended();
  CHECK(!balance.filler_first(Kind::cpu));
}

TEST_CASE("balance: what ended is no longer left, and speeds are those measured") {
  auto balance = with_work(2, 0, 1, 3);  // far 1 s, near 3 s: one worker each
  balance.far_began();
  CHECK(balance.filler_first(Kind::cpu));
  balance.ended(&p2p, Kind::cpu, 2.9e9, 2.9);  // near 0.1 s: both to the far field
  CHECK(!balance.filler_first(Kind::cpu));
  balance.submitted(&p2p, true, 1e9);  // near 1.1 s
  CHECK(balance.filler_first(Kind::cpu));
}

TEST_CASE("balance: with GPUs the CPUs keep to the far field, and leave P2P while the GPUs are fast enough") {
  auto balance = with_work(4, 1, 4, 10);
  balance.runs_on_gpus(&p2p);
  for (int i = 0; i < 3; ++i) balance.far_began();
  CHECK(!balance.filler_first(Kind::cpu));
  balance.submitted(&p2p, true, 1e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.01);  // 10 s of a core are 0.1 s of the GPU
  CHECK(balance.leave_to_gpus(&p2p, 1e9));    // one task here: 1 s
  CHECK(!balance.leave_to_gpus(&p2p, 5e7));   // 0.05 s: it would be done before
  CHECK(!balance.leave_to_gpus(&fft, 1e12));  // no GPU can
}

TEST_CASE("balance: GPUs do P2P until the CPUs are the ones to wait for") {
  auto balance = with_work(4, 1, 4, 10);  // 1 s of the four cores
  balance.runs_on_gpus(&p2p);
  balance.submitted(&p2p, true, 1e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.2);  // 2 s of the GPU
  CHECK(balance.filler_first(Kind::gpu));
  balance.ended(&p2p, Kind::gpu, 6e9, 1.2);  // 0.8 s left of it
  CHECK(!balance.filler_first(Kind::gpu));
}

TEST_CASE("balance: without work, or without GPUs, nothing is held back") {
  WorkBalance balance;
  balance.add_worker(Kind::cpu);
  CHECK(!balance.filler_first(Kind::cpu));
  CHECK(!balance.leave_to_gpus(&p2p, 1e9));
  CHECK(!balance.has_gpus());
}
