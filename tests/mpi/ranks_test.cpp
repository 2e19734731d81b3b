// SPDX-License-Identifier: BSD-3-Clause
// What ranks agree on, and the direct sum over them. Every rank runs every test.
#include "tests/mpi/ranks.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/nodes/messages/messages.hpp"
#include "tasks/tune/machine.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Stokeslets in free space, as ewald.md, Sec. 0 defines them.
std::vector<double> stokeslets(std::vector<double> const& x, std::vector<double> const& y,
                               std::vector<double> const& f) {
  std::vector<double> u;
  for (std::size_t t = 0; t < y.size(); t += 3) {
    long double sum[3] = {};
    for (std::size_t s = 0; s < x.size(); s += 3) {
      long double r[3], square = 0, along = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        r[d] = (long double)y[t + d] - x[s + d];
        square += r[d] * r[d];
        along += r[d] * f[s + d];
      }
      if (square == 0) continue;
      long double const one = 1 / std::sqrt(square);
      for (std::size_t d = 0; d < 3; ++d) sum[d] += one * f[s + d] + one * one * one * along * r[d];
    }
    for (long double v : sum) u.push_back(double(v));
  }
  return u;
}

}  // namespace

TEST_CASE("a runtime knows its ranks") {
  CHECK(runtime().ranks() == launch().ranks);
  CHECK(runtime().rank() == launch().rank);
}

TEST_CASE("plans count the workers of all ranks, also where only some have GPUs") {
  int const ranks = runtime().ranks(), last = ranks - 1;
  bool const is_last = runtime().rank() == last;
  auto const together = [&](int gpus, int gpus_of_last) {
    Machine here{.cpus = 1 + runtime().rank(), .gpus = is_last ? gpus_of_last : gpus};
    here.all_stages = here.gpus > 0;
    here.mutual_blocks = here.gpus == 0;
    here.speed.cpu = Speeds(1 + runtime().rank());
    Machine const all = detail::of_all_ranks(runtime().shared()->ranks(), here);
    CHECK(all.cpus == ranks * (ranks + 1) / 2);
    CHECK(all.gpus == last * gpus + gpus_of_last);
    CHECK(all.speed.cpu[WorkRow::p2p] == 1);  // rank 0's
    CHECK(all.ranks == ranks);
    return all;
  };
  Machine const none = together(0, 0), some = together(0, 1), each = together(1, 1);
  CHECK(!none.all_stages);
  CHECK(none.mutual_blocks);
  CHECK(some.all_stages == (ranks == 1));
  CHECK(!some.mutual_blocks);  // what GPUs sum they sum for one of both blocks, whoever has them
  CHECK(each.all_stages);
  CHECK(!each.mutual_blocks);
  if (ranks > 1) CHECK(!together(1, 2).all_stages);
  CHECK(together(2, 2).all_stages);
}

TEST_CASE("data of one rank have tags of their own, the same on all ranks") {
  if (runtime().ranks() == 1) return;  // nothing is owned then
  int const last = runtime().ranks() - 1;
  auto const one = detail::Data::temporary<double>("one", 3, 0), two = detail::Data::temporary<double>("two", 3, last);
  CHECK(one.traits().owner == 0);
  CHECK(two.traits().owner == last);
  CHECK(detail::owner_of(two) == last);
  CHECK(two.traits().tag == one.traits().tag + 1);
  auto const on_first = runtime().shared()->ranks().decide([&] { return one.traits().tag; });
  CHECK(one.traits().tag == on_first);
}

TEST_CASE("all ranks throw the error of the lowest one that has any") {
  Runtime const& r = runtime();
  CHECK_NOTHROW(r.agree());
  int const last = r.ranks() - 1;
  auto const error = [](int rank) {
    return std::make_exception_ptr(Error(Fault::no_resource, "rank " + std::to_string(rank) + " is full"));
  };
  std::string const prefix = last > 0 ? "on rank " + std::to_string(last) + ": " : "";
  CHECK(message_of([&] { r.agree(r.rank() == last ? error(last) : nullptr); }) ==
        prefix + "rank " + std::to_string(last) + " is full");
  CHECK(message_of([&] { r.agree(error(r.rank())); }) == "rank 0 is full");
  try {
    r.agree(r.rank() == last ? error(last) : nullptr);
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::no_resource);
  }
  CHECK_NOTHROW(r.agree());
}

