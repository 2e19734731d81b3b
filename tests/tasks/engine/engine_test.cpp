// SPDX-License-Identifier: BSD-3-Clause
// Data, results and submission with stages of a few lines, where it can be seen what StarPU makes of them.
#include "tasks/engine/dag.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/engine/reused_room.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

/// Bytes that StarPU has for a handle.
std::size_t bytes_of(Handle handle) { return starpu_data_get_size(handle); }

std::atomic<int> writing;
std::atomic<bool> met;

/// Writes its number to its row, when another task of the stage runs, or after a while.
struct WriteRow {
  struct Args {
    int row = 0;
  };
  using Accesses = AccessList<WriteRows>;
  static constexpr char const* name = "merge";
  static char const* symbol() { return "test_write_row"; }
  static void portable(Buffers const& b, Args const& args) {
    ++writing;
    for (int i = 0; i < 200 && !met; ++i) {
      if (writing > 1) met = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    b.get<double>(0)[args.row] = args.row;
    --writing;
  }
};

struct Add {
  struct Args {
    int number = 1;
  };
  using Accesses = AccessList<ReadWrite>;
  static constexpr char const* name = "reduce";
  static char const* symbol() { return "test_add"; }
  static void portable(Buffers const& b, Args const& args) { *b.get<int>(0) += args.number; }
};

/// Fails, as the task with that number.
struct Fail {
  struct Args {
    int number = 0;
  };
  using Accesses = AccessList<ReadWrite>;
  static constexpr char const* name = "reduce";
  static char const* symbol() { return "test_fail"; }
  static void portable(Buffers const& b, Args const& args) {
    ++*b.get<int>(0);
    throw Error(Fault::bad_input, "task " + std::to_string(args.number));
  }
};

/// A solve of four tasks that write a row each; the edges between them.
std::size_t write_rows(Runtime const& runtime, bool one_memory) {
  std::vector<double> result(4, -1);
  writing = 0;
  met = false;
  Solve solve = submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    ResultRows const rows(graph.solve(), std::span(result), result.size(), one_memory);
    for (int i = 0; i < 4; ++i) graph.insert<WriteRow>({i}, {i, 1.0}, write(rows.of(std::size_t(i))));
  });
  solve.wait();
  CHECK(result == std::vector<double>{0, 1, 2, 3});
  for (auto const& task : solve.state()->tasks())
    for (auto const& [handle, mode] : task.accesses) CHECK((mode & STARPU_W) != 0);
  return dependencies(solve.state()->tasks()).size();
}

}  // namespace

// Also run by a test of its own where StarPU takes main memory for two (engine_numa_test).
TEST_CASE("result rows: declared as writes, and at once where all tasks run in one memory; else in turn") {
  Runtime const runtime({.scheduler = "prio", .cpus = 2, .gpus = 0});
  bool const one_memory = runs_in_one_memory(codelet_of<WriteRow>());
  CHECK(one_memory == (std::getenv("STARPU_USE_NUMA") == nullptr));
  if (one_memory) {
    CHECK(write_rows(runtime, true) == 0);
    CHECK(met);
  }
  CHECK(write_rows(runtime, false) == 0);  // any order
  CHECK(!met);
}

TEST_CASE("runtime: more CPU workers than StarPU can have") {
  CHECK_THROWS_WITH_AS(Runtime({.cpus = 100000}), doctest::Contains("100000 CPU workers were asked for"), Error);
}

TEST_CASE("runtime: networks and delays that cannot be, and another network than that of the runtime that is up") {
  double const infinite = std::numeric_limits<double>::infinity();
  for (NetworkSpeed const speed : {NetworkSpeed{-1, 0}, NetworkSpeed{infinite, 1}, NetworkSpeed{0, -1}})
    CHECK_THROWS_WITH_AS(Runtime({.network = speed}), doctest::Contains("network between ranks"), Error);
  for (double const delay : {-1.0, 2000.0, infinite})
    CHECK_THROWS_WITH_AS(Runtime({.message_delay = delay}), doctest::Contains("no delay for tests"), Error);
  Runtime const runtime({.cpus = 1, .gpus = 0, .network = NetworkSpeed{1e-5, 1e9}});
  CHECK_NOTHROW(Runtime({.network = NetworkSpeed{1e-5, 1e9}}));
  CHECK_THROWS_WITH_AS(Runtime({.network = NetworkSpeed{1e-5, 2e9}}), doctest::Contains("other options"), Error);
  CHECK_THROWS_WITH_AS(Runtime({.message_delay = 1}), doctest::Contains("other options"), Error);
}

