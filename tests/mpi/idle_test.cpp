// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <ctime>
#include <thread>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

double process_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace

TEST_CASE("workers that have nothing to do leave their cores to others, where they are to rest") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  Awake awake;
  awake.begin(runtime.shared());  // as in a solve that waits for a message
  RestingWorkers const resting;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  double const begin = process_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  CHECK(process_seconds() - begin < 0.2);
}
