// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/work_balance.hpp"

#include <doctest/doctest.h>

using nearfar::WorkBalance;
using Kind = WorkBalance::Kind;

namespace {

int fft, p2p;  // stages are addresses

/// The first task on a GPU says nothing.
void warm_up(WorkBalance& balance, WorkBalance::Stage stage) { balance.ended(stage, Kind::gpu, 0, 0); }

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
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 1e9);
  warm_up(balance, &p2p);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.01);  // 10 s of a core are 0.1 s of the GPU
  CHECK(balance.leave_to_gpus(&p2p, 1e9));    // one task here: 1 s
  CHECK(!balance.leave_to_gpus(&p2p, 5e7));   // 0.05 s: it would be done before
  CHECK(!balance.leave_to_gpus(&fft, 1e12));  // no GPU can
}

TEST_CASE("balance: a far stage that runs on GPUs is left to them too, and what they have to do is both") {
  auto balance = with_work(4, 1, 4, 10);
  for (auto const* stage : {&fft, &p2p}) {
    balance.runs_on_gpus(stage, true);
    balance.submitted(stage, stage == &p2p, 1e9);
    warm_up(balance, stage);
    balance.ended(stage, Kind::gpu, 1e9, 0.01);
  }
  CHECK(balance.leave_to_gpus(&fft, 1e9));  // 1 s here, 0.04 and 0.1 s of the GPU
  CHECK(balance.leave_to_gpus(&fft, 1.5e8));
  CHECK(!balance.leave_to_gpus(&fft, 1.3e8));
  CHECK(!balance.leave_to_gpus(&p2p, 1.3e8));
}

TEST_CASE("balance: GPUs do P2P until the CPUs are the ones to wait for") {
  auto balance = with_work(4, 1, 4, 10);  // 1 s of the four cores
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 1e9);
  warm_up(balance, &p2p);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.2);  // 2 s of the GPU
  CHECK(balance.gpus_keep_to_filler());
  balance.ended(&p2p, Kind::gpu, 6e9, 1.2);  // 0.8 s left of it
  CHECK(!balance.gpus_keep_to_filler());
}

TEST_CASE("balance: what is submitted counts at once, what has ended no longer") {
  auto balance = with_work(1, 1, 1, 10);
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 1e9);
  warm_up(balance, &p2p);
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

TEST_CASE("balance: what CPUs have begun is not left for the GPUs") {
  auto balance = with_work(4, 1, 4, 10);
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 1e9);
  warm_up(balance, &p2p);
  balance.ended(&p2p, Kind::gpu, 1e9, 0.01);  // 0.1 s of the GPU are left
  CHECK(!balance.leave_to_gpus(&p2p, 8e7));   // 0.08 s here
  balance.begun_on_cpu(&p2p, 5e9);
  CHECK(balance.leave_to_gpus(&p2p, 8e7));  // 0.05 s there
  balance.ended(&p2p, Kind::cpu, 5e9, 5);
  CHECK(balance.leave_to_gpus(&p2p, 8e7));
  CHECK(!balance.leave_to_gpus(&p2p, 4e7));
}

TEST_CASE("balance: first tasks that waited for long are forgotten") {
  auto balance = with_work(4, 1, 4, 10);
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 4e9);
  balance.ended(&p2p, Kind::gpu, 1e9, 500);  // its code was loaded
  CHECK(balance.leave_to_gpus(&p2p, 1e9));   // 13 s of a core, taken for sixteen cores
  balance.ended(&p2p, Kind::gpu, 2e9, 10);   // it got memory
  CHECK(!balance.leave_to_gpus(&p2p, 1e9));
  balance.ended(&p2p, Kind::gpu, 1e9, 0.01);
  CHECK(balance.leave_to_gpus(&p2p, 1e9));
}

TEST_CASE("balance: CPUs leave other far stages to GPUs that help with them, where those end a stage sooner") {
  auto balance = with_work(4, 1, 4, 0.1);
  balance.runs_on_gpus(&fft, false);
  CHECK(!balance.gpus_keep_to_filler());
  CHECK(balance.leave_to_gpus(&fft, 1e9));  // 4 s of a core, a quarter of a second of what is taken for sixteen
  balance.submitted(&fft, false, 1e9);
  warm_up(balance, &fft);
  balance.ended(&fft, Kind::gpu, 1e9, 0.5);  // 2 s are left
  CHECK(!balance.leave_to_gpus(&fft, 1.9e9));
  CHECK(balance.leave_to_gpus(&fft, 2.1e9));
  // Not while they keep to P2P.
  balance.runs_on_gpus(&p2p, true);
  balance.submitted(&p2p, true, 1e12);
  CHECK(balance.gpus_keep_to_filler());
  CHECK(!balance.leave_to_gpus(&fft, 2.1e9));
}
