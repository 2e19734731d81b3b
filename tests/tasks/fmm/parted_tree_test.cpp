// SPDX-License-Identifier: BSD-3-Clause
// Trees made by tasks and cut into parts, one for each GPU, for which CPUs stand here: whole solves with them.
#include "tasks/engine/solve/submit.hpp"
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/fmm/graph.hpp"
#include "tests/core/tree/tree_points.hpp"
#include "tests/tasks/fmm/counting_stages.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;
using test::Counting;

namespace {

constexpr std::uint32_t few = 5;
using Set = std::shared_ptr<FmmPointSet<double>>;

struct Case {
  std::string kind;
  bool periodic = false, same = true;
  int depth = 3, capacity = 0;
  std::vector<double> x = points(kind, 3000, 1), y = same ? x : points("normal", 2000, 2);

  static std::vector<double> points(std::string const& of, std::size_t count, unsigned seed) {
    std::vector<double> x = test::tree_points(of, count, seed);
    for (double& v : x) v += 0.5;
    return x;
  }
  FmmOptions options() const {
    if (periodic) return {.periodicity = Periodicity::xyz, .box = {1, 1, 1}};
    return {};
  }
  /// Rows as the GPUs may have them, one array each.
  static GivenArrays<double const> on_each(std::vector<double> const& rows, int gpus) {
    std::vector<std::span<double const>> arrays;
    std::size_t const all = rows.size() / 3, n = std::size_t(gpus);
    for (std::size_t g = 0; g < n; ++g)
      arrays.push_back(std::span(rows).subspan(3 * (all * g / n), 3 * (all * (g + 1) / n - all * g / n)));
    return Arrays<double const>(arrays);
  }
  /// As a GPU makes the tree, in these parts; strengths and results lie as the points do.
  Set in_parts(Runtime const& runtime, Parted const& parted, int order) const {
    auto const setup = std::make_shared<FmmSetup<double>>(options(), std::max(1, order), 1);
    setup->order = order;
    auto const sources = on_each(x, parted.parts), targets = on_each(y, parted.parts);
    GpuTree<double> tree(runtime.shared(), sources, same ? std::nullopt : std::optional(targets));
    FmmRoot const root = root_in<double>(options(), tree.extent()).value();
    PointsInRoot<double> const from(options(), root, std::span<double const>(x), "source"),
        to(options(), root, std::span<double const>(y), "target");
    tree.sort({from, to}, 16, 4);
    TreeShape shape = from.shape();
    shape.centre = root.centre;
    shape.depth = depth;
    shape.separation = 1;
    shape.capacity = capacity;
    auto made = tree.make(shape, few, {from, to}, parted);
    auto const blocked = std::make_shared<FmmTree>(std::move(made.tables), few);
    auto const set = std::make_shared<FmmPointSet<double>>(runtime.shared(), nullptr, setup, blocked,
                                                           std::make_shared<FmmWorkspaces<double>>(), FmmPlanning{},
                                                           from, std::move(made.points));
    set->set_parts(Ranks::one().parts(x.size() / 3), Ranks::one().parts(same ? 0 : y.size() / 3), Ranks::one());
    set->set_placement(Placement::all_on_gpus);
    if (set->gpus() > 1)
      set->find_routes(cut_for_gpus(sources, 3, set->gpus(), "sources are"),
                       cut_for_gpus(targets, 3, set->gpus(), "targets are"));
    return set;
  }
};

Parted parts_of(int parts) { return {parts, {.pair = 1, .point = 10, .leaf = 1000}}; }

std::vector<double> solved(Runtime const& runtime, Set const& set, FmmStages const& stages,
                           std::vector<double> const& q, std::size_t numbers) {
  std::vector<double> result(set->targets().size() * numbers, -1);
  submit_solve(runtime.shared(), {}, {.implementation = Implementation::portable}, [&](Graph& graph) {
    GivenStrengths<double> given{.rows = q, .row = 1, .largest = {}};
    auto const job = make_fmm_job<double>(graph.solve(), *set, 1, stages, {given, result});
    build_fmm_graph(graph, job, stages);
  }).wait();
  return result;
}

/// Each point is in one block, which belongs to the GPU of its part; leaves are shared about evenly.
void check_owners(Set const& set, int parts, bool even) {
  FmmTree const& tree = *set->tree();
  std::vector<double> points(std::size_t(parts), 0);
  for (int b = 0; b < tree.blocks(); ++b) {
    REQUIRE(tree.owner(b) >= 0);
    REQUIRE(tree.owner(b) < parts);
    points[std::size_t(tree.owner(b))] += set->sources().count(b);
  }
  double const all = std::accumulate(points.begin(), points.end(), 0.0);
  CHECK(all == double(set->sources().size()));
  if (even)
    for (double const here : points) CHECK(here == doctest::Approx(all / parts).epsilon(0.2));
}

}  // namespace

