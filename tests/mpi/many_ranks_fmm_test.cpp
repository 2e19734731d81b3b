// SPDX-License-Identifier: BSD-3-Clause
// What it takes one of a thousand ranks to build its part of the graph of a multipole sum.
#include "tasks/fmm/graph.hpp"
#include "tasks/fmm/prediction.hpp"
#include "tests/mpi/many_ranks.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::detail;
using test::many;

TEST_CASE("the multipole graph of a thousand ranks: each builds its part in less than a second") {
  constexpr std::size_t of_rank = 200;
  constexpr int order = 4, depth = 5;
  Ranks const ranks(test::one_of_many(), many);
  auto const runtime = test::runtime().shared();
  auto const x = test::positions_of_ranks(of_rank);
  FmmRoot const root{.centre = {0.5, 0.5, 0.5}, .half = 0.5};
  TreeShape const shape{.centre = root.centre, .half = root.half, .depth = depth};
  Tree tree = make_tree(shape, sorted(point_keys<double>(shape, x, depth), depth), {}, Targets::sources);
  constexpr double boxes = 8;  // of a block
  auto const blocked = std::make_shared<FmmTree>(
      std::move(tree), 2, FmmGrain{.interaction = 0, .pair = 0, .expansion = 0, .box = 1, .task = boxes}, Owners{many});
  FmmOptions const options;
  auto const setup = std::make_shared<FmmSetup<double>>(options, order, 1);
  PointsInRoot<double> const placed(options, root, x, "source");
  FmmPlanning parameters;
  parameters.order = order;
  auto const points =
      std::make_shared<FmmPointSet<double>>(runtime, nullptr, setup, blocked, std::make_shared<FmmWorkspaces<double>>(),
                                            parameters, placed, placed, Targets::sources, true, in_turn);
  points->set_parts(even_parts(many * of_rank, many), {}, ranks);
  CHECK(blocked->blocks() > wanted_tasks(many, many));  // as many as plans make, and inner ones
  GivenStrengths<double> given{.rows = std::span(x).first(many * of_rank), .row = 1, .largest = {1}};
  std::vector<double> result(of_rank);
  auto const stages = fmm_stages<double>(Kernel::laplace, {});
  test::expect_quick_graphs(ranks, runtime, {setup, points}, [&](Graph& graph) {
    auto const job = make_fmm_job<double>(graph.solve(), *points, 1, stages, {given, result});
    build_fmm_graph(graph, job, stages);
  });
}

TEST_CASE("a tree has blocks for each of many ranks") {
  CHECK(wanted_tasks(1, 1) == 96);
  CHECK(wanted_tasks(64, 64) == 256);
  CHECK(wanted_tasks(many, many) == 4 * many);
}
