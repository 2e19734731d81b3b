// SPDX-License-Identifier: BSD-3-Clause
// Every stage of every solver, with its body held to its accesses: no error, and the same bits as without, so no body
// counts on what was in its results or its work space before.
#include "codelets/common/access_check/access_check.hpp"
#include "codelets/common/stages.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/gpu/gpu_tree.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/points/gpu_cell_sort.hpp"
#include "tasks/points/row_routes.hpp"
#include "tests/tasks/engine/checked_accesses.hpp"
#include "tests/tasks/pic/bunch.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

using namespace nearfar;
using test::CheckedAccesses;
using test::Problem;

namespace {

/// solve() gives a result.
template <class Solve>
void check(Solve const& solve) {
  auto const result = [&](bool on) {
    CheckedAccesses const checked(on);
    return solve();
  };
  auto const expected = result(false);
  REQUIRE(!expected.empty());
  CHECK(std::isfinite(expected.front()));
  CHECK(result(true) == expected);
}

template <class T = double>
void check_ewald(Runtime const& runtime, EwaldOptions const& options, std::size_t count = 700) {
  CAPTURE(name(options.kernel));
  CAPTURE(name(options.periodicity));
  Problem<T> const p(count, strength_components(options.kernel));
  for (bool two_sets : {false, true})
    check([&] {
      BasicEwald<T> plan(runtime, options);
      auto const points = two_sets ? plan.set_points(p.x, std::span(p.x).first(600)) : plan.set_points(p.x);
      std::vector<T> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
      plan.submit(points, std::span<T const>(p.f), std::span<T>(u)).report();
      return u;
    });
}

/// Points in the box, most of them in one corner if `clustered`.
template <class T>
std::vector<T> positions(bool clustered) {
  auto x = Problem<T>(1500, 1).x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = (x[i] + T(0.1)) / T(1.2);
    if (clustered && i < 3 * 1200) x[i] *= T(0.01);
  }
  return x;
}

template <class T = double>
void check_fmm(Runtime const& runtime, FmmOptions const& options, bool clustered = false) {
  CAPTURE(name(options.kernel));
  CAPTURE(name(options.periodicity));
  auto const x = positions<T>(clustered);
  auto f = Problem<T>(1500, strength_components(options.kernel), 2).f;
  if (options.boundary == Boundary::vacuum)
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = i % 2 == 0 ? T(1) : T(-1);
  for (std::size_t targets : {std::size_t(0), std::size_t(30)})
    check([&] {
      BasicFmm<T> plan(runtime, options);
      // Few targets far from many sources get multipoles, and many far from few give locals.
      std::span<T const> const all(x);
      auto const points = targets == 0 ? plan.set_points(all) : plan.set_points(all, all.last(3 * targets));
      std::vector<T> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
      plan.submit(points, std::span<T const>(f), std::span<T>(u)).report();
      return u;
    });
}

template <class T = double>
void check_poisson(Runtime const& runtime, PoissonOptions const& options) {
  CAPTURE(name(options.method));
  auto const cells = std::size_t(options.grid[0]) * std::size_t(options.grid[1]) * std::size_t(options.grid[2]);
  auto const density = Problem<T>(cells, 1, 3).f;
  check([&] {
    BasicPoisson<T> plan(runtime, options);
    plan.green_report();
    std::vector<T> potential(cells), field(options.field ? 3 * cells : 0);
    for (int round = 0; round < 2; ++round) {
      plan.submit(density, potential, field).report();
      plan.set_spacing({0.1, 0.2, 0.3});
      plan.green_report();
    }
    potential.insert(potential.end(), field.begin(), field.end());
    return potential;
  });
}

template <class T = double>
void check_pic(Runtime const& runtime, std::array<bool, 3> const& periodic) {
  test::Bunch<T> bunch(3000, 0.2, -1);
  for (std::size_t i = 0; i < bunch.velocities.size(); ++i) bunch.velocities[i] = T(double(i % 7) - 3);
  PicOptions const options{.grid = {10, 8, 9}, .periodic = periodic, .time_step = 0.01, .charge_per_mass = -2};
  check([&] {
    auto loop = bunch.loop(runtime, options);
    loop.advance(3).report();
    PicTotals totals;
    std::vector<T> state(6 * 3000), density(720), potential(720);
    std::span<T> const all(state);
    loop.read({&totals, density, potential, all.first(3 * 3000), all.last(3 * 3000)}).report();
    for (auto const& more : {density, potential}) state.insert(state.end(), more.begin(), more.end());
    state.push_back(T(totals.energy()));
    return state;
  });
}