TEST_CASE("of several errors in one solve, all ranks throw the earliest") {
  auto const& ranks = runtime().shared()->ranks();
  int const last = runtime().ranks() - 1;
  auto const failed = [&](int rank) {
    return detail::submit_solve(runtime().shared(), {}, {.ranks = &ranks}, [&](detail::Graph& graph) {
      auto const error = std::make_exception_ptr(Error(Fault::bad_input, "rank " + std::to_string(rank) + " fails"));
      graph.solve().errors().store("test", rank, "none", error);
    });
  };
  for (bool const upwards : {true, false}) {
    Solve mine;
    for (int turn = 0; turn <= last; ++turn) {
      int const rank = upwards ? turn : last - turn;
      if (ranks.rank() == rank) mine = failed(rank);
      ranks.sum(std::uint64_t(0));                                 // whose turn was next has waited for this one
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than clocks are off
    }
    int const first = upwards ? 0 : last;
    std::string const number = std::to_string(first);
    CHECK(message_of([&] { mine.wait(); }) == (first > 0 ? "on rank " + number + ": " : std::string()) + "rank " +
                                                  number + " fails (stage test, block " + number + ", worker none)");
  }
}

TEST_CASE("the direct sum over ranks: every size, chunks that do not divide evenly, fewer chunks than ranks") {
  for (int n : {1, 63, 65, 129, 300}) {
    Problem<> const sources(50, 3, 1), targets(std::size_t(n), 1, 2);
    std::vector<double> u(targets.x.size());
    auto solve =
        direct(runtime(), Kernel::stokeslet, {}, given(sources.x), given(targets.x), given(sources.f), taken(u));
    solve.wait();
    auto const report = solve.report();
    CHECK(report.ranks == runtime().ranks());
    // What rank 0 gives, to all others; and rows of the chunks that they sum, all of 64 targets but the last.
    std::uint64_t const given_bytes = 24u * std::uint64_t(runtime().ranks() - 1) * std::uint64_t(50 + 50 + n);
    std::uint64_t sent = given_bytes;
    int const chunks = (n + 63) / 64;
    for (int c = 0; c < chunks; ++c)
      if (c * runtime().ranks() / chunks > 0) sent += 24u * std::uint64_t(std::min(64, n - 64 * c));
    CHECK(report.sent_bytes == sent);
    // All ranks are on this machine: the rows go directly, where the system lets them and nobody forbids it.
    bool const may = std::getenv("NEARFAR_DIRECT") == nullptr;
    CHECK((report.direct_bytes == 0 || (may && report.direct_bytes == sent - given_bytes)));
    if (runtime().rank() > 0) continue;
    auto const expected = stokeslets(sources.x, targets.x, sources.f);
    for (std::size_t i = 0; i < u.size(); ++i) CHECK(u[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("the direct sum over ranks: targets and sources that all ranks give") {
  Problem<> const sources(50, 3, 1), targets(200, 1, 2);
  Dealt const from(50), to(200);
  std::vector<double> u(3 * to.count());
  direct(runtime(), Kernel::stokeslet, {}, from.mine(sources.x), to.mine(targets.x), from.mine(sources.f), u).wait();
  auto const expected = to.mine(stokeslets(sources.x, targets.x, sources.f));
  REQUIRE(u.size() == expected.size());
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(u[i] == doctest::Approx(expected[i]).epsilon(1e-14));
}

TEST_CASE("what is wrong with rank 0's input, all ranks throw") {
  Problem<> p(10, 3);
  std::vector<double> u(p.x.size());
  auto const solve = [&](std::span<double> result) {
    return message_of(
        [&] { direct(runtime(), Kernel::stokeslet, {}, given(p.x), given(p.x), given(p.f), result).wait(); });
  };
  CHECK(solve(taken(u)) == "");
  CHECK(solve(taken(u).first(taken(u).size() / 2)).find("result has 15 numbers") == 0);
  p.x[4] = std::numeric_limits<double>::infinity();
  CHECK(solve(taken(u)).find("number 1 of source 1 is inf") == 0);
  p.x[4] = 0.5;
  CHECK(solve(taken(u)) == "");
}
