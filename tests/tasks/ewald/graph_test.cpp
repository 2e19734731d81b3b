// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/graph.hpp"
#include "core/geometry/mutual.hpp"
#include "tasks/engine/dag.hpp"
#include "tasks/ewald/point_set.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

using namespace nearfar;
using test::Problem;

namespace {

/// The graph of a solve as its DOT text tells it: tasks by stage, and edges between stages.
struct Shape {
  std::map<std::string, int> tasks;
  std::map<std::string, int> edges;  // "p2g fft"
};

Shape shape_of(Solve const& solve) {
  TempFolder const folder;
  std::string const path = folder / "graph.dot";
  solve.write_dag(path);
  std::ifstream in(path);
  Shape shape;
  std::map<std::string, std::string> stage;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string id, arrow, other;
    words >> id >> arrow >> other;
    if (auto const label = line.find("[label=\""); label != std::string::npos) {
      stage[id] = line.substr(label + 8, line.find(' ', label + 8) - label - 8);
      ++shape.tasks[stage[id]];
    } else if (arrow == "->") {
      ++shape.edges[stage[id] + " " + stage[other.substr(0, other.size() - 1)]];
    }
  }
  return shape;
}

Ewald make_plan(Runtime const& runtime) {
  return Ewald(runtime, {.tolerance = 1e-4, .count = 100000, .cutoff = 0.1, .grid = std::array{64, 64, 64}});
}

}  // namespace

TEST_CASE("the Ewald graph has the tasks and the edges of the algorithm, and no others") {
  Runtime const runtime;
  Ewald plan = make_plan(runtime);
  Problem<> const p(4000, 3);
  auto const points = plan.set_points(p.x);
  std::vector<double> u(p.x.size());
  auto submit = [&](Part part) { return plan.submit(points, p.f, u, part); };
  auto const parameters = plan.parameters();
  int const blocks = parameters.blocks[0] * parameters.blocks[1] * parameters.blocks[2];
  int const chunks = int(points.set()->chunks().size());
  REQUIRE(blocks > 4);
  REQUIRE(chunks > 4);
  REQUIRE(parameters.slabs > 1);

  Shape const whole = shape_of(submit(Part::whole));
  std::map<std::string, int> const tasks{{"largest", 1},
                                         {"units", 1},
                                         {"bin", blocks},
                                         {"p2p", chunks},
                                         {"reduce", chunks},
                                         {"p2g", parameters.slabs},
                                         {"fft", parameters.slabs},
                                         {"scale", parameters.columns},
                                         {"ifft", parameters.slabs},
                                         {"g2p", chunks},
                                         {"merge", chunks}};
  CHECK(whole.tasks == tasks);
  // The transposes: every slab with every group of columns, both ways; fft before ifft of its slab comes through them.
  CHECK(whole.edges.at("fft scale") == parameters.slabs * parameters.columns);
  CHECK(whole.edges.at("scale ifft") == parameters.slabs * parameters.columns);
  CHECK(whole.edges.at("p2g fft") == parameters.slabs);
  // Every pair of neighbouring blocks is summed by the shares of one of the two, for all shares of the other.
  Cells const& cells = points.set()->setup().cells;
  std::vector<int> shares(std::size_t(blocks), 0);
  for (auto const& chunk : points.set()->chunks()) ++shares[std::size_t(chunk.block)];
  int for_others = 0, pairs = 0, summed = 0;
  for (int b = 0; b < blocks; ++b) {
    Neighbours const around = neighbours(cells, block_at(cells, b));
    pairs += around.count() - 1;
    for (int i = 0; i < around.count(); ++i) {
      int const other = around.block(cells, i);
      if (other == b || !sums_for_both(cells, block_at(cells, b), block_at(cells, other))) continue;
      ++summed;
      for_others += shares[std::size_t(b)] * shares[std::size_t(other)];
    }
  }
  CHECK(2 * summed == pairs);
  CHECK(whole.edges.at("p2p reduce") == chunks + for_others);
  CHECK(whole.edges.at("reduce merge") == chunks);
  CHECK(whole.edges.at("g2p merge") == chunks);
  CHECK(whole.edges.at("bin p2p") >= chunks);
  CHECK(whole.edges.at("bin p2g") >= blocks);
  std::set<std::string> kinds;
  for (auto const& [kind, count] : whole.edges) kinds.insert(kind);
  CHECK(kinds == std::set<std::string>{"bin p2g", "bin p2p", "reduce merge", "fft ifft", "fft scale", "g2p merge",
                                       "ifft g2p", "p2g fft", "p2g ifft", "p2p reduce", "scale ifft", "largest units",
                                       "units bin", "units merge"});

  Shape const near = shape_of(submit(Part::near));
  CHECK(near.tasks ==
        std::map<std::string, int>{
            {"largest", 1}, {"units", 1}, {"bin", blocks}, {"p2p", chunks}, {"reduce", chunks}, {"merge", chunks}});
  // Other targets have no pairs in common.
  auto const others = plan.set_points(p.x, p.x);
  Shape const one_way = shape_of(plan.submit(others, p.f, u, Part::near));
  CHECK(one_way.tasks ==
        std::map<std::string, int>{{"largest", 1}, {"units", 1}, {"bin", blocks}, {"p2p", chunks}, {"merge", chunks}});
  CHECK(one_way.edges.at("p2p merge") == chunks);
  Shape const far = shape_of(submit(Part::far));
  CHECK(far.tasks.count("p2p") == 0);
  CHECK(far.tasks.at("g2p") == chunks);
}