Runtime test_runtime() { return Runtime({.scheduler = "lws", .cpus = 2, .gpus = 0}); }

}  // namespace

TEST_CASE("accesses of ewald's stages") {
  auto const runtime = test_runtime();
  for (auto kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace})
    for (auto periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz}) {
      bool const boxed = periodicity == Periodicity::xyz;
      EwaldOptions options{.kernel = kernel, .outputs = outputs_of(kernel), .periodicity = periodicity};
      options.box = {1, periodicity == Periodicity::x ? 0.0 : 1, boxed ? 1.0 : 0};
      if (periodicity == Periodicity::none) options.box = {0, 0, 0};
      options.tolerance = 1e-4;
      check_ewald(runtime, options);
      if (periodicity == Periodicity::x || periodicity == Periodicity::xy) continue;
      if (periodicity == Periodicity::none) options.influence = Influence::table;
      check_ewald<float>(runtime, options);
      options.implementation = Implementation::portable;
      check_ewald(runtime, options);
    }
}

TEST_CASE("accesses of blocks that find pairs for each other") {
  auto const runtime = test_runtime();
  for (auto kernel : {Kernel::stokeslet, Kernel::laplace}) {
    EwaldOptions options{.kernel = kernel, .tolerance = 1e-4, .cutoff = 0.15, .grid = std::array{32, 32, 32}};
    check_ewald(runtime, options, 5000);
    options.implementation = Implementation::portable;
    check_ewald(runtime, options, 5000);
  }
}

TEST_CASE("accesses of solves in the form that GPUs run, with strengths and results that are copied") {
  Runtime const runtime({.scheduler = "lws", .cpus = 4, .gpus = 0});
  detail::StagedRows<double>::least_bytes = detail::StagedRows<double>::least_bytes_of_piece = 0;
  REQUIRE(detail::StagedRows<double>::pay(1));
  for (auto kernel : {Kernel::stokes, Kernel::laplace}) {
    EwaldOptions const options{.kernel = kernel,
                               .outputs = outputs_of(kernel),
                               .box = {1.3, 1.3, 1.3},
                               .tolerance = 1e-4,
                               .count = 2000,
                               .implementation = Implementation::portable};
    Problem<> const p(2000, strength_components(kernel));
    auto const solve = [&](bool as_gpus) {
      EwaldPlanning parameters = Ewald(runtime, options).parameters();
      parameters.blocks = {2, 1, 1};
      parameters.on_gpus = as_gpus;
      auto const plan = std::make_shared<detail::EwaldPlan<double>>(runtime.shared(), options, parameters);
      auto const points = plan->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>(p.x), Targets::sources);
      std::vector<double> u(2000 * std::size_t(result_components(kernel, options.outputs)));
      auto const report = plan->submit({points, p.f, u}).report();
      bool const copied = std::ranges::any_of(report.stages, [](auto& s) { return s.stage == "copy_results"; });
      CHECK(copied == as_gpus);
      return u;
    };
    check([&] { return solve(true); });
    CHECK(solve(true) == solve(false));
  }
}

TEST_CASE("accesses of the fmm's stages") {
  auto const runtime = test_runtime();
  for (auto kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet, Kernel::stokes})
    for (auto implementation : {Implementation::tuned, Implementation::portable}) {
      FmmOptions options{.kernel = kernel,
                         .outputs = kernel == Kernel::laplace ? Output::potential | Output::gradient
                                                              : Output::velocity | Output::pressure,
                         .tolerance = 1e-4};
      options.implementation = implementation;
      options.depth = 2;
      check_fmm(runtime, options);
      check_fmm<float>(runtime, options);
      options.depth = {};
      options.capacity = 8;
      check_fmm(runtime, options, true);
    }
  for (bool gradient : {false, true})
    check_fmm(runtime, {.outputs = gradient ? Output::potential | Output::gradient : Outputs(),
                        .periodicity = Periodicity::xyz,
                        .box = {1, 1, 1},
                        .tolerance = 1e-4,
                        .boundary = gradient ? Boundary::vacuum : Boundary::tin_foil,
                        .depth = 2});
}

