// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/described_solve.hpp"

#include "tasks/engine/solve/submit.hpp"
#include "tasks/ewald/block_owners.hpp"
#include "tasks/ewald/graph.hpp"
#include "tasks/ewald/job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

namespace nearfar::cluster {

using namespace detail;

namespace {

constexpr double tolerance = 1e-6;

/// The shape only affects the values in a plan's tables, not the graph.
constexpr double shape_by_window = 2.3;

EwaldPlanning parameters_of(Description const& d) {
  EwaldPlanning p;
  p.box = d.box;
  p.cutoff = d.cutoff;
  p.split_parameter = d.split;
  p.grid = d.grid;
  p.window_points = d.window;
  p.window_shape = shape_by_window * d.window;
  p.near_in_single = d.near_in_single;
  p.cells = d.cells;
  p.blocks = d.blocks;
  p.slabs = d.slabs;
  p.columns = d.columns;
  p.on_gpus = d.on_gpus;
  p.near_seconds = p.far_seconds = 1;  // gives all ranks equal work
  return p;
}

std::vector<BlockSize> evenly_spread(Cells const& cells, double points) {
  std::vector<BlockSize> sizes;
  double const per_cell = points / (double(cells.count[0]) * cells.count[1] * cells.count[2]);
  for (int b = 0; b < cells.block_count(); ++b) {
    Block const block = block_at(cells, b);
    int in_block = 1;
    for (int d = 0; d < 3; ++d) in_block *= cells.cells_in(d, block.at[d]);
    sizes.push_back({std::int32_t(std::lround(in_block * per_cell)), in_block});
  }
  return sizes;
}

/// For each chunk, the ranks whose part of the box along x overlaps its block, with their fraction of its points.
std::vector<std::vector<Taker>> takers(Cells const& cells, std::vector<TargetChunk> const& chunks, int ranks) {
  std::vector<std::vector<Taker>> takers;
  for (TargetChunk const& chunk : chunks) {
    int const x = block_at(cells, chunk.block).at[0];
    double const per_rank = double(cells.count[0]) / ranks, first = cells.first_cell(0, x) / per_rank,
                 last = cells.first_cell(0, x + 1) / per_rank;
    auto& of_chunk = takers.emplace_back();
    for (int r = int(first); r < last; ++r) {
      double const share = (std::min(last, r + 1.0) - std::max(first, double(r))) / (last - first);
      if (int const count = int(std::lround(share * chunk.points.count())); count > 0) of_chunk.push_back({r, count});
    }
  }
  return takers;
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace

DescribedSolve::DescribedSolve(std::shared_ptr<RuntimeState> runtime, Description const& d, int rank)
    : runtime_(std::move(runtime)), description_(d), ranks_(d.ranks > 1 ? rank : 0, d.ranks) {
  EwaldOptions const options{.kernel = d.kernel, .box = d.box, .tolerance = tolerance};
  setup_ = std::make_shared<EwaldSetup<double>>(options, parameters_of(d), ranks_, 1, Content::none);
  points_ =
      std::make_shared<PointSet<double>>(runtime_, setup_, evenly_spread(setup_->cells, d.points), d.neighbours());
  points_->set_placement(placement_of(d.on_gpus, 0));
  points_->set_owners(block_owners(*setup_, *points_));
  if (d.ranks > 1) points_->set_takers(takers(setup_->cells, points_->chunks(), d.ranks));
}

void DescribedSolve::build(Graph& graph) {
  static double const strength = 0;
  GivenStrengths<double> given{.rows = std::span<double const>(&strength, 1), .row = 1, .largest = {1}};
  build_ewald_graph(graph, make_ewald_jobs<double>(graph.solve(), *setup_, *points_,
                                                   {nearfar::Part::whole, description_.mutual}, {given, {}}));
}

Recording DescribedSolve::record() {
  Recording recording;
  submit_solve(runtime_, {setup_, points_}, {.ranks = &ranks_, .recording = &recording}, [this](Graph& graph) {
    build(graph);
  }).wait();
  return recording;
}

DescribedSolve::Part DescribedSolve::submit_part() {
  double begin = 0;
  auto const solve = submit_solve(runtime_, {setup_, points_}, {.ranks = &ranks_}, [&](Graph& graph) {
    // Tasks of a solve that has failed return at once.
    graph.solve().errors().store("nothing", 0, "none", std::make_exception_ptr(Error(Fault::bug, "is computed")));
    begin = thread_seconds();
    build(graph);
  });
  Part const part{thread_seconds() - begin, solve.state()->tasks().size(), solve.state()->sent_bytes()};
  while (!solve.ready()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return part;
}

}  // namespace nearfar::cluster