TEST_CASE("the zero mode of a double layer: moments of all blocks, one sum, and the merges; not in the near part") {
  Runtime const runtime;
  Problem<> const p(4000, 9);
  std::vector<double> u(p.x.size());
  for (ZeroMode mode : {ZeroMode::zero_face_flux, ZeroMode::zero_mean_flow}) {
    Ewald plan(runtime, {.kernel = Kernel::stokes, .tolerance = 1e-4, .count = 4000, .zero_mode = mode});
    auto const points = plan.set_points(p.x);
    for (Part part : {Part::whole, Part::near, Part::far}) {
      auto shape = shape_of(plan.submit(points, p.f, u, part));
      int const blocks = shape.tasks["bin"];
      bool const there = mode == ZeroMode::zero_face_flux && part != Part::near;
      CHECK(shape.tasks["moment"] == (there ? blocks : 0));
      CHECK(shape.tasks["moments"] == (there ? 1 : 0));
      CHECK(shape.edges["bin moment"] == (there ? blocks : 0));
      CHECK(shape.edges["moment moments"] == (there ? blocks : 0));
      CHECK(shape.edges["moments merge"] == (there ? int(points.set()->chunks().size()) : 0));
    }
  }
}

TEST_CASE("near and far add up to the whole, to the bit") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stokes}) {
    Ewald const plan(runtime, {.kernel = kernel, .tolerance = 1e-4, .cutoff = 0.1, .grid = std::array{64, 64, 64}});
    Problem<> const p(2000, strength_components(kernel));
    auto const near = test::solve(plan, p, Part::near), far = test::solve(plan, p, Part::far);
    auto sum = near;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += far[i];
    CHECK(sum == test::solve(plan, p));
  }
}

TEST_CASE("merges of a solve write, and wait for no other merge") {
  Runtime const runtime({.gpus = 0});
  Ewald plan = make_plan(runtime);
  Problem<> const p(4000, 3);
  std::vector<double> u(p.x.size());
  auto const points = plan.set_points(p.x);
  auto const solve = plan.submit(points, p.f, u);
  std::set<Handle> written;
  for (auto const& task : solve.state()->tasks()) {
    if (task.stage != std::string("merge")) continue;
    for (auto const& [handle, mode] : task.accesses) {
      if ((mode & STARPU_W) == 0) continue;
      CHECK(mode == STARPU_W);
      CHECK(written.insert(handle).second);
    }
  }
  CHECK(written.size() == points.set()->chunks().size());
}

TEST_CASE("dependencies: readers after writers, writers after readers, commuting writers in any order") {
  using namespace nearfar::detail;
  std::deque<TaskRecord> tasks(6);
  auto const a = reinterpret_cast<Handle>(8), b = reinterpret_cast<Handle>(16);
  tasks[0].accesses = {{a, STARPU_W}};
  tasks[1].accesses = {{a, STARPU_R}, {b, commuting}};
  tasks[2].accesses = {{a, STARPU_R}, {b, commuting}};
  tasks[3].accesses = {{a, STARPU_RW}};
  tasks[4].accesses = {{b, STARPU_R}, {a, STARPU_SCRATCH}};
  tasks[5].accesses = {{a, STARPU_R}};
  CHECK(dependencies(tasks) ==
        std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {1, 4}, {2, 4}, {3, 5}});
}
