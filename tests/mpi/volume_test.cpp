// SPDX-License-Identifier: BSD-3-Clause
// What Ewald and multipole sums send is what their formulas say (docs/nodes.md): each piece of data once to each rank
// that needs it and does not have it.
#include "core/fmm/packed.hpp"
#include "core/geometry/mutual.hpp"
#include "core/kernels/packed_source.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Bytes of data that go to ranks: each counts once for each rank but its owner.
class Sent {
 public:
  void to(int rank, int owner, char const* what, int number, std::int64_t numbers, std::size_t bytes = sizeof(double)) {
    if (rank != owner && seen_.insert({{what, number}, rank}).second) bytes_ += std::uint64_t(numbers) * bytes;
  }
  std::uint64_t bytes() const { return runtime().ranks() > 1 ? bytes_ : 0; }

 private:
  std::set<std::pair<std::pair<std::string, int>, int>> seen_;
  std::uint64_t bytes_ = 0;
};

/// Whether cells of two blocks are within the cutoff of each other along a direction, going by cells one by one.
bool near(Cells const& c, int d, int a, int b) {
  for (int i = c.first_cell(d, a); i < c.first_cell(d, a + 1); ++i)
    for (int j = c.first_cell(d, b); j < c.first_cell(d, b + 1); ++j) {
      int const apart = std::abs(i - j), around = c.periodic[d] ? std::min(apart, c.count[d] - apart) : apart;
      if (around <= c.reach(d)) return true;
    }
  return false;
}

bool near(Cells const& c, int a, int b) {
  Block const one = block_at(c, a), other = block_at(c, b);
  for (int d = 0; d < 3; ++d)
    if (!near(c, d, one.at[d], other.at[d])) return false;
  return true;
}

/// Strengths from who gives sources to who sorts them, `owner` of a block.
template <class Owner>
void add_given(Sent& sent, detail::PlannedPoints<double> const& points, int strengths, Owner const& owner) {
  for (int b = 0; b < points.sources().blocks(); ++b)
    for (int i = 0; i < points.sources().count(b); ++i) {
      auto const row = points.sources().rows(b)[i];
      sent.to(owner(b), points.source_parts().rank_of(row), "given", int(row), strengths);
    }
}

/// Results from who finds them, for a range of targets of a block, to who gave the targets.
void add_results(Sent& sent, detail::PlannedPoints<double> const& points, int block, PointRange const& range, int owner,
                 int results) {
  for (int i = range.first; i < range.last; ++i) {
    auto const row = points.targets().rows(block)[i];
    sent.to(points.target_parts().rank_of(row), owner, "result", int(row), results);
  }
}

/// Near part: packed sources to who has targets near them, and what is found for them back; strengths to slabs that
/// their windows reach, tiles there and back, slabs to targets.
std::uint64_t expected_bytes(detail::PointSet<double> const& points, EwaldOptions const& options) {
  auto const& setup = points.setup();
  Cells const& c = setup.cells;
  auto const& layout = setup.grid.layout;
  auto const& chunks = points.chunks();
  auto const& of_block = points.owners().block;
  auto const& of_chunk = points.owners().chunk;
  int const ranks = runtime().ranks(), results = result_components(options.kernel, options.gradient),
            row = result_row(results), components = std::max(setup.forward, setup.inverse);
  auto const of_slab = [&](int s) { return s * ranks / layout.slabs; };
  auto const of_group = [&](int g) { return g * ranks / layout.columns; };
  Sent sent;
  add_given(sent, points, setup.strengths, [&](int b) { return of_block[std::size_t(b)]; });
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    int const block = chunks[i].block, rank = of_chunk[i];
    for (int b = 0; b < c.block_count(); ++b) {
      if (!near(c, block, b)) continue;
      auto const stride = points.sources().stride(b);
      if (setup.parameters.near_in_single)
        sent.to(rank, of_block[std::size_t(b)], "packed", b,
                stride * PackedSource<double, float>::width(setup.strengths), sizeof(float));
      else sent.to(rank, of_block[std::size_t(b)], "packed", b, stride * packed_width(setup.strengths));
      if (!sums_for_both(c, block_at(c, block), block_at(c, b))) continue;
      for (std::size_t j = 0; j < chunks.size(); ++j)
        if (chunks[j].block == b)
          sent.to(of_chunk[j], rank, "contribution", int(i) * c.block_count() + b, stride * row);
    }
    CyclicRange const touched = slabs_of_block(setup.grid, c, block_at(c, block));
    for (int s = 0; s < touched.count; ++s)
      sent.to(rank, of_slab(touched.item(s)), "slab", touched.item(s),
              components * layout.planes(touched.item(s)) * layout.plane_size());
    add_results(sent, points, block, chunks[i].points, rank, results);
  }
  for (int s = 0; s < layout.slabs; ++s) {
    for (int b = 0; b < c.block_count(); ++b) {
      CyclicRange const touched = slabs_of_block(setup.grid, c, block_at(c, b));
      for (int t = 0; t < touched.count; ++t)
        if (touched.item(t) == s)
          sent.to(of_slab(s), of_block[std::size_t(b)], "strengths of block", b,
                  points.sources().stride(b) * setup.strengths);
    }
    for (int g = 0; g < layout.columns; ++g)
      sent.to(of_group(g), of_slab(s), "tile there and back", s * layout.columns + g,
              4 * components * layout.planes(s) * layout.columns_in(g));
  }
  return sent.bytes();
}

