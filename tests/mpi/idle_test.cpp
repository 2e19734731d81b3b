// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

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
  auto const busy_seconds = [](Rest const& rest, RestingWorkers::AtWork at_work = {}) {
    RestingWorkers const resting(rest, std::move(at_work));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    double const begin = process_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return process_seconds() - begin;
  };
  CHECK(busy_seconds(rest_of_ranks) < 0.2);
  CHECK(busy_seconds(rest_of_ranks_beside_gpus) < 0.06);
  CHECK(busy_seconds(rest_beside_gpus) > 0.2);  // the first workers look all the time, while a solve is in flight
  CHECK(busy_seconds(rest_beside_gpus, [] { return false; }) < 0.06);
}
