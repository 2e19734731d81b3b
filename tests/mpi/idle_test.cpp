// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
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

/// How often a worker looks for tasks in 200 milliseconds while others are woken each millisecond.
int looks(Rest const& rest) {
  std::atomic<int> looks{0};
  RestingWorkers const resting(rest, [&looks] { return ++looks > 0; });
  for (int i = 0; i < 200; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    RestingWorkers::wake();
  }
  return looks;
}

}  // namespace

TEST_CASE("workers that have nothing to do leave their cores to others, where they are to rest") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  Awake awake;
  awake.begin(runtime.shared());  // as in a solve that waits for a message
  struct Busy {  // least and most of three: what a busy machine gives and charges to a process comes and goes
    double least = 1, most = 0;
  };
  auto const busy_seconds = [](Rest const& rest, RestingWorkers::AtWork at_work = {}) {
    RestingWorkers const resting(rest, std::move(at_work));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Busy busy;
    for (int i = 0; i < 3; ++i) {
      double const begin = process_seconds();
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      double const seconds = process_seconds() - begin;
      busy = {std::min(busy.least, seconds), std::max(busy.most, seconds)};
    }
    return busy;
  };
  CHECK(busy_seconds(rest_of_ranks).least < 0.2);
  double const quarter_of_a_core = 0.1;
  CHECK(busy_seconds(rest_of_ranks_beside_gpus).least < quarter_of_a_core);
  // The first workers look all the time while a solve is in flight, as far as a busy machine lets them.
  CHECK(busy_seconds(rest_beside_gpus).most > quarter_of_a_core);
  CHECK(busy_seconds(rest_beside_gpus, [] { return false; }).least < quarter_of_a_core);
}

TEST_CASE("workers beyond those that help are not woken, and do not look more often when others are") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  Awake awake;
  awake.begin(runtime.shared());
  Rest const rest{.first = std::chrono::milliseconds(1), .longest = std::chrono::milliseconds(64), .watchful = 0};
  Rest none = rest;
  none.helpers = 0;
  int const woken = looks(rest), left = looks(none);
  CHECK(woken > 40);
  CHECK(left < 20);  // after 1, 2, 4, ... 64 milliseconds
}