void expect_ewald_bytes(EwaldOptions const& options, std::size_t count) {
  Problem<> p(count, strength_components(options.kernel));
  for (double& x : p.x) x = 0.15 + 0.7 * x;  // inside
  auto const results = std::size_t(result_components(options.kernel, options.gradient));
  std::vector<double> u(count * results);
  Ewald plan(runtime(), options);
  auto const points = plan.set_points(given(p.x));
  auto const report = plan.submit(points, given(p.f), taken(u)).report();
  CHECK(report.sent_bytes == expected_bytes(*points.set(), options));
  Dealt const dealt(count);
  u.resize(dealt.count() * results);
  auto const spread = plan.set_points(dealt.mine(p.x));
  auto const again = plan.submit(spread, dealt.mine(p.f), u).report();
  CHECK(again.sent_bytes == expected_bytes(*spread.set(), options));
}

/// Strengths of leaves to P2P, expansions to M2M, M2L and L2L.
std::uint64_t expected_bytes(detail::FmmPointSet<double> const& points, int rhs, int results) {
  auto const& tree = *points.tree();
  int const order = points.parameters().order;
  Sent sent;
  add_given(sent, points, 1, [&](int b) { return tree.owner(b); });
  for (int b = 0; b < tree.blocks(); ++b) {
    auto const& lists = tree.lists(b);
    auto const needs = [&](char const* what, std::vector<std::int32_t> const& blocks, bool expansions) {
      for (int other : blocks)
        sent.to(
            tree.owner(b), tree.owner(other), what, other,
            expansions ? expansion_size<double>(order, rhs, tree.block(other).size()) : points.sources().stride(other));
    };
    if (tree.has_multipole(b) && !tree.block(b).leaves) needs("multipoles", lists.m2m.blocks, true);
    if (tree.has_local(b)) {
      needs("multipoles", lists.m2l.blocks, true);
      needs("locals", lists.l2l.blocks, true);
    }
    if (!tree.is_target_leaves(b)) continue;
    needs("strengths", lists.p2p.blocks, false);
    add_results(sent, points, b, {0, points.targets().count(b)}, tree.owner(b), results);
  }
  return sent.bytes();
}

}  // namespace

TEST_CASE("an Ewald sum sends what its formula says") {
  EwaldOptions o{.kernel = Kernel::stokeslet, .tolerance = 1e-4};
  expect_ewald_bytes(o, 500);
  o.cutoff = 0.12;
  o.grid = std::array{46, 50, 54};
  expect_ewald_bytes(o, 3001);
  expect_ewald_bytes({.kernel = Kernel::laplace, .gradient = true, .periodicity = Periodicity::x, .box = {2, 3, 3}},
                     2000);
}

TEST_CASE("a multipole sum sends what its formula says") {
  for (std::size_t count : {300, 8000}) {
    Problem<> const p(count, 1);
    std::vector<double> u(count);
    BasicFmm<double> plan(runtime(), {.tolerance = 1e-3});
    auto const points = plan.set_points(given(p.x));
    auto const report = plan.submit(points, given(p.f), taken(u)).report();
    CHECK(points.set()->tree()->lists(0).p2l.empty());
    CHECK(report.sent_bytes == expected_bytes(*points.set(), 1, 1));
    Dealt const dealt(count);
    u.resize(dealt.count());
    auto const spread = plan.set_points(dealt.mine(p.x));
    auto const again = plan.submit(spread, dealt.mine(p.f), u).report();
    CHECK(again.sent_bytes == expected_bytes(*spread.set(), 1, 1));
  }
}
