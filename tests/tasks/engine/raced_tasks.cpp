// SPDX-License-Identifier: BSD-3-Clause
// Races that are meant: ctest passes when the thread sanitizer has told them.
#include "tasks/engine/solve/submit.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

/// No access is declared to what two tasks write here.
double undeclared = 0;

/// Relaxed: it puts nothing in order.
std::atomic<int> running{0};

/// Adds one to its number, while another task does the same, and to what it never declared.
struct Trespass {
  struct Args {
    bool trespasses = false;
  };
  using Accesses = AccessList<ReadWrite>;
  static constexpr char const* name = "moments";
  static char const* symbol() { return "test_trespass"; }
  static void portable(Buffers const& b, Args const& args) {
    running.fetch_add(1, std::memory_order_relaxed);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (running.load(std::memory_order_relaxed) < 2 && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    *b.get<double>(0) += 1;
    if (args.trespasses) undeclared += 1;
  }
};

/// Two tasks at once, which have a number each.
Solve start(Runtime const& runtime, double (&numbers)[2], bool trespass) {
  running = 0;
  return submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    for (double& number : numbers) {
      SolveData const own = SolveData::over("number", &number, 1);
      graph.insert<Trespass>({trespass}, {0, 1.0}, read_write(own));
    }
  });
}

}  // namespace

TEST_CASE("races: two tasks that write what they have not declared") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  double numbers[2] = {1, 2};
  start(runtime, numbers, true).wait();
  CHECK(running == 2);
}

TEST_CASE("races: a result is looked at before its solve has ended") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  double numbers[2] = {1, 2};
  Solve solve = start(runtime, numbers, false);
  while (!(static_cast<double volatile&>(numbers[0]) > 1)) std::this_thread::yield();
  solve.wait();
}
