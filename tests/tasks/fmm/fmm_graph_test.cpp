// SPDX-License-Identifier: BSD-3-Clause
// The counting kernel through the graph that the real kernels take: whole numbers, so every error of a list, an access
// or a dependency shows.
#include "tasks/engine/solve/submit.hpp"
#include "tasks/fmm/graph.hpp"
#include "tasks/nodes/deal.hpp"
#include "tests/core/tree/tree_points.hpp"
#include "tests/tasks/fmm/counting_stages.hpp"
#include "tests/tasks/leaving.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <string>

using namespace nearfar;
using namespace nearfar::detail;
using test::Counting;

namespace {

struct Case {
  std::string kind;
  TreeShape shape;
  bool same = true;
  double boxes_per_block = 8;
};

struct Outcome {
  std::vector<double> result;
  std::map<std::string, int> tasks;
};

SortedKeys keys_of(TreeShape const& shape, std::span<double const> rows) {
  return sorted(point_keys(shape, rows, shape.depth), shape.depth);
}

std::vector<double> strengths_of(std::size_t count) {
  std::vector<double> q(count);
  for (std::size_t i = 0; i < count; ++i) q[i] = 1 + double(i % 7);
  return q;
}

Outcome run(Runtime const& runtime, Case const& c) {
  auto const sources = test::tree_points(c.kind, 400), targets = test::tree_points("uniform", 150, 2);
  auto const q = strengths_of(400);
  Tree tree = make_tree(c.shape, keys_of(c.shape, sources), c.same ? SortedKeys() : keys_of(c.shape, targets),
                        c.same ? Targets::sources : Targets::own);
  auto const blocked = std::make_shared<FmmTree>(
      std::move(tree), 2, FmmGrain{.interaction = 0, .pair = 0, .expansion = 0, .box = 1, .task = c.boxes_per_block});
  auto const setup = std::make_shared<FmmSetup<double>>(
      FmmOptions{.periodicity = c.shape.periodic ? Periodicity::xyz : Periodicity::none}, 1, c.shape.separation);
  setup->order = 0;
  auto const& at = c.same ? sources : targets;
  auto const placed = [](std::vector<double> const& x) {
    return PointsInRoot<double>(FmmOptions{}, FmmRoot{}, std::span<double const>(x), "source");
  };
  FmmPointSet<double> const points(runtime.shared(), nullptr, setup, blocked, std::make_shared<FmmWorkspaces<double>>(),
                                   {}, placed(sources), placed(at), c.same ? Targets::sources : Targets::own, c.same,
                                   in_turn);
  Outcome outcome{std::vector<double>(at.size() / 3, -1), {}};
  Solve solve = submit_solve(runtime.shared(), {}, {.implementation = Implementation::portable}, [&](Graph& graph) {
    GivenStrengths<double> given{.rows = q, .row = 1, .largest = {}};
    auto const job = make_fmm_job<double>(graph.solve(), points, 1, FmmStages::of<Counting>(), {given, outcome.result});
    build_fmm_graph(graph, job, FmmStages::of<Counting>());
  });
  for (auto const& stage : solve.report().stages) outcome.tasks[stage.stage] = stage.tasks;
  return outcome;
}

double wanted(Case const& c) {
  auto const q = strengths_of(400);
  double const cells = !c.shape.periodic ? 1 : 1000 + (c.shape.separation == 1 ? 27 : 125);
  return cells * std::accumulate(q.begin(), q.end(), 0.0);
}

void check(Runtime const& runtime, Case const& c) {
  CAPTURE(c.kind);
  CAPTURE(c.shape.depth);
  CAPTURE(c.shape.capacity);
  CAPTURE(c.shape.separation);
  CAPTURE(c.shape.periodic);
  CAPTURE(c.boxes_per_block);
  auto const got = run(runtime, c).result;
  REQUIRE(std::all_of(got.begin(), got.end(), [&](double v) { return v == wanted(c); }));
}

}  // namespace

TEST_CASE("every target gets every source once: depths, separations, blocks, open and periodic, dense and adaptive") {
  Runtime const runtime({.gpus = 0});
  for (auto const& kind : {"uniform", "sphere", "normal", "one box"})
    for (bool periodic : {false, true})
      for (int separation : {1, 2})
        for (int depth = 0; depth <= 3; ++depth)
          for (int capacity : {0, 10})
            for (double boxes : {1.0, 1e9}) {
              if (separation == 2 && periodic && depth > 1) continue;
              bool const same = depth % 2 == 0;
              check(runtime, {kind,
                              {.periodic = periodic, .separation = separation, .depth = depth, .capacity = capacity},
                              same,
                              boxes});
            }
  check(runtime, {"two corners", {.depth = 8, .capacity = 5}});
  check(runtime, {"coincident", {.depth = 12, .capacity = 5}});
}

