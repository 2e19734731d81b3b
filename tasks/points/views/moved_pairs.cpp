// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/moved_pairs.hpp"

#include "tasks/points/views/source_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>

namespace nearfar::detail {

namespace {

using namespace moved;

/// Visits rows evenly whenever it stops: a step of the golden section that has no common divisor with their number.
std::size_t golden_step(std::size_t rows) {
  auto step = std::max<std::size_t>(1, std::size_t(0.6180339887 * double(rows)));
  while (std::gcd(step, rows) != 1) ++step;
  return step;
}

/// Some pairs of each octave of what rounding changes their fields by: all of the few that it changes most.
class Octaves {
 public:
  static constexpr std::size_t kept = 8;

  /// `change`: the square of what rounding changes the field by.
  void add(MovedPair const& pair, long double change) {
    if (!(change > 0)) return;
    Octave& octave = octaves_[std::ilogb(change) / 2];
    if (octave.pairs.size() < kept) octave.pairs.push_back(pair);
    else if (std::size_t const place = random_() % (octave.all + 1); place < kept) octave.pairs[place] = pair;
    ++octave.all;
  }

  /// `weight`: as many pairs for each that was added.
  void give(double weight, MovedPairs& pairs) {
    for (auto& [exponent, octave] : octaves_)
      for (MovedPair& pair : octave.pairs) {
        pair.stands_for *= float(weight * double(octave.all) / double(octave.pairs.size()));
        pairs.push_back(pair);
      }
  }

 private:
  struct Octave {
    std::size_t all = 0;
    MovedPairs pairs;
  };
  std::map<int, Octave> octaves_;
  std::minstd_rand random_;
};

}  // namespace

MovedPairs moved_pairs(Region const& region, RelativeRows const& sources, RelativeRows const* targets, int power,
                       Loop const& loop) {
  constexpr std::size_t some_pairs = 1 << 24, pairs_of_target = 64;
  SourceCells const cells(region, sources, loop);
  std::size_t const points = targets != nullptr ? targets->size() : cells.sources().size();
  MovedPairs moved;
  if (points == 0) return moved;
  std::size_t const parts = parts_of(points), most = some_pairs + pairs_of_target * points;
  // One after the other, which is several times as fast, if they will all be visited.
  std::size_t const step = cells.tried_by_each() * double(points) < double(most) ? 1 : golden_step(points);
  struct Part {
    std::size_t visited = 0;
    Octaves octaves;
  };
  std::vector<Part> found(parts);
  in_parts(loop, points, [&](std::size_t part, std::size_t first, std::size_t last) {
    std::size_t tried = 0;
    for (std::size_t i = first; i < last && tried <= most / parts; ++i) {
      ++found[part].visited;
      std::size_t const row = i * step % points;
      Rounded point;
      if (targets == nullptr) {
        point = cells.sources()[row];
      } else {
        Point const x = (*targets)[row];
        if (!is_finite(x)) continue;
        point = cells.rounded(x, row);
      }
      auto const nearest = cells.nearest(point.at, power);
      tried += nearest.tried;
      if (nearest.source == nullptr) continue;
      MovedPair pair{nearest.apart, {}, point.row, nearest.source->row, float(nearest.all)};
      Point added;
      for (std::size_t d = 0; d < 3; ++d) {
        added[d] = double(point.added[d]) - double(nearest.source->added[d]);
        pair.rounded[d] = pair.apart[d] + added[d];
      }
      long double const closeness = 1 / (long double)(nearest.square);
      long double field = closeness;
      for (int p = 1; p < power; ++p) field *= closeness;
      found[part].octaves.add(pair, field * std::min<long double>(1, square(added) * closeness));
    }
  });
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t const of_part = points * (part + 1) / parts - points * part / parts;
    found[part].octaves.give(double(of_part) / double(found[part].visited), moved);
  }
  return moved;
}

}  // namespace nearfar::detail
