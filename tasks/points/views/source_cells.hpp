// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/geometry/lattice.hpp"
#include "core/math/bulk_memory.hpp"
#include "core/math/floating_point.hpp"
#include "core/tree/loop.hpp"
#include "tasks/points/views/relative_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace nearfar::detail {

namespace moved {

using Point = std::array<double, 3>;

inline double square(Point const& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

inline bool is_finite(Point const& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

/// A point, in the cell if it repeats, and what rounding adds to it where it is.
struct Rounded {
  Point at;
  std::array<float, 3> added;
  std::uint32_t row;
};

/// What rounding adds to target - source.
inline Point added_between(Rounded const& target, Rounded const& source) {
  Point added;
  for (std::size_t d = 0; d < 3; ++d) added[d] = double(target.added[d]) - double(source.added[d]);
  return added;
}

/// Which point of a pair is moved by the shift to its image: that whose coordinate becomes smaller, as multipole sums
/// have it, the target, or either of both, because each pair of sources is summed once.
enum class Shifted { upper, target, either };

/// A pair: target - source, the square of its length, what rounding adds to it, and MovedPair's of these names.
struct Between {
  Point apart, added;
  double square;
  Point shift{}, uneven{};
};

/// The same across a face where periods are no floats, nor are coordinates that are shifted by them. Where either point
/// may be, of that by which it adds more.
inline void add_shift(Between& pair, Rounded const& target, Rounded const& source, Point const& shift, Shifted which) {
  Point& added = pair.added;
  for (std::size_t d = 0; d < 3; ++d) {
    double const shifted = rounded_to<float>(shift[d]), by_row = shift[d] - shifted;
    double const back = target.at[d] + double(target.added[d]) - shifted,
                 forth = source.at[d] + double(source.added[d]) + shifted, of_target = rounded_to<float>(back) - back,
                 of_source = forth - rounded_to<float>(forth);
    double const one = added[d] + by_row + of_target, other = added[d] + by_row + of_source;
    bool const of_other = which == Shifted::either ? std::abs(other) > std::abs(one) : shift[d] < 0;
    added[d] = which != Shifted::target && of_other ? other : one;
    if (which == Shifted::upper) continue;  // from either side
    pair.shift[d] = shift[d];
    pair.uneven[d] = std::copysign(std::abs(of_target) + std::abs(of_source), other - one);
  }
}

/// The periods, and unit vectors along free directions.
inline CellLattice lattice_of(Region const& region) {
  CellRows rows{};
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(region.periodicity, int(d))) rows[d][d] = 1;
    else if (region.cell) rows[d] = (*region.cell)[d];
    else rows[d][d] = region.box[d];
  return CellLattice::of(rows);
}

constexpr std::size_t parts_of(std::size_t points) {
  constexpr std::size_t part_points = 1 << 15, most = 32;
  return std::min(most, points / part_points + 1);
}

/// Evenly divided: body(part, first, last).
template <class Body>
void in_parts(Loop const& loop, std::size_t points, Body const& body) {
  std::size_t const parts = parts_of(points);
  loop(parts, [&](std::size_t part) { body(part, points * part / parts, points * (part + 1) / parts); });
}

/// Sources in a grid of cells along the rows of the lattice, a few in each if they are evenly spread.
class SourceCells {
 public:
  /// `are_targets`: of each other.
  SourceCells(Region const& region, RelativeRows const& sources, bool are_targets, Loop const& loop)
      : region_(region), lattice_(lattice_of(region)), counted_from_faces_(region.from_faces),
        shifted_(!region.cell  ? Shifted::upper
                 : are_targets ? Shifted::either
                               : Shifted::target) {
    struct Bounds {
      Point low, high;
      std::size_t count = 0;
    };
    std::vector<Bounds> bounds(parts_of(sources.size()));
    in_parts(loop, sources.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
      Bounds& b = bounds[part];
      b.low.fill(std::numeric_limits<double>::infinity());
      b.high.fill(-std::numeric_limits<double>::infinity());
      for (std::size_t i = first; i < last; ++i) {
        Point const x = sources[i];
        if (!is_finite(x)) continue;
        ++b.count;
        for (std::size_t d = 0; d < 3; ++d) {
          double const at = lattice_.fraction(int(d), x.data());
          b.low[d] = std::min(b.low[d], at);
          b.high[d] = std::max(b.high[d], at);
        }
      }
    });
    Point low = bounds.front().low, high = bounds.front().high;
    for (Bounds const& b : bounds) {
      count_ += b.count;
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], b.low[d]);
        high[d] = std::max(high[d], b.high[d]);
      }
    }
    if (count_ == 0) return;
    for (std::size_t d = 0; d < 3; ++d) {
      periodic_[d] = is_periodic(region.periodicity, int(d));
      low_[d] = periodic_[d] ? 0 : low[d];
      length_[d] = periodic_[d] ? 1 : high[d] - low[d];
      extent_[d] = length_[d] * lattice_.height[d];
    }
    constexpr double same_place = 4 * std::numeric_limits<double>::epsilon();
    double const least = same_place * *std::max_element(extent_.begin(), extent_.end());
    least_ = least * least;
    if (least_ > 0) unit_ = least_ / (same_place * same_place);
    divide();
    sort(sources, loop);
  }

  /// The square of the longest extent: a unit of length in which powers of distances stay within double precision.
  double unit() const { return unit_; }

  /// In the order of cells.
  BulkVector<Rounded> const& sources() const { return sorted_; }

  /// Sources that a search for the nearest one tries, on average over the sources.
  double tried_by_each() const {
    double squares = 0;
    for (std::size_t cell = 0; cell + 1 < first_.size(); ++cell)
      squares += double(first_[cell + 1] - first_[cell]) * double(first_[cell + 1] - first_[cell]);
    return cells_around * squares / double(std::max<std::size_t>(1, count_));
  }

  Rounded rounded(Point const& x, std::size_t row) const {
    double images[3] = {};
    Point whole{};
    for (int d = 0; d < 3; ++d)
      if (periodic_[std::size_t(d)]) images[d] = std::floor(lattice_.fraction(d, x.data()));
    lattice_.shift(images[0], images[1], images[2], whole.data());
    auto const rounding = [&](std::size_t d) { return float(rounding_of(region_, d, x[d], whole[d])); };
    return {{x[0] - whole[0], x[1] - whole[1], x[2] - whole[2]},
            {rounding(0), rounding(1), rounding(2)},
            std::uint32_t(row)};
  }

  /// Calls body(source, Between) for all in the eight cells around a point that is in the cell, but not for those at
  /// the same place. Returns how many there were.
  template <class Body>
  std::size_t visit(Rounded const& target, Body const& body) const {
    Point const& x = target.at;
    std::size_t tried = 0;
    Around around[3];
    for (std::size_t d = 0; d < 3; ++d) around[d] = cells_at(d, lattice_.fraction(int(d), x.data()));
    for (int i = 0; i < around[0].count; ++i)
      for (int j = 0; j < around[1].count; ++j)
        for (int k = 0; k < around[2].count; ++k) {
          std::size_t const cell = (around[0].cell[i] * cells_[1] + around[1].cell[j]) * cells_[2] + around[2].cell[k];
          Point image;
          lattice_.shift(around[0].image[i], around[1].image[j], around[2].image[k], image.data());
          bool const shifted = !counted_from_faces_ && square(image) > 0;
          if (!shifted && !moved_ && target.added == std::array<float, 3>()) continue;  // nothing is added
          for (std::size_t s = first_[cell]; s < first_[cell + 1]; ++s) {
            Rounded const& source = sorted_[s];
            Point apart;
            for (std::size_t d = 0; d < 3; ++d) apart[d] = (x[d] - image[d]) - source.at[d];
            Between pair{.apart = apart, .added = added_between(target, source), .square = square(apart)};
            if (!(pair.square > least_)) continue;
            if (shifted) add_shift(pair, target, source, image, shifted_);
            body(source, pair);
          }
          tried += first_[cell + 1] - first_[cell];
        }
    return tried;
  }

 private:
  static constexpr double in_a_cell = 2, cells_around = 8;

  /// The cell of a coordinate and the one that is nearest then, each in an image of the lattice.
  struct Around {
    int count = 1;
    std::size_t cell[2] = {};
    double image[2] = {};
  };

  void divide() {
    double edge = *std::max_element(extent_.begin(), extent_.end());
    auto const divided = [&] {
      double all = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        double const along = edge > 0 ? std::max(1.0, std::floor(extent_[d] / edge)) : 1;
        cells_[d] = std::size_t(along);
        all *= along;
      }
      return all;
    };
    double const enough = double(count_) / in_a_cell;
    while (edge > 0 && divided() < enough) edge *= 0.9;
    divided();
  }

  void sort(RelativeRows const& sources, Loop const& loop) {
    std::size_t const rows = sources.size(), all = cells_[0] * cells_[1] * cells_[2];
    auto const cell_of = [&](Rounded const& point) {
      std::size_t cell = 0;
      for (std::size_t d = 0; d < 3; ++d)
        cell = cell * cells_[d] + std::size_t(place(d, lattice_.fraction(int(d), point.at.data())));
      return cell;
    };
    BulkVector<Rounded> points(rows);
    BulkVector<std::size_t> cell(rows);
    in_parts(loop, rows, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        Point const x = sources[i];
        bool const finite = is_finite(x);
        if (finite) points[i] = rounded(x, i);
        cell[i] = finite ? cell_of(points[i]) : all;
      }
    });
    first_.assign(all + 2, 0);  // the last one is of those that are not finite
    for (std::size_t const c : cell) ++first_[c];
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::size_t(0));
    BulkVector<std::uint32_t> order(rows);
    for (std::size_t i = 0; i < rows; ++i) order[first_[cell[i]]++] = std::uint32_t(i);
    std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
    first_[0] = 0;
    first_.pop_back();
    sorted_.resize(count_);
    in_parts(loop, count_, [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) sorted_[i] = points[order[i]];
    });
    moved_ = std::ranges::any_of(sorted_, [](Rounded const& s) { return s.added != std::array<float, 3>(); });
  }

  /// In cells; those outside are in the outermost.
  double place(std::size_t d, double fraction) const {
    if (length_[d] == 0) return 0;
    double const along = (fraction - low_[d]) / length_[d];
    return std::clamp(along * double(cells_[d]), 0.0, std::nextafter(double(cells_[d]), 0.0));
  }

  Around cells_at(std::size_t d, double fraction) const {
    double const at = place(d, fraction);
    std::size_t const all = cells_[d];
    Around around;
    around.cell[0] = std::size_t(at);
    bool const below = at - std::floor(at) < 0.5, at_end = around.cell[0] == (below ? 0 : all - 1);
    if (at_end && !periodic_[d]) return around;
    around.count = 2;
    around.cell[1] = at_end ? (below ? all - 1 : 0) : around.cell[0] + (below ? std::size_t(-1) : 1);
    around.image[1] = at_end ? (below ? -1 : 1) : 0;
    return around;
  }

  Region const& region_;
  CellLattice lattice_;
  bool counted_from_faces_;  // no digit is lost across a face
  Shifted shifted_;
  bool moved_ = false;  // whether rounding moves any source
  std::size_t count_ = 0;
  std::array<bool, 3> periodic_{};
  Point low_{}, length_{}, extent_{};  // along the rows: fractions, and distances between opposite faces
  double unit_ = 1;
  double least_ = 0;  // squares of distances up to this are those of rounding in double precision
  std::array<std::size_t, 3> cells_{1, 1, 1};
  BulkVector<std::size_t> first_ = BulkVector<std::size_t>(2, 0);
  BulkVector<Rounded> sorted_;
};

}  // namespace moved

}  // namespace nearfar::detail
