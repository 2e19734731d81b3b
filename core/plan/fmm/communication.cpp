// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/communication.hpp"
#include "core/kernels/description/description.hpp"

#include "core/fmm/packed.hpp"
#include "core/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Multipoles to M2L, results to the rank that gave the points. Where the pieces of ranks end within parents, each
/// level up and down needs another message; how many is known only once there is a tree.
constexpr double messages_in_chain = 2;

}  // namespace

FmmCommunication guess_fmm_communication(Kernel kernel, int order, int separation, double boxes, double points,
                                         Machine const& machine) {
  if (machine.ranks <= 1) return {};
  double const ranks = machine.ranks, others = (ranks - 1) / ranks;
  double const leaves = std::max(1.0, 7.0 / 8 * boxes);  // an eighth as many on each level above
  // Boxes of other ranks within `reach` boxes of a rank's cube.
  auto const around = [&](double level_boxes, double reach) {
    double const edge = std::cbrt(level_boxes / ranks);
    return std::min(std::pow(edge + 2 * reach, 3) - level_boxes / ranks, others * level_boxes);
  };
  constexpr double coarsest = 64;  // boxes of the first level with interactions
  double halo = 0;
  for (double all = leaves; all >= coarsest; all /= 8) halo += around(all, 2 * separation + 1);
  FmmCommunication communication;
  communication.expansions = machine.number_bytes * halo * describe(kernel).rhs * coefficient_count(order);
  communication.ghosts =
      machine.number_bytes * strength_components(kernel) * around(leaves, separation) * points / leaves;
  communication.messages = messages_in_chain;
  return communication;
}

double fmm_communication_seconds(FmmCommunication const& communication, Machine const& machine) noexcept {
  return machine.ranks > 1
             ? machine.network.seconds(communication.messages, communication.expansions + communication.ghosts)
             : 0;
}

}  // namespace nearfar