TEST_CASE("accesses of poisson's and direct's stages") {
  auto const runtime = test_runtime();
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct}) {
    check_poisson(runtime, {.method = method, .grid = {9, 12, 10}, .field = true});
    check_poisson(runtime, {.method = method, .grid = {8, 6, 10}, .periodic = {true, false, true}});
    check_poisson<float>(runtime, {.method = method, .grid = {8, 6, 10}, .conductor = BoxFace::z_low});
  }
  Problem<> const p(300, 9);
  check([&] {
    std::vector<double> u(900);
    direct(runtime, Kernel::stokes, {}, p.x, p.x, p.f, u).report();
    return u;
  });
}

TEST_CASE("accesses of the particle-in-cell loop") {
  auto const runtime = test_runtime();
  check_pic(runtime, {false, false, false});
  check_pic(runtime, {true, false, true});
  check_pic<float>(runtime, {false, true, false});
}

TEST_CASE("accesses of sorting into cells, and of making a tree, by tasks") {
  auto const runtime = test_runtime();
  check_ewald(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-3}, 40000);
  Problem<> const p(40000, 1);
  check([&] {
    Fmm plan(runtime, {.tolerance = 1e-3});
    std::vector<double> u(40000);
    plan.submit(plan.set_points(p.x), p.f, u).report();
    return u;
  });
}

TEST_CASE("accesses of sorting into the cells of one block, by one task") {
  auto const runtime = test_runtime();
  Problem<> const p(5000, 1);
  Frame frame;
  for (int& count : frame.cells.count) count = 6;
  set_faces<double>(frame.cells);
  check([&] {
    auto const points = detail::sorted_on_gpu<double>(runtime.shared(), frame, p.x, {"source", true, true});
    points.bring_to_host(runtime.shared());
    auto const arrays = points.arrays(0);
    std::vector<double> all(arrays.position, arrays.position + 3 * arrays.stride);
    all.insert(all.end(), arrays.near, arrays.near + 3 * arrays.stride);
    all.insert(all.end(), arrays.given, arrays.given + 3 * arrays.stride);
    all.insert(all.end(), arrays.rough, arrays.rough + 3 * arrays.stride);
    all.insert(all.end(), arrays.offset, arrays.offset + arrays.cells + 1);
    all.insert(all.end(), arrays.row, arrays.row + arrays.points);
    return all;
  });
}

TEST_CASE("accesses of sorting into several blocks by tasks, and of the routes of rows between who owns them") {
  auto const runtime = test_runtime();
  Problem<> const p(5000, 1);
  Frame frame;
  for (int& count : frame.cells.count) count = 6;
  frame.cells.blocks[0] = 3;
  frame.cells.cutoff = 0.1;
  set_faces<double>(frame.cells);
  std::vector<int> const owners{1, 0, 1};
  std::vector<detail::Stretch> const stretches{{0, 1700, 0, 0}, {1700, 5000, 0, 1}};
  check([&] {
    auto const points = detail::sorted_on_gpu<double>(runtime.shared(), frame, p.x, {"source", true, true, 2});
    points.bring_to_host(runtime.shared());
    std::vector<double> all;
    std::vector<detail::TargetRange> ranges;
    for (int b = 0; b < points.blocks(); ++b) {
      auto const arrays = points.arrays(b);
      all.insert(all.end(), arrays.position, arrays.position + 3 * arrays.stride);
      all.insert(all.end(), arrays.near, arrays.near + 3 * arrays.stride);
      all.insert(all.end(), arrays.given, arrays.given + 3 * arrays.stride);
      all.insert(all.end(), arrays.rough, arrays.rough + 3 * arrays.stride);
      all.insert(all.end(), arrays.offset, arrays.offset + arrays.cells + 1);
      all.insert(all.end(), arrays.row, arrays.row + arrays.points);
      ranges.push_back({b, {3, arrays.points}});
    }
    auto const add = [&](Handle handle, std::int64_t count) {
      auto const* const numbers = static_cast<std::uint32_t const*>(detail::acquire_on_host(handle));
      all.insert(all.end(), numbers, numbers + count);
      detail::release_on_host(handle);
    };
    auto const routes = detail::RowRoutes::by_tasks<double>(runtime.shared(), {points, owners, stretches},
                                                            {points, ranges, owners, stretches});
    auto const& [sent, taken] = routes;
    for (auto const& packed : sent.packed()) add(packed.chosen, packed.rows);
    for (int b = 0; b < points.blocks(); ++b) add(sent.rows(b), points.stride(b));
    for (std::size_t r = 0; r < ranges.size(); ++r)
      for (auto const& taker : taken.takers(r)) {
        if (taker.rank == owners[r]) continue;
        add(taken.points(r, 0), taker.count);
        add(taken.rows(r, 0), taker.count);
      }
    return all;
  });
}

