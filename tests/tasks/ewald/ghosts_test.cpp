// SPDX-License-Identifier: BSD-3-Clause
// Several GPUs of a process send each other the planes and the points that they read, not whole slabs and blocks: CPUs
// stand for them.
#include "tasks/ewald/ghosts.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <set>
#include <vector>

using namespace nearfar;
using test::Problem;

namespace {

using Plan = detail::EwaldPlan<double>;

EwaldOptions options_of(Kernel kernel, Periodicity periodicity, Implementation implementation) {
  return {.kernel = kernel,
          .periodicity = periodicity,
          .box = {1.3, 1.2, 1.2},
          .tolerance = 1e-3,
          .implementation = implementation,
          .cutoff = 0.08,
          .grid = std::array{96, 64, 64}};
}

/// A plan with a slab and a block for each GPU, cells of the given number.
std::shared_ptr<Plan> plan_for(Runtime const& runtime, EwaldOptions const& options, int gpus, int cells, bool on_gpus) {
  EwaldPlanning chosen = choose_parameters<double>(options, 3000, 3000);
  chosen.cells[0] = cells;
  chosen.blocks = {gpus, 1, 1};
  chosen.slabs = chosen.columns = gpus;
  chosen.on_gpus = on_gpus;
  return std::make_shared<Plan>(runtime.shared(), options, chosen);
}

/// Points inside the box, in one corner more of them if so wanted: owners of chunks then differ from those of blocks.
Problem<> problem_for(Kernel kernel, Periodicity periodicity, bool clustered) {
  Problem<> p(3000, strength_components(kernel));
  if (periodicity == Periodicity::none)
    for (double& x : p.x) x += 0.1;
  if (clustered)
    for (std::size_t i = 0; i < p.x.size(); i += 3) p.x[i] = 0.6 * p.x[i] * p.x[i];
  return p;
}

/// All that a ghost holds is in its array, each number once.
void check_rows(GhostArgs const& args) {
  std::set<std::int64_t> places;
  for (std::int64_t i = 0; i < args.numbers(); ++i) places.insert(args.in_array(i));
  CHECK(std::int64_t(places.size()) == args.numbers());
  CHECK(*places.begin() >= 0);
  CHECK(*places.rbegin() < args.whole());
}

}  // namespace

TEST_CASE("G2P on another GPU gets the planes that it reads, and the same bits") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none})
    for (Kernel kernel : {Kernel::laplace, Kernel::stokes})
      for (int gpus : {2, 4}) {
        CAPTURE(name(kernel));
        CAPTURE(gpus);
        EwaldOptions const options = options_of(kernel, periodicity, Implementation::portable);
        Problem<> const p = problem_for(kernel, periodicity, false);
        auto const far = [&](bool on_gpus) {
          auto const plan = plan_for(runtime, options, gpus, 16, on_gpus);
          auto const points =
              plan->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>({}), Targets::sources);
          auto const& layout = points->setup().grid.layout;
          auto const ghosts = detail::plane_ghosts(points->setup(), *points);
          bool const wraps = periodicity == Periodicity::xyz;
          // Without periods the grid begins before the first block, whose faces then are not those of slabs.
          int const most = wraps ? gpus * (gpus > 2 ? 2 : 1) : 2 * (gpus - 1), least = wraps ? most : gpus - 1;
          CHECK(int(ghosts.size()) >= (on_gpus ? least : 0));
          CHECK(int(ghosts.size()) <= (on_gpus ? most : 0));
          for (auto const& ghost : ghosts) {
            int const faces = wraps && gpus == 2 ? 2 : 1;
            int const window = points->setup().grid.window;
            CHECK(ghost.rows.packed() <= faces * (wraps ? window / 2 + 3 : window + 2));
            CHECK(ghost.rows.packed() >= faces * (wraps ? window / 2 - 1 : 1));
            CHECK(ghost.rows.rows == layout.planes(ghost.item));
            check_rows(ghost.of(2, 3));
          }
          std::vector<double> u(3000 * std::size_t(result_components(kernel, options.outputs)));
          plan->submit({points, p.f, u, Part::far}).wait();
          return u;
        };
        CHECK(far(true) == far(false));
      }
}

TEST_CASE("P2P and P2G on another GPU get the layers of points that they read, and the same bits") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  // Portable: a build for GPUs would give tuned tasks of these plans to GPUs, which are not there.
  constexpr int cells = 48;
  struct Case {
    Kernel kernel;
    Implementation implementation;
    int gpus;
    bool clustered;
  };
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none})
    for (Case const& of : {Case{Kernel::laplace, Implementation::portable, 2, false},
                           Case{Kernel::laplace, Implementation::portable, 4, true},
                           Case{Kernel::stokes, Implementation::portable, 4, false},
                           Case{Kernel::stokes, Implementation::portable, 4, true}}) {
      Kernel const kernel = of.kernel;
      int const gpus = of.gpus;
      bool const clustered = of.clustered;
      CAPTURE(name(kernel));
      CAPTURE(gpus);
      CAPTURE(clustered);
      EwaldOptions const options = options_of(kernel, periodicity, of.implementation);
      Problem<> const p = problem_for(kernel, periodicity, clustered);
      auto const solve = [&](bool on_gpus) {
        auto const plan = plan_for(runtime, options, gpus, cells, on_gpus);
        auto const points = plan->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>({}), Targets::sources);
        auto const& setup = points->setup();
        bool const wraps = periodicity == Periodicity::xyz;
        int const reach = setup.cells.reach(0), faces = wraps && gpus == 2 ? 2 : 1,
                  spread = int(std::ceil((setup.grid.window / 2 + 8) /
                                         (setup.cells.cell_edge(0) * setup.grid.layout.scale(0)))) +
                           1;
        for (auto const& [ghosts, layers] : {std::pair(detail::near_ghosts(setup, *points), reach),
                                             std::pair(detail::spread_ghosts(setup, *points), spread)}) {
          if (!on_gpus) CHECK(ghosts.empty());
          else if (!clustered) CHECK(int(ghosts.size()) >= (wraps ? gpus : gpus - 1));
          for (auto const& ghost : ghosts) {
            CHECK(points->owners().block[std::size_t(ghost.item)] != ghost.gpu);
            check_rows(ghost.of(4));
            check_rows(ghost.of(1, 8));
            double const mean = 3000.0 / cells;
            if (!clustered) CHECK(ghost.rows.packed() < 1.5 * faces * layers * mean);
          }
        }
        std::vector<double> u(3000 * std::size_t(result_components(kernel, options.outputs)));
        plan->submit({points, p.f, u, Part::whole}).wait();
        return u;
      };
      CHECK(solve(true) == solve(false));
    }
}
