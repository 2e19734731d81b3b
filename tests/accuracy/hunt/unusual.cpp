// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/unusual.hpp"

#include "tests/accuracy/hunt/draw.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace nearfar::hunt {

namespace {

bool is_free(System const& s, std::size_t d) { return int(d) >= static_cast<int>(s.periodicity); }

/// Points spread over so many times the edge along one direction.
void make_long(Draw& draw, Problem& p, std::ostringstream& what) {
  System& s = p.system;
  auto const d = std::size_t(draw.whole(0, 2));
  double const factor = std::floor(draw.scale(4, is_free(s, d) ? 300 : 20));
  for (auto* points : {&s.sources, &s.targets})
    for (std::size_t i = d; i < points->size(); i += 3) (*points)[i] *= factor;
  s.box[d] *= factor;
  what << ", " << factor << " times as long along "
       << "xyz"[d];
}

/// Targets of their own, up to so many edges away along a free direction.
void put_targets_far(Draw& draw, Problem& p, std::ostringstream& what) {
  System& s = p.system;
  if (s.periodicity == Periodicity::xyz) return;
  double const longest = *std::max_element(s.box.begin(), s.box.end()), away = longest * draw.scale(2, 300);
  s.targets.resize(std::min<std::size_t>(s.targets.size(), 90));
  for (std::size_t i = 2; i < s.targets.size(); i += 3)
    if (draw.chance(0.7)) s.targets[i] += draw.real(-1, 1) * away;
  what << ", targets up to " << away << " away";
}

/// Whole units, or periods, away from the origin, as far as doubles there go.
void move_away(Draw& draw, Problem& p, std::ostringstream& what) {
  System& s = p.system;
  for (std::size_t d = 0; d < 3; ++d) {
    double const away = std::floor(draw.scale(2, 1e6)) * (draw.chance(0.5) ? 1 : -1);
    p.offset[d] = is_free(s, d) ? away : away * s.box[d];
    for (auto* points : {&s.sources, &s.targets})
      for (std::size_t i = d; i < points->size(); i += 3) (*points)[i] = ((*points)[i] + p.offset[d]) - p.offset[d];
  }
  p.as_views = true;
  what << ", at (" << p.offset[0] << ", " << p.offset[1] << ", " << p.offset[2] << ")";
}

void set_by_hand(Draw& draw, Problem& p, std::ostringstream& what) {
  System const& s = p.system;
  if (p.fmm) {
    if (draw.chance(0.4)) what << ", depth " << *(p.fmm_by_hand.depth = draw.whole(0, 5));
    else if (draw.chance(0.4)) what << ", capacity " << *(p.fmm_by_hand.capacity = draw.whole(1, 100));
    if (draw.chance(0.4)) what << ", separation " << *(p.fmm_by_hand.well_separation = draw.whole(1, 2));
    return;
  }
  EwaldOptions& o = p.ewald_by_hand;
  double const edge = std::cbrt(s.box[0] * s.box[1] * s.box[2]);
  if (draw.chance(0.6)) what << ", window points " << *(o.window_points = draw.whole(4, 20));
  if (draw.chance(0.3))
    what << ", split parameter "
         << *(o.split_parameter = p.split == Split::gaussian ? draw.real(0.5, 7) : draw.real(2, 45));
  if (draw.chance(0.3)) what << ", cutoff " << *(o.cutoff = edge * draw.scale(0.08, 0.8));
  if (draw.chance(0.3)) what << ", window " << name(o.window = draw.one_of({Window::gaussian, Window::pswf}));
  if (draw.chance(0.2)) {
    o.grid = {2 * draw.whole(6, 40), 2 * draw.whole(6, 40), 2 * draw.whole(6, 40)};
    what << ", grid " << (*o.grid)[0] << " x " << (*o.grid)[1] << " x " << (*o.grid)[2];
  }
}

}  // namespace

void make_unusual(std::uint64_t number, Problem& p) {
  Draw draw(number ^ 0x5bd1e995U);
  std::ostringstream what;
  bool const cell_of_multipoles = p.fmm && p.system.periodicity == Periodicity::xyz;
  if (draw.chance(0.4) && !cell_of_multipoles) make_long(draw, p, what);
  if (draw.chance(0.3) && !p.has_energies) put_targets_far(draw, p, what);
  if (draw.chance(0.5)) move_away(draw, p, what);
  if (draw.chance(0.5)) set_by_hand(draw, p, what);
  p.left_open =
      p.single || p.offset != std::array<double, 3>() || draw.chance(0.5) || p.system.targets != p.system.sources;
  p.unusual = what.str();
}

bool is_skewed(std::uint64_t number, Problem const& p) {
  return number >= first_skewed && (number < first_several || (!p.fmm && number % 2 == 1));
}

void skew(std::uint64_t number, Problem& p) {
  Draw draw(number ^ 0x9e3779b9U);
  System& s = p.system;
  auto& cell = p.cell.emplace();
  p.ewald_by_hand.grid.reset();  // is for other rows
  std::ostringstream what;
  what << ", cell";
  for (std::size_t d = 0; d < 3; ++d) {
    cell[d][d] = s.box[d];
    for (std::size_t c = 0; c < d && !is_free(s, d); ++c) cell[d][c] = s.box[c] * draw.real(-1.5, 1.5);
    what << (d > 0 ? "; " : " ") << cell[d][0] << ", " << cell[d][1] << ", " << cell[d][2];
  }
  auto const sheared = [&](double const* x) {
    std::array<double, 3> y{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t c = 0; c <= d; ++c) y[c] += x[d] / s.box[d] * cell[d][c];
    return y;
  };
  p.offset = sheared(p.offset.data());
  for (auto* points : {&s.sources, &s.targets})
    for (std::size_t i = 0; i < points->size(); i += 3) {
      auto const x = sheared(&(*points)[i]);
      for (std::size_t d = 0; d < 3; ++d) (*points)[i + d] = (x[d] + p.offset[d]) - p.offset[d];
    }
  p.unusual += what.str();
}

}  // namespace nearfar::hunt
