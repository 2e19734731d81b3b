// SPDX-License-Identifier: BSD-3-Clause
// What ranks send each other, and plans that know of it.
#include "core/plan/ewald/communication.hpp"

#include "core/math/constants.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

namespace {

Machine ranks_of(int ranks, Network const& network) { return {.cpus = 16 * ranks, .ranks = ranks, .network = network}; }

EwaldPlanning plan_for(Machine const& machine) {
  EwaldOptions const o{.kernel = Kernel::stokes, .tolerance = 1e-6};
  return choose_parameters<double>(o, 4000000, 4000000, {}, machine);
}

}  // namespace

TEST_CASE("communication: seconds are latencies and bytes") {
  Network const network{1e-5, 1e9};
  CHECK(network.seconds(3, 2e9) == doctest::Approx(2 + 3e-5));
  CHECK(Network{1e-5, 0}.seconds(3, 2e9) == doctest::Approx(3e-5));
  CHECK(communication_seconds({1e9, 0, 0}, {.ranks = 1, .network = network}) == 0);
  CHECK(communication_seconds({1e9, 2e9, 3e9}, {.ranks = 2, .network = network}) == doctest::Approx(6 + 5e-5));
}

TEST_CASE("communication: transposes of 4e6 points on a grid of 322^3") {
  // Four complex components, there and back: 16 x 8 bytes of 322 planes, of modes within a band of 145 of their 161.
  EwaldOptions const o{.kernel = Kernel::stokes};
  EwaldPlanning p;
  p.box = {1, 1, 1};
  p.cutoff = 0.018;
  p.grid = {322, 322, 322};
  p.window_points = 8;
  p.split_parameter = 2 * pi<double> * 145 * p.cutoff;
  double const all = 16 * 8 * 322.0 * pi<double> / 2 * 145 * 145;
  for (int ranks : {2, 64}) {
    Communication const communication = predict_communication(o, p, 4e6, ranks_of(ranks, {}));
    CHECK(communication.tiles * ranks == doctest::Approx(all * (ranks - 1) / ranks).epsilon(0.08));
    CHECK(communication.tiles * ranks > all * (ranks - 1) / ranks);
    CHECK(communication.halos >= 8 * 8.0 * 4 * 322 * 322);
    CHECK(communication.ghosts == doctest::Approx(8 * 4e6 * 0.036 * (12 + 3)));
  }
  CHECK(predict_communication(o, p, 4e6, ranks_of(1, {})).bytes() == 0);
}

TEST_CASE("communication: with a slow one the plan takes a longer cutoff and a smaller grid, and covers it") {
  EwaldPlanning const fast = plan_for(ranks_of(16, {1e-6, 1e12}));
  EwaldPlanning const one = plan_for({.cpus = 256});
  CHECK(fast.cutoff == one.cutoff);
  CHECK(fast.grid == one.grid);
  EwaldPlanning last = fast;
  for (double bandwidth : {2e9, 2e8}) {
    CAPTURE(bandwidth);
    Machine const machine = ranks_of(16, {1e-5, bandwidth});
    EwaldPlanning const slow = plan_for(machine);
    CHECK(slow.cutoff > last.cutoff);
    CHECK(slow.grid[0] < last.grid[0]);
    EwaldOptions const o{.kernel = Kernel::stokes, .tolerance = 1e-6};
    double const communication = communication_seconds(predict_communication(o, slow, 4e6, machine), machine),
                 as_before = communication_seconds(predict_communication(o, last, 4e6, machine), machine);
    CHECK(communication < as_before);
    last = slow;
  }
}

TEST_CASE("communication: what workers do and what the far part waits for, whichever is longer") {
  Work work;
  work.pairs = {10};
  work.planes = {4};
  Machine const machine = ranks_of(2, {});
  CHECK(cost_of(work, machine) == 14);
  work.communication = 0.1;
  CHECK(cost_of(work, machine) == 14);
  work.communication = 1;
  CHECK(cost_of(work, machine) == doctest::Approx(4 + 32));
}
