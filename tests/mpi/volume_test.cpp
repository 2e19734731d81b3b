// SPDX-License-Identifier: BSD-3-Clause
// What Ewald and multipole sums send is what their formulas say (docs/nodes.md): each piece of data once to each rank
// that needs it and does not have it.
#include "core/fmm/packed.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/fmm/prediction.hpp"
#include "tests/mpi/ewald_volume.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

std::uint64_t expected_bytes(detail::PointSet<double> const& points, EwaldOptions const& options) {
  auto const& ranks = runtime().shared()->ranks();
  return ewald_bytes(points, options, ranks.count(), true) +
         ranks.sum(ewald_bytes_of_rank(points, options, ranks.rank(), ranks.count()));
}

void expect_ewald_bytes(EwaldOptions const& options, std::size_t count) {
  Problem<> p(count, strength_components(options.kernel));
  for (double& x : p.x) x = 0.15 + 0.7 * x;  // inside
  auto const results = std::size_t(result_components(options.kernel, options.outputs));
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

/// Strengths of leaves to P2P, expansions to M2M, M2L and L2L. Collective, since only who owns a block knows whose its
/// points are.
std::uint64_t expected_bytes(detail::FmmPointSet<double> const& points, int rhs, int results) {
  auto const& tree = *points.tree();
  int const order = points.parameters().order, ranks = runtime().ranks();
  Sent sent(ranks), of_this_rank(ranks);
  for (int b = 0; b < points.sources().blocks(); ++b)
    if (tree.owner(b) == runtime().rank()) add_given(of_this_rank, points, b, 1, tree.owner(b));
  for (int b = 0; b < tree.blocks(); ++b) {
    auto const& lists = tree.lists(b);
    auto const needs = [&](char const* what, std::vector<std::int32_t> const& blocks, bool expansions) {
      for (int other : blocks)
        sent.to(
            tree.owner(b), tree.owner(other), what, other,
            expansions ? expansion_size<double>(order, rhs, tree.block(other).size()) : points.sources().stride(other));
    };
    if (tree.has_multipole(b) && !tree.block(b).of_leaves) needs("multipoles", lists.m2m.blocks, true);
    if (tree.has_local(b)) {
      needs("multipoles", lists.m2l.blocks, true);
      needs("locals", lists.l2l.blocks, true);
    }
    if (!tree.is_target_leaves(b)) continue;
    needs("strengths", lists.p2p.blocks, false);
    if (tree.owner(b) != runtime().rank()) continue;
    of_this_rank.to(tree.first_owner(), tree.owner(b), "energy", b, energy_sums);
    add_results(of_this_rank, points, b, {0, points.targets().count(b)}, tree.owner(b), results);
  }
  if (ranks > 1) {  // plans know what tasks send, before there is a solve
    auto const communication = detail::communication_of(
        tree, ranks, double(expansion_size<double>(order, rhs, 1)) * sizeof(double), sizeof(double));
    CHECK(communication.expansions + communication.ghosts == double(sent.most()));
    auto const& p = points.parameters();
    FmmCommunication const guess = guess_fmm_communication(Kernel::laplace, order, p.well_separation, double(p.boxes),
                                                           double(points.sources().size()), {.ranks = ranks});
    if (p.blocks > 1) {  // which are cut when the tree is chosen
      CHECK(communication.expansions > 0.5 * guess.expansions);
      CHECK(communication.expansions < 2.5 * guess.expansions);
      CHECK(communication.ghosts > guess.ghosts);
    }
  }
  return sent.bytes() + runtime().shared()->ranks().sum(of_this_rank.bytes());
}

}  // namespace

TEST_CASE("an Ewald sum sends what its formula says") {
  EwaldOptions o{.kernel = Kernel::stokeslet, .tolerance = 1e-4};
  expect_ewald_bytes(o, 500);
  o.cutoff = 0.12;
  o.grid = std::array{46, 50, 54};
  expect_ewald_bytes(o, 3001);
  expect_ewald_bytes({.kernel = Kernel::laplace,
                      .outputs = Output::potential | Output::gradient,
                      .periodicity = Periodicity::x,
                      .box = {2, 3, 3}},
                     2000);
}

TEST_CASE("a multipole sum sends what its formula says") {
  for (std::size_t count : {300, 60'000}) {
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
