// SPDX-License-Identifier: BSD-3-Clause
// What it takes one of a thousand ranks to build its part of the graph of an Ewald sum. mpirun starts two, so that data
// are registered for messages; each is one of the thousand, and nothing is computed.
#include "tests/mpi/many_ranks.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/graph.hpp"
#include "tasks/ewald/job.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace nearfar;
using namespace nearfar::detail;
using test::many;

namespace {

EwaldOptions const options{.kernel = Kernel::stokeslet, .tolerance = 1e-3};

/// As many blocks, slabs and groups of columns as plans have.
EwaldPlanning largest_plan() {
  EwaldPlanning p;
  p.box = {1, 1, 1};
  p.cutoff = 1.0 / 16;
  p.split_parameter = 7;
  p.window_points = 4;
  p.window_shape = 9;
  p.blocks = p.cells = {16, 16, 16};
  p.grid = {1024, 32, 32};
  p.slabs = p.columns = 256;
  p.near_seconds = p.far_seconds = 1;
  return p;
}

}  // namespace

TEST_CASE("the Ewald graph of a thousand ranks: each builds its part in less than a second") {
  constexpr std::size_t of_rank = 200;
  Ranks const ranks(test::one_of_many(), many);
  auto const runtime = test::runtime().shared();
  auto const setup = std::make_shared<EwaldSetup<double>>(options, largest_plan(), ranks);
  auto const x = test::positions_of_ranks(of_rank);
  Frame frame{setup->cells, setup->axes, {}, setup->unit};
  auto const points =
      std::make_shared<PointSet<double>>(runtime, nullptr, setup, frame, OnHost<double>(x), OnHost<double>(x),
                                         Targets::sources, false, false, setup->rooms, 1);
  points->set_owners(block_owners(*setup, *points));
  points->set_parts(even_parts(many * of_rank, many), {}, ranks);
  GivenStrengths<double> given{.rows = x, .row = 3, .largest = {1}};
  std::vector<double> result(3 * of_rank);
  test::expect_quick_graphs(ranks, runtime, {setup, points}, [&](Graph& graph) {
    build_ewald_graph(graph,
                      make_ewald_jobs<double>(graph.solve(), *setup, *points, {Part::whole, true}, {given, result}));
  });
}