TEST_CASE("every scheduler counts alike") {
  for (std::string const scheduler : {"eager", "random", "prio", "ws", "lws", "dm", "dmda", "dmdas"})
    for (int cpus : {1, 2}) {
      CAPTURE(scheduler);
      CAPTURE(cpus);
      Runtime const runtime({.scheduler = scheduler, .cpus = cpus, .gpus = 0});
      for (double boxes : {1.0, 30.0}) {
        check(runtime, {"uniform", {.depth = 3}, true, boxes});
        check(runtime, {"sphere", {.depth = 7, .capacity = 4}, true, boxes});
        check(runtime, {"normal", {.periodic = true, .depth = 2}, false, boxes});
      }
    }
}

TEST_CASE("the graph has one task per block and stage") {
  Runtime const runtime({.gpus = 0});
  Case c{"uniform", {.depth = 2}, true, 1};
  auto tasks = run(runtime, c).tasks;
  // One box per block; all 64 leaves have points.
  std::map<std::string, int> wanted{{"largest", 1}, {"units", 1}, {"bin", 64},      {"p2m", 64},
                                    {"m2l", 64},    {"l2p", 64},  {"leaf_p2p", 64}, {"merge", 64}};
  CHECK(tasks == wanted);
  c.shape.periodic = true;
  tasks = run(runtime, c).tasks;
  wanted["m2m"] = 9;
  wanted["m2l"] = 72;
  wanted["l2l"] = 72;
  wanted["lattice"] = wanted["dipoles"] = 1;
  wanted["dipole"] = wanted["cell"] = 64;
  CHECK(tasks == wanted);
}

TEST_CASE("of several ranks, tasks whose output others read go before others of their stage") {
  Runtime const runtime({.gpus = 0});
  Ranks const ranks(everywhere, 2), first(0, 2);
  auto const x = test::tree_points("uniform", 4000);
  TreeShape const shape{.depth = 4};
  auto const blocked =
      std::make_shared<FmmTree>(make_tree(shape, keys_of(shape, x), {}, Targets::sources), 2,
                                FmmGrain{.interaction = 0, .pair = 0, .expansion = 0, .box = 1, .task = 8}, Owners{2});
  auto const setup = std::make_shared<FmmSetup<double>>(FmmOptions{}, 1, shape.separation);
  PointsInRoot<double> const placed(FmmOptions{}, FmmRoot{}, std::span<double const>(x), "source");
  auto const points = std::make_shared<FmmPointSet<double>>(runtime.shared(), nullptr, setup, blocked,
                                                            std::make_shared<FmmWorkspaces<double>>(), FmmPlanning{},
                                                            placed, placed, Targets::sources, true, in_turn);
  points->set_parts(even_parts(4000, 2), {}, first);
  auto const q = strengths_of(4000);
  std::vector<double> result(4000);
  GivenStrengths<double> given{.rows = q, .row = 1, .largest = {1}};
  Recording recording;
  submit_solve(runtime.shared(), {}, {.ranks = &ranks, .recording = &recording}, [&](Graph& graph) {
    auto const job = make_fmm_job<double>(graph.solve(), *points, 1, FmmStages::of<Counting>(), {given, result});
    build_fmm_graph(graph, job, FmmStages::of<Counting>());
  }).wait();
  auto const stages = test::expect_leaving_first(recording);
  CHECK(stages == std::set<std::string>{"bin", "p2m", "m2m", "l2l", "merge"});
}

TEST_CASE("blocks of ranks with several GPUs are divided among these, and among ranks as without") {
  auto const x = test::tree_points("uniform", 4000);
  TreeShape const shape{.depth = 4};
  auto const tree_of = [&](Owners const& owners) {
    return FmmTree(make_tree(shape, keys_of(shape, x), {}, Targets::sources), 2,
                   FmmGrain{.interaction = 0, .pair = 0, .expansion = 0, .box = 1, .task = 8}, owners);
  };
  Runtime const runtime({.gpus = 0});
  FmmTree const one = tree_of({2}), two = tree_of({2, 0, 2}), four = tree_of({4});
  CHECK(one.gpus().empty());
  REQUIRE(int(two.gpus().size()) == two.blocks());
  REQUIRE(two.blocks() == four.blocks());
  for (int b = 0; b < two.blocks(); ++b) CHECK(2 * two.owner(b) + two.gpus()[std::size_t(b)] == four.owner(b));
}
