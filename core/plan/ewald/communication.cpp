// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/communication.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/packed_source.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Strengths to P2G, tiles to the columns and back, slabs to G2P, partial results to the rank that gave the points.
constexpr double messages_in_chain = 5;

}  // namespace

Communication predict_communication(EwaldOptions const& o, EwaldPlanning const& p, double sources,
                                    Machine const& machine) {
  if (machine.ranks <= 1) return {};
  double const ranks = machine.ranks, others = (ranks - 1) / ranks;
  int const components = std::max(describe(o.kernel, o.outputs).forward, describe(o.kernel, o.outputs).inverse);
  EwaldPlanning cut = p;  // each rank has a group of columns of the modes within the band
  cut.columns = std::max(p.columns, machine.ranks);
  auto const layout = make_grid(o, cut).layout;
  double const tiles = 2.0 * layout.size[0] * layout.column_count() / ranks, plane = double(layout.plane_size());
  // Ranks follow each other along our first axis, so each has two neighbours.
  double const edge = inside(axes_of(o.periodicity), heights_of(o))[0];
  double const near_faces = sources * std::min(2 * p.cutoff / edge, others);
  Communication communication;
  double const number = p.far_in_single ? sizeof(float) : machine.number_bytes;
  communication.tiles = number * 2 * components * tiles * others;
  communication.halos = number * components * plane * std::min<double>(p.window_points, layout.size[0] * others);
  communication.ghosts = machine.number_bytes * near_faces *
                         (packed_width(strength_components(o.kernel)) + result_components(o.kernel, o.outputs));
  return communication;
}

double communication_seconds(Communication const& communication, Machine const& machine) noexcept {
  return machine.ranks > 1 ? machine.network.seconds(messages_in_chain, communication.bytes()) : 0;
}

}  // namespace nearfar
