// SPDX-License-Identifier: BSD-3-Clause
// What it takes one of a thousand ranks to build its part of the graph of an Ewald sum. mpirun starts two, so that data
// are registered for messages; each is one of the thousand, and nothing is computed.
#include "tasks/engine/submit.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/graph.hpp"
#include "tasks/ewald/job.hpp"
#include "tests/mpi/ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <stdexcept>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

constexpr int many = 1000;

EwaldOptions const options{.kernel = Kernel::stokeslet, .tolerance = 1e-3};

/// As many blocks, slabs and groups of columns as plans have.
EwaldParameters largest_plan() {
  EwaldParameters p;
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

/// Each rank gives points of its part of the box along x.
std::vector<double> positions(std::size_t of_rank) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> x;
  for (int r = 0; r < many; ++r)
    for (std::size_t i = 0; i < of_rank; ++i)
      for (int d = 0; d < 3; ++d) x.push_back(d == 0 ? (r + uniform(random)) / many : uniform(random));
  return x;
}

Parts even_parts(std::size_t of_rank) {
  Parts parts{{0}};
  for (int r = 0; r < many; ++r) parts.first.push_back(parts.all() + of_rank);
  return parts;
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace

TEST_CASE("the graph of a thousand ranks: each builds its part in less than a second") {
  constexpr std::size_t of_rank = 200;
  Ranks const ranks(nearfar::test::runtime().rank() == 0 ? many / 2 : 1, many);
  auto const runtime = nearfar::test::runtime().shared();
  auto const setup = std::make_shared<EwaldSetup<double>>(options, largest_plan(), ranks);
  auto const x = positions(of_rank);
  Frame frame{setup->cells, setup->axes, {}, setup->unit};
  auto const points = std::make_shared<PointSet<double>>(runtime, nullptr, setup, frame, x, x, true, false);
  points->set_owners(block_owners(*setup, *points));
  points->set_parts(even_parts(of_rank), {}, ranks);
  GivenStrengths<double> const given{.rows = x, .largest = {1}};
  std::vector<double> result(3 * of_rank);
  double most = 0;  // the first two solves of a plan also register their work space
  std::size_t tasks = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    double begin = 0;
    auto solve = submit_solve(runtime, {setup, points}, {.ranks = &ranks}, [&](Graph& graph) {
      // Tasks of a solve that has failed return at once.
      graph.solve().errors().store("nothing", 0, "none", std::make_exception_ptr(std::runtime_error("is computed")));
      begin = thread_seconds();
      auto const job = make_ewald_job<double>(graph.solve(), *setup, *points,
                                              {options.kernel, false, Part::whole, false, true}, given, result);
      build_ewald_graph(graph, job, options.kernel, false);
    });
    most = std::max(most, thread_seconds() - begin);
    tasks = solve.state()->tasks().size();
    CHECK_THROWS(solve.wait());
  }
  std::printf("rank %d of %d: %zu tasks, %.3f s\n", ranks.rank(), many, tasks, most);
  CHECK(tasks > 20);
  CHECK(tasks < 5000);
  CHECK(most < 1);
}
