// SPDX-License-Identifier: BSD-3-Clause
// Solves that are one task each, as on one GPU: their temporary data stay with the points, so that the second is
// captured; also of several in flight, and after the points have moved.
#include "tasks/ewald/graph.hpp"
#include "tasks/ewald/point_set.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace nearfar;
using test::Problem;

namespace {

std::string how(Solve& solve) {
  for (auto const& use : implementations_used(solve))
    if (use.stage == "chain") return use.implementation;
  return "";
}

struct Case {
  Runtime runtime{{.scheduler = "prio", .cpus = 1, .gpus = 0}};
  Ewald plan{runtime,
             {.kernel = Kernel::laplace,
              .outputs = Output::potential | Output::gradient,
              .tolerance = 1e-4,
              .cutoff = 0.5,
              .grid = std::array{16, 16, 16}}};

  /// As a plan for one GPU builds it.
  Solve submit(BasicPoints<double> const& points, std::vector<double> const& strengths, std::vector<double>& result,
               Part part = Part::whole) {
    auto const set = points.set();
    auto const given = std::make_shared<detail::GivenStrengths<double>>();
    given->rows = strengths;
    given->row = 1;
    return detail::submit_solve(runtime.shared(), {set, given}, {}, [&](detail::Graph& graph) {
      auto& setup = set->setup();
      REQUIRE(setup.cells.block_count() == 1);
      graph.chain_tasks(setup.captured);
      graph.solve().keep_temporaries(setup.captured->temporaries_for(
          graph.solve(), set, {set->sources().size(), set->targets().size()}, setup.parameters.bytes));
      auto const jobs = detail::make_ewald_jobs<double>(graph.solve(), setup, *set, {part, false, part == Part::whole},
                                                        {*given, result});
      detail::build_ewald_graph(graph, jobs);
      graph.submit_chain();
      detail::bring_energies_home(graph.solve(), jobs.front().solve->energy);
    });
  }
};

}  // namespace

TEST_CASE("the second solve with the same points is captured, and so are later ones, with the same bits") {
  Case c;
  Problem<> const p(300, 1);
  auto const points = c.plan.set_points(p.x);
  std::vector<double> expected(4 * 300), u(expected.size()), elsewhere(expected.size());
  double const energy = c.plan.submit(points, p.f, expected).report().energy.value();
  std::vector<std::string> ways;
  for (int i = 0; i < 4; ++i) {
    u.assign(u.size(), 0);
    Solve solve = c.submit(points, p.f, u);
    ways.push_back(how(solve));
    CHECK(u == expected);
    CHECK(solve.report().energy.value() == energy);
  }
  CHECK(ways[0] == "cpu");
  for (int i = 1; i < 4; ++i) CHECK(ways[std::size_t(i)] == "captured");

  Solve other = c.submit(points, p.f, elsewhere);
  CHECK(how(other) == "captured");  // on CPUs the merge, which alone writes the result, is a task of its own
  CHECK(elsewhere == expected);
  Solve near = c.submit(points, p.f, u, Part::near);  // asks for less
  CHECK(how(near) == "cpu");
  u.assign(u.size(), 0);
  Solve again = c.submit(points, p.f, u);
  again.wait();
  CHECK(u == expected);
}

TEST_CASE("solves in flight beside each other have temporary data of their own, and are captured") {
  Case c;
  constexpr std::size_t count = 300, arrays = 3;
  std::vector<Problem<double>> problems;
  for (unsigned i = 0; i < arrays; ++i) problems.emplace_back(count, 1, i + 1);
  auto points = c.plan.set_points(problems[0].x);
  std::vector<std::vector<double>> expected(arrays), u(arrays);
  for (std::size_t step = 0; step < 2; ++step) {
    CAPTURE(step);
    for (std::size_t i = 0; i < arrays; ++i) {
      u[i].resize(4 * count);
      expected[i].resize(4 * count);
      c.plan.submit(points, problems[i].f, expected[i]).wait();
    }
    int captured = 0;
    for (int round = 0; round < 6; ++round) {
      std::vector<Solve> solves;
      for (std::size_t i = 0; i < arrays; ++i) {
        u[i].assign(4 * count, 0);
        solves.push_back(c.submit(points, problems[i].f, u[i]));
      }
      for (auto& solve : solves) captured += how(solve) == "captured";
      CHECK(u == expected);
    }
    CHECK(captured >= 6);  // each of the arrays with each of two sets once, at least, before it is captured
    points = c.plan.move_points(points, problems[step + 1].x);
  }
}

TEST_CASE("temporary data move with the points") {
  Case c;
  Problem<> const p(300, 1), q(300, 1, 7);
  auto const before = c.plan.set_points(p.x);
  std::vector<double> u(4 * 300);
  c.submit(before, p.f, u).wait();
  auto const after = c.plan.move_points(before, q.x);
  Solve first = c.submit(before, p.f, u), second = c.submit(after, p.f, u);
  first.wait();
  second.wait();
  auto const handles = [](Solve const& solve) {
    std::vector<Handle> written;
    for (auto const& [handle, mode] : solve.state()->tasks().front().accesses)
      if (mode == STARPU_W) written.push_back(handle);
    return written;
  };
  Solve third = c.submit(after, p.f, u);
  third.wait();
  auto const a = handles(first), b = handles(third);
  REQUIRE(a.size() == b.size());
  int same = 0;
  for (std::size_t i = 0; i < a.size(); ++i) same += a[i] == b[i];
  CHECK(same + 1 >= int(a.size()));  // all but the result
  CHECK(same > 6);
}
