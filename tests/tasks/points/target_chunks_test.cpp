// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/target_chunks.hpp"

#include "codelets/points/count_columns/content_of_columns.hpp"
#include "tasks/points/cell_sort.hpp"
#include "tasks/points/worker_loop.hpp"

#include <nearfar/runtime.hpp>

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

Cells make_cells(double cutoff, int cells, int blocks, bool periodic) {
  Cells c;
  for (int d = 0; d < 3; ++d) {
    c.count[d] = cells;
    c.blocks[d] = blocks;
    c.periodic[d] = periodic;
  }
  c.cutoff = cutoff;
  return c;
}

std::vector<double> points(std::string const& how, std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.5, 0.1);
  std::vector<double> x(3 * count);
  for (double& v : x) {
    double const u = random() / 4294967296.0;
    v = how == "uniform" ? u : how == "corner" ? 0.1 * u : how == "cell" ? 0.51 + 1e-3 * u : normal(random);
    v = std::clamp(v, 0.0, 0.999999);
  }
  return x;
}

std::vector<TargetChunk> chunks_of(Cells const& cells, BlockedPoints<double> const& sources,
                                   BlockedPoints<double> const& targets, Loop const& loop = in_turn) {
  CellColumns const columns = cell_columns_of(cells, 1 << 18);
  return cut_chunks(columns, content_of_columns(columns, sources.block_offsets(), targets.block_offsets(), loop));
}

/// Pairs within the cutoff, images included, counted.
double count_pairs(Cells const& c, std::vector<double> const& x) {
  double pairs = 0;
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (std::size_t j = 0; j < x.size(); j += 3) {
      double r2 = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        double r = x[i + d] - x[j + d];
        if (c.periodic[d]) r -= std::round(r);
        r2 += r * r;
      }
      pairs += r2 < c.cutoff * c.cutoff;
    }
  return pairs;
}

}  // namespace

TEST_CASE("chunks: every target is in one, in order; none is much more work than others; pairs are about right") {
  Runtime const runtime;
  for (bool periodic : {true, false})
    for (char const* how : {"uniform", "normal", "corner", "cell"}) {
      Cells const cells = make_cells(0.06, 40, 5, periodic);
      auto const x = points(how, 3000);
      auto const set = sorted_into_cells<double>(nullptr, {cells}, x, "source", false, false);
      auto const chunks = chunks_of(cells, set, set);
      CAPTURE(how);
      std::vector<int> next(125, 0);
      double pairs = 0, most = 0;
      for (TargetChunk const& chunk : chunks) {
        CHECK(chunk.points.first == next[std::size_t(chunk.block)]);
        CHECK(chunk.points.count() > 0);
        next[std::size_t(chunk.block)] = chunk.points.last;
        pairs += chunk.pairs;
        most = std::max(most, chunk.pairs);
      }
      for (int b = 0; b < 125; ++b) CHECK(next[std::size_t(b)] == set.count(b));
      CHECK(most < 3.2 * pairs / 125);
      // A corner of a cube in free space, or a cell, is smaller than what is taken for even here.
      double const counted = count_pairs(cells, x), ratio = pairs / counted;
      CHECK(ratio > (std::string(how) == "cell" ? 0.1 : 0.3));
      CHECK(ratio < 1.5);
    }
}

TEST_CASE("chunks: tasks on workers cut as the caller does") {
  Runtime const runtime;
  Loop const by_tasks = worker_loop(runtime.shared(), 1 << 20);
  for (char const* how : {"uniform", "normal", "corner"}) {
    Cells const cells = make_cells(0.06, 40, 5, true);
    auto const set = sorted_into_cells<double>(nullptr, {cells}, points(how, 3000), "source", false, false);
    auto const one = chunks_of(cells, set, set), other = chunks_of(cells, set, set, by_tasks);
    CAPTURE(how);
    REQUIRE(one.size() == other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(one[i].block == other[i].block);
      CHECK(one[i].points.first == other[i].points.first);
      CHECK(one[i].points.last == other[i].points.last);
      CHECK(one[i].pairs == other[i].pairs);
    }
  }
}

TEST_CASE("chunks: evenly spread points are one chunk per block") {
  Runtime const runtime;
  Cells const cells = make_cells(0.1, 20, 4, true);
  auto const x = points("uniform", 20000);
  auto const set = sorted_into_cells<double>(nullptr, {cells}, x, "source", false, false);
  CHECK(chunks_of(cells, set, set).size() == 64);
}

/// Most pairs of the targets of a chunk, counted, in means over blocks.
double most_pairs(Cells const& c, BlockedPoints<double> const& set, std::vector<TargetChunk> const& chunks) {
  std::vector<double> all[3];
  for (int b = 0; b < set.blocks(); ++b)
    for (std::size_t d = 0; d < 3; ++d)
      all[d].insert(all[d].end(), set.near(b) + std::int64_t(d) * set.stride(b),
                    set.near(b) + std::int64_t(d) * set.stride(b) + set.count(b));
  double most = 0, sum = 0;
  std::size_t next = 0;
  for (TargetChunk const& chunk : chunks) {
    double pairs = 0;
    for (int i = 0; i < chunk.points.count(); ++i, ++next)
      for (std::size_t j = 0; j < all[0].size(); ++j) {
        double r2 = 0;
        for (std::size_t d = 0; d < 3; ++d) r2 += (all[d][next] - all[d][j]) * (all[d][next] - all[d][j]);
        pairs += r2 < c.cutoff * c.cutoff;
      }
    most = std::max(most, pairs);
    sum += pairs;
  }
  return most / (sum / c.block_count());
}

TEST_CASE("chunks: a clump on a filament along z, where blocks have few columns, is cut as well") {
  Runtime const runtime;
  std::mt19937 random(3);
  auto const anywhere = [&] { return random() / 4294967296.0; };
  for (int const layers : {100, 400}) {
    Cells cells = make_cells(0.1, 10, 5, false);
    cells.count[2] = layers;
    cells.blocks[2] = 1;
    cells.edge[2] = cells.face[2] = layers / 10.0;
    std::vector<double> x;
    for (int i = 0; i < 6000; ++i) {
      x.insert(x.end(), {0.45 + 0.1 * anywhere(), 0.45 + 0.1 * anywhere(), cells.edge[2] * anywhere()});
      if (i % 10 == 0) x.back() = 0.32 * cells.edge[2] + 0.1 * anywhere();
    }
    auto const set = sorted_into_cells<double>(nullptr, {cells}, x, "source", false, false);
    CHECK(most_pairs(cells, set, chunks_of(cells, set, set)) < 4);
  }
}

TEST_CASE("chunks: targets without sources near them, and one target") {
  Runtime const runtime;
  Cells const cells = make_cells(0.05, 20, 4, false);
  auto const corner = points("corner", 500);
  auto const sources = sorted_into_cells<double>(nullptr, {cells}, corner, "source", false, false);
  std::vector<double> const far{0.9, 0.9, 0.9};
  auto const targets = sorted_into_cells<double>(nullptr, {cells}, far, "target", false, false);
  auto const chunks = chunks_of(cells, sources, targets);
  REQUIRE(chunks.size() == 1);
  CHECK(chunks[0].pairs == 0);
  CHECK(chunks[0].points.count() == 1);
}
