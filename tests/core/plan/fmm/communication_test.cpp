// SPDX-License-Identifier: BSD-3-Clause
// What ranks of a multipole sum send each other, and trees that are chosen with it in mind.
#include "core/plan/fmm/communication.hpp"

#include "core/plan/fmm/choice.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

Machine ranks_of(int ranks, Network const& network) { return {.cpus = 4 * ranks, .ranks = ranks, .network = network}; }

}  // namespace

TEST_CASE("communication of multipoles: boxes and points around a cube of the tree, level by level") {
  // 8 ranks with 16^3 leaves each; 10 points in each of them; boxes are those of the levels 5 to 2.
  double const leaves = 8 * 16 * 16 * 16, boxes = leaves * 8 / 7;
  Machine const machine = ranks_of(8, {1e-5, 1e9});
  FmmCommunication const communication = guess_fmm_communication(Kernel::laplace, 9, 1, boxes, 10 * leaves, machine);
  auto const shell = [](double edge, double reach) { return std::pow(edge + 2 * reach, 3) - std::pow(edge, 3); };
  double const halo = shell(16, 3) + shell(8, 3) + 7 * 4 * 4 * 4 + 7 * 2 * 2 * 2;  // at the top all others
  CHECK(communication.expansions == doctest::Approx(8 * 100 * halo));
  CHECK(communication.ghosts == doctest::Approx(8 * 10 * shell(16, 1)));
  CHECK(fmm_communication_seconds(communication, machine) ==
        doctest::Approx(1e-5 * communication.messages + 1e-9 * (communication.expansions + communication.ghosts)));
  CHECK(fmm_communication_seconds(communication, ranks_of(1, {1e-5, 1e9})) == 0);
  CHECK(guess_fmm_communication(Kernel::laplace, 9, 1, boxes, 10 * leaves, ranks_of(1, {})).expansions == 0);
  // One level: all points of the others.
  FmmCommunication const flat = guess_fmm_communication(Kernel::stokeslet, 9, 1, 1, 800, machine);
  CHECK(flat.expansions == 0);
  CHECK(flat.ghosts == doctest::Approx(8 * 3 * 700));
}

TEST_CASE("communication of multipoles: with a slow one the tree is coarser") {
  FmmOptions const o{.kernel = Kernel::stokeslet, .tolerance = 1e-6};
  constexpr double count = 4e6;
  FmmChoice const one = choose_fmm_for_uniform<double>(o, count, {.cpus = 64}),
                  fast = choose_fmm_for_uniform<double>(o, count, ranks_of(16, {1e-6, 1e12}));
  CHECK(fast.depth == one.depth);
  CHECK(fast.boxes == one.boxes);
  FmmChoice const slow = choose_fmm_for_uniform<double>(o, count, ranks_of(16, {1e-5, 2e7}));
  CHECK(slow.boxes < fast.boxes);
  CHECK(slow.seconds > fast.seconds);  // more work
}

TEST_CASE("communication of multipoles: the trees of docs/nodes.md") {
  auto const boxes = [](Network const& network) {
    FmmOptions const o{.kernel = Kernel::laplace, .tolerance = 1e-6};
    return choose_fmm_for_uniform<double>(o, 4e6, ranks_of(16, network)).boxes;
  };
  CHECK(boxes({0, 1e15}) == doctest::Approx(73'142).epsilon(1e-4));
  CHECK(boxes({1e-5, 1e9}) == doctest::Approx(73'142).epsilon(1e-4));
  CHECK(boxes({1e-5, 1e8}) == doctest::Approx(15'796).epsilon(1e-4));
}
