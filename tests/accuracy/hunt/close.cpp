// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/hunt/close.hpp"

#include "tests/accuracy/hunt/draw.hpp"
#include "tests/accuracy/hunt/unusual.hpp"

#include <cmath>
#include <sstream>

namespace nearfar::hunt {

namespace {

/// Whole periods, of the box or of the cell.
std::array<double, 3> periods(Draw& draw, Problem const& p, double most) {
  std::array<double, 3> shift{};
  for (int d = 0; d < static_cast<int>(p.system.periodicity); ++d) {
    auto const row = std::size_t(d);
    double const count = std::round(draw.scale(0.4, most)) * draw.one_of({-1, 1});
    for (std::size_t c = 0; c < 3; ++c)
      shift[c] += count * (p.cell ? (*p.cell)[row][c] : c == row ? p.system.box[c] : 0);
  }
  return shift;
}

/// In the numbers in which they are given.
double as_given(Problem const& p, double x, std::size_t d) {
  float const volatile single = float(x);
  return p.single && !p.as_views ? double(single) : (x + p.offset[d]) - p.offset[d];
}

}  // namespace

bool is_close(std::uint64_t number) { return number >= first_close && (number < first_of_energies || number % 3 == 0); }

void bring_close(std::uint64_t number, Problem& p) {
  Draw draw(number ^ 0xc2b2ae35U);
  std::ostringstream what;
  System& s = p.system;
  if (!p.single) {
    p.ewald_by_hand.near_precision = p.fmm_by_hand.near_precision = NearPrecision::single;
    p.tolerance = draw.scale(1e-6, 1e-4);
    what << ", pairs in single";
  }
  p.as_views = p.as_views || draw.chance(0.5);
  if (p.as_views) what << ", views";
  bool const same = s.targets == s.sources && (p.has_energies || draw.chance(0.5));
  if (!same) {
    int const count = draw.whole(1, 20);
    double const closest = draw.scale(1e-7, 1e-1);
    s.targets.clear();
    for (int i = 0; i < count; ++i) {
      std::size_t const source = std::size_t(draw.whole(0, int(s.sources.size() / 3) - 1));
      double const away = draw.scale(closest, 0.3);
      for (std::size_t d = 0; d < 3; ++d)
        s.targets.push_back(as_given(p, s.sources[3 * source + d] + away * draw.normal(), d));
    }
    what << ", " << count << " targets from " << closest << " away";
  }
  double const most = draw.one_of({0.4, 1.6, 1.6, 30.0, 3000.0});
  if (most > 1)
    for (auto* points : {&s.sources, &s.targets})
      for (std::size_t i = 0; i < points->size(); i += 3) {
        if (same && points == &s.targets) continue;
        auto const shift = periods(draw, p, most);
        for (std::size_t d = 0; d < 3; ++d) (*points)[i + d] = as_given(p, (*points)[i + d] + shift[d], d);
      }
  if (same) s.targets = s.sources;
  if (most > 1) what << ", up to " << most << " periods apart";
  p.left_open = true;
  p.unusual += what.str();
}

}  // namespace nearfar::hunt