/// Trees whose work is expected to be asked for are made of the finest one; others are grown for themselves.
static void check_expected(Runtime const& runtime, std::vector<double> const& x,
                           std::optional<std::span<double const>> const& targets,
                           detail::GivenToGpu<double> const& points, detail::GpuTree<double>& made) {
  TreeSight const sight{1, false, 1};
  std::array const capacities{50, 30, 90, 300};
  PointTrees const trees = made.trees();
  std::vector<ExpectedTree> expected;
  for (int const capacity : capacities) expected.push_back({capacity, sight, 5});
  expected.push_back({50, {2, false, 1}, 9});
  trees.expect(16, expected);
  for (int const capacity : capacities) {
    detail::GpuTree<double> alone(runtime.shared(), x, targets);
    alone.sort(points, 16, 4);
    TreeWork const wanted = alone.trees().work(16, capacity, sight, 5), found = trees.work(16, capacity, sight, 5);
    CAPTURE(capacity);
    CHECK(found.pairs == wanted.pairs);
    CHECK(found.interactions == wanted.interactions);
    CHECK(found.shifts == wanted.shifts);
    CHECK(found.boxes == wanted.boxes);
    CHECK(found.crowd == wanted.crowd);
    CHECK(found.to_points == wanted.to_points);
    CHECK(found.to_locals == wanted.to_locals);
  }
}

TEST_CASE("accesses of making a tree as GPUs do, by one task for each step") {
  auto const runtime = test_runtime();
  Problem<> p(5000, 1);
  std::vector<double> const others = Problem<>(3000, 1).x;
  FmmOptions const options{.tolerance = 1e-3};
  for (std::size_t i = 0; i < 6000; ++i) p.x[i] *= 0.1;
  for (int const capacity : {0, 40})
    for (bool const same : {true, false}) {
      CAPTURE(capacity);
      CAPTURE(same);
      check([&] {
        std::optional<std::span<double const>> targets;
        if (!same) targets = others;
        detail::GpuTree<double> made(runtime.shared(), p.x, targets);
        auto const root = detail::root_in<double>(options, made.extent());
        REQUIRE(root);
        detail::PointsInRoot<double> const points(options, *root, p.x, "source"),
            to(options, *root, same ? p.x : others, "target");
        made.sort({points, to}, 16, 4);
        TreeShape shape = points.shape();
        shape.centre = root->centre;
        shape.depth = capacity > 0 ? 16 : 3;
        shape.separation = 1;
        shape.capacity = capacity;
        auto const boxes = double(made.boxes(shape));
        for (int const expected : {1, 12}) {  // too few levels, and more than enough
          detail::GpuTree<double> again(runtime.shared(), p.x, targets);
          again.begin({points, to}, 16, shape, expected);
          CHECK(again.extent().low == made.extent().low);
          CHECK(again.extent().high == made.extent().high);
          CHECK(double(again.boxes(shape)) == boxes);
          CHECK(again.pairs_in_leaves(shape) == made.pairs_in_leaves(shape));
        }
        if (capacity > 0) check_expected(runtime, p.x, targets, {points, to}, made);
        std::vector<double> found{boxes, made.pairs_in_leaves(shape)};
        for (int const parts : {1, 3}) {
          auto const in_tree = made.make(shape, 5, {points, to}, {parts});
          found.push_back(in_tree.tables.pairs_in_leaves);
          for (auto const& of : in_tree.points) found.push_back(double(of.size()));
          for (auto const& block : in_tree.tables.blocks)
            for (auto const* const list : {&block.lists.m2m, &block.lists.l2l, &block.lists.m2l, &block.lists.p2p,
                                           &block.lists.m2p, &block.lists.p2l})
              found.push_back(list->work);
        }
        return found;
      });
    }
}

// The last of this file: what the table of stages names was all there.
TEST_CASE("accesses: every stage has run under the check") {
  auto const checked = checked_stages();
  for (auto const& stage : stages) {
    CAPTURE(stage.name);
    if (stage.name == "chain") continue;  // its tasks are seen one by one
    CHECK(checked.count(std::string(stage.name)) == 1);
  }
}
