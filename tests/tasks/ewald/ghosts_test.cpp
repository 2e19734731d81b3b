// SPDX-License-Identifier: BSD-3-Clause
// Several GPUs of a process send each other the planes that windows reach, not whole slabs: CPUs stand for them.
#include "tasks/ewald/ghosts.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <vector>

using namespace nearfar;
using test::Problem;

TEST_CASE("G2P on another GPU gets the planes that it reads, and the same bits") {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  for (Periodicity periodicity : {Periodicity::xyz, Periodicity::none})
    for (Kernel kernel : {Kernel::laplace, Kernel::stokes})
      for (int gpus : {2, 4}) {
        CAPTURE(name(kernel));
        CAPTURE(gpus);
        EwaldOptions const options{.kernel = kernel,
                                   .periodicity = periodicity,
                                   .box = {1.3, 1.2, 1.2},
                                   .tolerance = 1e-3,
                                   .implementation = Implementation::portable,
                                   .cutoff = 0.08,
                                   .grid = std::array{96, 64, 64}};
        Problem<> p(3000, strength_components(kernel));
        if (periodicity == Periodicity::none)
          for (double& x : p.x) x += 0.1;  // inside
        auto const far = [&](bool on_gpus) {
          EwaldPlanning chosen = choose_parameters<double>(options, 3000, 3000);
          chosen.cells[0] = 16;  // for all GPUs alike
          chosen.blocks = {gpus, 1, 1};
          chosen.slabs = chosen.columns = gpus;
          chosen.on_gpus = on_gpus;
          auto const plan = std::make_shared<detail::EwaldPlan<double>>(runtime.shared(), options, chosen);
          auto const points =
              plan->set_points(detail::OnHost<double>(p.x), detail::OnHost<double>({}), Targets::sources);
          auto const& layout = points->setup().grid.layout;
          auto const ghosts = detail::ghost_planes(points->setup(), *points);
          bool const wraps = periodicity == Periodicity::xyz;
          // Without periods the grid begins before the first block, whose faces then are not those of slabs.
          int const most = wraps ? gpus * (gpus > 2 ? 2 : 1) : 2 * (gpus - 1), least = wraps ? most : gpus - 1;
          CHECK(int(ghosts.size()) >= (on_gpus ? least : 0));
          CHECK(int(ghosts.size()) <= (on_gpus ? most : 0));
          for (auto const& ghost : ghosts) {
            int const faces = wraps && gpus == 2 ? 2 : 1;
            int const window = points->setup().grid.window;
            CHECK(ghost.planes.packed() <= faces * (wraps ? window / 2 + 3 : window + 2));
            CHECK(ghost.planes.packed() >= faces * (wraps ? window / 2 - 1 : 1));
            std::set<std::int64_t> places;  // of rows that are packed: each once, within the slab
            for (std::int64_t i = 0; i < ghost.planes.numbers(); i += ghost.planes.plane) {
              CHECK(ghost.planes.in_slab(i) % layout.plane_size() == 0);
              CHECK(ghost.planes.in_slab(i) <
                    layout.plane_size() * layout.planes(ghost.slab) * ghost.planes.components);
              places.insert(ghost.planes.in_slab(i));
            }
            CHECK(int(places.size()) == ghost.planes.packed() * ghost.planes.components);
          }
          std::vector<double> u(3000 * std::size_t(result_components(kernel, options.outputs)));
          plan->submit({points, p.f, u, Part::far}).wait();
          return u;
        };
        CHECK(far(true) == far(false));
      }
}