TEST_CASE("trees in parts for several GPUs: every target gets every source once, and sums are those of one part") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (Case const& c : {Case{"uniform"},
                        {"uniform", true},
                        {"uniform", true, false},
                        {"plummer", false, true, 16, 30},
                        {"plummer", true, true, 16, 30},
                        {"two galaxies", false, false, 16, 30},
                        {"two corners", false, true, 16, 30},
                        {"line", false, true, 16, 30},
                        {"sphere", false, false}}) {
    CAPTURE(c.kind);
    CAPTURE(c.periodic);
    CAPTURE(c.same);
    std::vector<double> numbered(c.x.size() / 3), charges(numbered.size());
    for (std::size_t i = 0; i < charges.size(); ++i) {
      numbered[i] = 1 + double(i % 7);
      charges[i] = i % 2 == 0 ? 1 : -1;
    }
    double const all = (c.periodic ? 1027 : 1) * std::accumulate(numbered.begin(), numbered.end(), 0.0);
    auto const real = fmm_stages<double>(Kernel::laplace, Output::potential | Output::gradient, false);
    auto const known = solved(runtime, c.in_parts(runtime, {}, 4), real, charges, 4);
    for (int const parts : {1, 2, 3, 4}) {
      CAPTURE(parts);
      Set const for_counting = c.in_parts(runtime, parts_of(parts), 0), set = c.in_parts(runtime, parts_of(parts), 4);
      double const wanted = all / for_counting->unit().callers(1.0);  // a power of two: sums are taken for potentials
      auto const counted = solved(runtime, for_counting, FmmStages::of<Counting>(), numbered, 1);
      CHECK(std::ranges::all_of(counted, [&](double sum) { return sum == wanted; }));
      CHECK(set->gpus() == parts);
      if (parts > 1) check_owners(set, parts, c.kind == "uniform");
      CHECK(test::relative_difference(solved(runtime, set, real, charges, 4), known) < 1e-13);
    }
  }
}

TEST_CASE("trees in parts: points that have moved are cut at the same keys; levels of few boxes belong to the first") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  Case c{"uniform"};
  Parted parted = parts_of(3);
  parted.wanted.least = 100;
  Set const set = c.in_parts(runtime, parted, 4);
  FmmTree const& tree = *set->tree();
  std::set<int> owners;
  for (int b = 0; b < tree.blocks(); ++b)
    if (tree.block(b).level < 3) CHECK(tree.owner(b) == 0);
    else owners.insert(tree.owner(b));
  CHECK(owners == std::set<int>{0, 1, 2});
  for (double& v : c.x) v += 1e-3 * std::sin(1e3 * v);
  c.y = c.x;
  Set const moved = c.in_parts(runtime, tree.parted(), 4);
  CHECK(moved->tree()->has_blocks_of(tree));
  CHECK(std::ranges::equal(moved->tree()->parted().wanted.begin, tree.parted().wanted.begin));
}