TEST_CASE("data: sizes beyond 32 bits; every rank has its own; what is constant says so") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  constexpr std::int64_t many = (std::int64_t(1) << 33) + 7;
  Data const large = Data::temporary<double>("large", many), small = Data::temporary<float>("small", 5);
  CHECK(bytes_of(large) == 8 * std::size_t(many));
  CHECK(bytes_of(small) == 20);
  CHECK(large.traits().owner == everywhere);
  CHECK(large.traits().home.node == Home::runtime().node);
  CHECK(!is_constant(large));
  double const number = 1;
  Data const constant = Data::constant("constant", &number, 1);
  CHECK(constant.traits().constant);
  CHECK(is_constant(constant));
  CHECK(constant.traits().home.node == STARPU_MAIN_RAM);
  CHECK_THROWS_WITH_AS(Data::temporary<double>("wrong", -1), doctest::Contains("-1 elements"), Error);
}

TEST_CASE("data of a solve go by themselves when its tasks have ended, those of a plan wait") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  int sum = 0;
  {
    Data const kept = Data::over("kept", &sum, 1);
    for (int round = 0; round < 100; ++round)
      submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
        SolveData const temporary = SolveData::temporary<int>("temporary", 1000);
        graph.insert<Add>({1}, {0, 1.0}, read_write(kept));
      }).wait();
  }
  CHECK(sum == 100);
  Solve solve = submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    SolveData const data = SolveData::over("sum", &sum, 1);
    for (int i = 0; i < 10; ++i) graph.insert<Add>({i}, {i, 1.0}, read_write(data));
  });
  solve.wait();
  CHECK(sum == 145);
}

TEST_CASE(
    "memory of data that GPUs have: large sizes that differ a little are the same, and a sixteenth more at most") {
  constexpr std::size_t mega = std::size_t(1) << 20;
  for (std::size_t bytes : {std::size_t(0), std::size_t(1000), 4 * mega}) CHECK(reused_room(bytes) == bytes);
  for (std::size_t bytes = 4 * mega + 1; bytes < (std::size_t(1) << 36); bytes += bytes / 7) {
    std::size_t const room = reused_room(bytes);
    CHECK(room >= bytes);
    CHECK(double(room) <= double(bytes) * 17 / 16);
    CHECK(reused_room(room) == room);
    CHECK(reused_room(room - bytes / 40) == room);
  }
}

TEST_CASE("submit: what the builder throws comes from it, and the runtime goes on") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  int sum = 0;
  auto const submit = [&](bool constant) {
    return submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
      SolveData const data = SolveData::over("sum", &sum, 1), fixed = SolveData::constant("fixed", &sum, 1);
      graph.insert<Add>({1}, {0, 1.0}, read_write(data));
      if (constant) graph.insert<Add>({1}, {1, 1.0}, read_write(fixed));
    });
  };
  CHECK_THROWS_WITH_AS(submit(true), doctest::Contains("would write data that are constant"), Error);
  sum = 0;
  submit(false).wait();
  CHECK(sum == 1);
}

TEST_CASE("errors: of several tasks that fail, the first one's is told, and those after it do nothing") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  int runs = 0;
  Solve solve = submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    SolveData const data = SolveData::over("runs", &runs, 1);
    for (int i = 1; i <= 5; ++i) graph.insert<Fail>({i}, {i, 1.0}, read_write(data));
  });
  for (int again = 0; again < 2; ++again)
    CHECK_THROWS_WITH_AS(solve.wait(), doctest::Contains("task 1 (stage reduce, block 1"), Error);
  CHECK(runs == 1);
}
