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

TEST_CASE("balance: CPUs leave P2P to the GPUs while those are fast enough") {
  auto balance = with_work(4, 1, 4, 10);
  balance.runs_on_gpus(&p2p);
  balance.submitted(&p2p, true, 1e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.01);  // 10 s of a core are 0.1 s of the GPU
  CHECK(balance.leave_to_gpus(&p2p, 1e9));    // one task here: 1 s
  CHECK(!balance.leave_to_gpus(&p2p, 5e7));   // 0.05 s: it would be done before
  CHECK(!balance.leave_to_gpus(&fft, 1e12));  // no GPU can
}

TEST_CASE("balance: a far stage that runs on GPUs is left to them too, and what they have to do is both") {
  auto balance = with_work(4, 1, 4, 10);
  for (auto const* stage : {&fft, &p2p}) {
    balance.runs_on_gpus(stage);
    balance.submitted(stage, stage == &p2p, 1e9);
    balance.ended(stage, Kind::gpu, 1e9, 0.01);
  }
  CHECK(balance.leave_to_gpus(&fft, 1e9));  // 1 s here, 0.04 and 0.1 s of the GPU
  CHECK(balance.leave_to_gpus(&fft, 1.5e8));
  CHECK(!balance.leave_to_gpus(&fft, 1.3e8));
  CHECK(!balance.leave_to_gpus(&p2p, 1.3e8));
}

TEST_CASE("balance: GPUs do P2P until the CPUs are the ones to wait for") {
  auto balance = with_work(4, 1, 4, 10);  // 1 s of the four cores
  balance.runs_on_gpus(&p2p);
  balance.submitted(&p2p, true, 1e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.2);  // 2 s of the GPU
  CHECK(balance.gpus_keep_to_filler());
  balance.ended(&p2p, Kind::gpu, 6e9, 1.2);  // 0.8 s left of it
  CHECK(!balance.gpus_keep_to_filler());
}

TEST_CASE("balance: what is submitted counts at once, what has ended no longer") {
  auto balance = with_work(1, 1, 1, 10);
  balance.runs_on_gpus(&p2p);
  balance.submitted(&p2p, true, 1e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.2);  // 2 s of the GPU, 1 s of the CPU
  CHECK(balance.gpus_keep_to_filler());
  balance.submitted(&fft, false, 2e9);  // 3 s
  CHECK(!balance.gpus_keep_to_filler());
  balance.ended(&fft, Kind::cpu, 2e9, 2);
  CHECK(balance.gpus_keep_to_filler());
}

TEST_CASE("balance: without work, or without GPUs, nothing is held back") {
  WorkBalance balance;
  balance.add_worker(Kind::cpu);
  CHECK(!balance.leave_to_gpus(&p2p, 1e9));
  CHECK(!balance.has_gpus());
}
