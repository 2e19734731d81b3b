// SPDX-License-Identifier: BSD-3-Clause
// Tasks that run as one: in their order, with the accesses of all of them, and with the errors of each.
#include "tasks/engine/chain/chain.hpp"

#include "tasks/engine/solve/submit.hpp"
#include "tasks/engine/workspaces.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

struct Set {
  struct Args {
    int number = 0;
  };
  using Accesses = AccessList<Write>;
  static constexpr char const* name = "units";
  static char const* symbol() { return "test_chain_set"; }
  static void portable(Buffers const& b, Args const& args) { *b.get<int>(0) = args.number; }
  static void gpu(Buffers const&, Args const&, void*) {}
};

/// to = 10 * to + from
struct Append {
  struct Args {};
  using Accesses = AccessList<Read, ReadWrite>;
  static constexpr char const* name = "merge";
  static char const* symbol() { return "test_chain_append"; }
  static void portable(Buffers const& b, Args const&) {
    if (*b.get<int>(0) == 9) throw Error(Fault::bad_input, "nine");
    *b.get<int>(1) = 10 * *b.get<int>(1) + *b.get<int>(0);
  }
  static void gpu(Buffers const&, Args const&, void*) {}
};

/// The same, but only on CPUs.
struct AppendOnCpu : Append {
  static constexpr char const* name = "reduce";
  static char const* symbol() { return "test_chain_append_on_cpu"; }
  static void gpu() = delete;
};
static_assert(StageForGpus<Append> && !StageForGpus<AppendOnCpu>);

/// What solves have kept for those after them.
struct Known {
  std::shared_ptr<CapturedChains> chains = std::make_shared<CapturedChains>();
  Workspaces<KeptTemporaries> temporaries{};
};

Solve submit(Runtime const& runtime, int* result, std::vector<int> const& digits, bool cpu_between,
             Known* known = nullptr) {
  return submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    SolveState& solve = graph.solve();
    if (known != nullptr) solve.keep_temporaries(known->temporaries.next(solve, [] { return KeptTemporaries(); }));
    SolveData const digit = solve.temporary<int>("digit", 1), to = SolveData::over("result", result, 1);
    graph.chain_tasks(known != nullptr ? known->chains : std::make_shared<CapturedChains>());
    for (int const d : digits) {
      graph.insert<Set>({d}, {0, 1.0}, write(digit));
      if (cpu_between && d == digits[1]) graph.insert<AppendOnCpu>({}, {0, 1.0}, read(digit), read_write(to));
      else graph.insert<Append>({}, {0, 1.0}, read(digit), read_write(to));
    }
    graph.submit_chain();
    graph.solve().bring_home(to);
  });
}

std::string how(Solve& solve) { return implementations_used(solve).front().implementation; }

}  // namespace

TEST_CASE("a chain is one task that does what its tasks would do one after the other") {
  Runtime const runtime({.scheduler = "prio", .cpus = 2, .gpus = 0});
  int result = 0;
  Solve solve = submit(runtime, &result, {1, 2, 3, 4}, false);
  SolveReport const report = solve.report();
  CHECK(result == 1234);
  CHECK(report.tasks == 1);
  REQUIRE(report.stages.size() == 1);
  CHECK(report.stages[0].stage == "chain");
  CHECK(report.stages[0].flops == 8);
  auto const& accesses = solve.state()->tasks().front().accesses;
  REQUIRE(accesses.size() == 2);
  CHECK(accesses[0].second == STARPU_W);  // written before it is read
  CHECK(accesses[1].second == STARPU_RW);
}

TEST_CASE("a task that only CPUs can do divides a chain") {
  Runtime const runtime({.scheduler = "prio", .cpus = 2, .gpus = 0});
  int result = 0;
  CHECK(submit(runtime, &result, {1, 2, 3, 4}, true).report().tasks == 3);
  CHECK(result == 1234);
}

TEST_CASE("an error in a chain is that of its task, after which the chain does nothing") {
  Runtime const runtime({.scheduler = "prio", .cpus = 2, .gpus = 0});
  int result = 0;
  CHECK_THROWS_WITH_AS(submit(runtime, &result, {1, 9, 3}, false).wait(), doctest::Contains("nine (stage merge"),
                       Error);
  CHECK(result == 1);
}

TEST_CASE("a chain whose data are where they were is captured the second time") {
  Runtime const runtime({.scheduler = "prio", .cpus = 2, .gpus = 0});
  Known known;
  int result[2] = {};
  auto const run = [&](int* to, std::vector<int> const& digits) {
    *to = 0;
    Solve solve = submit(runtime, to, digits, false, &known);
    solve.wait();
    return how(solve);
  };
  CHECK(run(&result[0], {1, 2, 3}) == "cpu");
  for (int i = 0; i < 3; ++i) {
    CHECK(run(&result[0], {1, 2, 3}) == "captured");
    CHECK(result[0] == 123);
  }
  // Other arguments, and another place for the result: chains of their own.
  CHECK(run(&result[0], {1, 2, 4}) == "cpu");
  CHECK(result[0] == 124);
  CHECK(run(&result[1], {1, 2, 3}) == "cpu");
  CHECK(result[1] == 123);
  CHECK(run(&result[1], {1, 2, 3}) == "captured");
  CHECK(run(&result[0], {1, 2, 4}) == "captured");
  CHECK(result[0] == 124);
  CHECK(result[1] == 123);
}

TEST_CASE("an error in a captured chain is that of its task, and the next is captured anew") {
  Runtime const runtime({.scheduler = "prio", .cpus = 1, .gpus = 0});
  Known known;
  int result = 0;
  auto const submit_nine = [&] { return submit(runtime, &result, {1, 9, 3}, false, &known); };
  for (int i = 0; i < 4; ++i) {
    result = 0;
    CHECK_THROWS_WITH_AS(submit_nine().wait(), doctest::Contains("nine (stage merge"), Error);
    CHECK(result == 1);
  }
}

TEST_CASE("what is known of captured chains: eight, the one that was used longest ago goes first") {
  CapturedChains chains;
  auto const key = [](int i) { return CapturedChains::Key{std::byte(i)}; };
  for (int i = 0; i < 8; ++i) CHECK(chains.find(key(i)) == nullptr);
  CHECK(chains.find(key(0)) != nullptr);
  CHECK(chains.find(key(8)) == nullptr);  // in place of 1
  CHECK(chains.find(key(0)) != nullptr);
  CHECK(chains.find(key(1)) == nullptr);
}
