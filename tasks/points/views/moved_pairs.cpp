// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/moved_pairs.hpp"

#include "tasks/points/views/kept_pairs.hpp"
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

/// The square of what rounding changes the field of a unit source by, which falls off with this power. `unit` is the
/// square of the unit of length.
double change_of(Point const& added, double r, int power, double unit) {
  double const inverse = 1 / r, closeness = unit * inverse;
  double field = closeness;
  for (int p = 1; p < power; ++p) field *= closeness;
  return field * std::min(1.0, square(added) * inverse);
}

/// A target's sources, as many as change most of its field by what rounding does to them.
void give_pairs(SourceCells const& cells, Rounded const& target, int power, double weight, MovedPairs& pairs) {
  KeptPairs kept;
  cells.visit(target, [&](Rounded const& source, Between const& between) {
    MovedPair pair{between.apart, between.apart, target.row, source.row, 0};
    for (std::size_t d = 0; d < 3; ++d) {
      pair.rounded[d] += between.added[d];
      pair.shift[d] = float(between.shift[d]);
      pair.uneven[d] = float(between.uneven[d]);
    }
    kept.add(change_of(between.added, between.square, power, cells.unit()), pair);
  });
  kept.give(weight, pairs);
}

/// Some targets of each octave of what rounding changes their fields by: all of the few that it changes most.
class Octaves {
 public:
  static constexpr std::size_t kept = 8;

  /// `change`: the square of what rounding changes the field by.
  void add(Rounded const& target, double change) {
    if (!(change > 0)) return;
    Octave& octave = octaves_[std::ilogb(change) / 2];
    if (octave.targets.size() < kept) octave.targets.push_back(target);
    else if (std::size_t const place = random_() % (octave.all + 1); place < kept) octave.targets[place] = target;
    ++octave.all;
  }

  /// `weight`: as many targets for each that was added.
  void give(SourceCells const& cells, int power, double weight, MovedPairs& pairs) const {
    for (auto const& [exponent, octave] : octaves_)
      for (Rounded const& target : octave.targets)
        give_pairs(cells, target, power, weight * double(octave.all) / double(octave.targets.size()), pairs);
  }

 private:
  struct Octave {
    std::size_t all = 0;
    std::vector<Rounded> targets;
  };
  std::map<int, Octave> octaves_;
  std::minstd_rand random_;
};

}  // namespace

MovedPairs moved_pairs(Region const& region, RelativeRows const& sources, RelativeRows const* targets, int power,
                       Loop const& loop) {
  constexpr std::size_t some_pairs = 1 << 24, pairs_of_target = 64;
  SourceCells const cells(region, sources, targets == nullptr, loop);
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
      double change = 0;
      tried += cells.visit(point, [&](Rounded const&, Between const& between) {
        change += change_of(between.added, between.square, power, cells.unit());
      });
      found[part].octaves.add(point, change);
    }
  });
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t const of_part = points * (part + 1) / parts - points * part / parts;
    found[part].octaves.give(cells, power, double(of_part) / double(found[part].visited), moved);
  }
  return moved;
}

}  // namespace nearfar::detail
