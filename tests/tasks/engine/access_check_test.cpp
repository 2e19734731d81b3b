// SPDX-License-Identifier: BSD-3-Clause
// Bodies that do not keep to the accesses of their stage are found out.
#include "tasks/engine/solve/submit.hpp"
#include "tests/tasks/engine/checked_accesses.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

/// Adds the numbers of its first access up in its second; `lie` is a number of the first that it changes, if not -1.
struct Sum {
  struct Args {
    int lie = -1;
  };
  using Accesses = AccessList<ReadMany, Write, Scratch>;
  static constexpr char const* name = "moments";
  static char const* symbol() { return "test_lying_sum"; }
  static void portable(Buffers const& b, Args const& args) {
    *b.get<double>(1) = 0;
    for (int i = 0; i < b.count(0); ++i) *b.get<double>(1) += *b.get<double>(0, i);
    if (args.lie >= 0) b.get<double>(0, args.lie)[0] += 1e-13;
  }
};

/// Adds to what it declares as written, or what it has as work space, as if there were something.
struct Accumulate {
  struct Args {
    bool scratch = false;
  };
  using Accesses = AccessList<Read, Write, Scratch>;
  static constexpr char const* name = "reduce";
  static char const* symbol() { return "test_lying_accumulate"; }
  static void portable(Buffers const& b, Args const& args) {
    if (args.scratch) *b.get<double>(1) = *b.get<double>(2);
    *b.get<double>(1) += *b.get<double>(0);
  }
};

template <class S>
double run(Runtime const& runtime, typename S::Args const& args) {
  std::vector<double> numbers{1, 2, 3};
  double result = 0;
  submit_solve(runtime.shared(), {}, {}, [&](Graph& graph) {
    std::vector<SolveData> data;
    for (double& number : numbers) data.push_back(SolveData::over("number", &number, 1));
    SolveData const sum = SolveData::over("sum", &result, 1), space = SolveData::temporary<double>("space", 4);
    if constexpr (std::is_same_v<S, Sum>)
      graph.insert<S>(args, {7, 1.0}, read(std::vector<Handle>(data.begin(), data.end())), write(sum), scratch(space));
    else graph.insert<S>(args, {7, 1.0}, read(data[0]), write(sum), scratch(space));
  }).wait();
  return result;
}

}  // namespace

TEST_CASE("accesses: a body that changes what it declares as read is named, with the handle") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  test::CheckedAccesses const checked(true);
  CHECK(run<Sum>(runtime, {}) == 6);
  for (int lie : {0, 2}) {
    auto const where = "handle " + std::to_string(lie) + " of it, 8 bytes";
    CHECK_THROWS_WITH_AS(run<Sum>(runtime, {lie}), doctest::Contains("stage moments has changed access 0"), Error);
    CHECK_THROWS_WITH_AS(run<Sum>(runtime, {lie}), doctest::Contains(where.c_str()), Error);
    CHECK_THROWS_WITH_AS(run<Sum>(runtime, {lie}), doctest::Contains("block 7"), Error);
  }
}

TEST_CASE("accesses: a body that reads what it declares as written, or work space before it has written it, gets NaN") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  test::CheckedAccesses const checked(true);
  CHECK(std::isnan(run<Accumulate>(runtime, {})));
  CHECK(std::isnan(run<Accumulate>(runtime, {true})));
}

TEST_CASE("accesses: nothing is checked where that is off") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  test::CheckedAccesses const checked(false);
  CHECK(run<Sum>(runtime, {1}) == 6);
  CHECK(run<Accumulate>(runtime, {}) == 1);
}
