// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/moved_pairs.hpp"

#include "core/geometry/axes.hpp"
#include "core/geometry/lattice.hpp"
#include "core/math/bulk_memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace nearfar::detail {

namespace {

using Point = std::array<double, 3>;

double square(Point const& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

bool is_finite(Point const& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

/// A point, in the cell if it repeats, and what rounding adds to it where it is.
struct Rounded {
  Point at;
  std::array<float, 3> added;
};

/// Through memory, since GCC 12 leaves out a conversion to float and back where it does two coordinates at once.
float rounding_of(double x) {
  float const volatile rounded = float(x);
  return float(double(rounded) - x);
}

/// The periods, and unit vectors along free directions.
CellLattice lattice_of(Region const& region) {
  CellRows rows{};
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(region.periodicity, int(d))) rows[d][d] = 1;
    else if (region.cell) rows[d] = (*region.cell)[d];
    else rows[d][d] = region.box[d];
  return CellLattice::of(rows);
}

/// Sources in a grid of cells along the rows of the lattice, a few in each if they are evenly spread.
class Cells {
 public:
  Cells(Region const& region, RelativeRows const& sources) : lattice_(lattice_of(region)) {
    Point low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Point const x = sources[i];
      if (!is_finite(x)) continue;
      ++count_;
      for (std::size_t d = 0; d < 3; ++d) {
        double const at = lattice_.fraction(int(d), x.data());
        low[d] = std::min(low[d], at);
        high[d] = std::max(high[d], at);
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
    divide();
    sort(sources);
  }

  /// The edge of a cube that holds as much as the sources spread over, planes and lines being of some thickness.
  double edge() const {
    constexpr double thinnest = 1.0 / 8;
    double const longest = *std::max_element(extent_.begin(), extent_.end());
    double volume = lattice_.volume() / (lattice_.height[0] * lattice_.height[1] * lattice_.height[2]);
    for (double const extent : extent_) volume *= std::max(extent, thinnest * longest);
    return std::cbrt(volume);
  }

  /// In the order of cells.
  BulkVector<Rounded> const& sources() const { return sorted_; }

  /// Sources that a search for the nearest one tries, on average over the sources.
  double tried_by_each() const {
    double squares = 0;
    for (std::size_t cell = 0; cell + 1 < first_.size(); ++cell)
      squares += double(first_[cell + 1] - first_[cell]) * double(first_[cell + 1] - first_[cell]);
    return cells_around * squares / double(std::max<std::size_t>(1, count_));
  }

  Rounded rounded(Point const& x) const {
    double images[3] = {};
    Point whole{};
    for (int d = 0; d < 3; ++d)
      if (periodic_[std::size_t(d)]) images[d] = std::floor(lattice_.fraction(d, x.data()));
    lattice_.shift(images[0], images[1], images[2], whole.data());
    return {{x[0] - whole[0], x[1] - whole[1], x[2] - whole[2]},
            {rounding_of(x[0]), rounding_of(x[1]), rounding_of(x[2])}};
  }

  struct Nearest {
    double square = std::numeric_limits<double>::infinity();
    std::size_t tried = 0;
    std::array<float, 3> added{};
  };

  /// Among the eight cells around a point that is in the cell; not at the same place.
  Nearest nearest(Point const& x) const {
    Nearest found;
    Around around[3];
    for (std::size_t d = 0; d < 3; ++d) around[d] = cells_at(d, lattice_.fraction(int(d), x.data()));
    for (int i = 0; i < around[0].count; ++i)
      for (int j = 0; j < around[1].count; ++j)
        for (int k = 0; k < around[2].count; ++k) {
          std::size_t const cell = (around[0].cell[i] * cells_[1] + around[1].cell[j]) * cells_[2] + around[2].cell[k];
          Point image;
          lattice_.shift(around[0].image[i], around[1].image[j], around[2].image[k], image.data());
          for (std::size_t d = 0; d < 3; ++d) image[d] = x[d] - image[d];
          for (std::size_t s = first_[cell]; s < first_[cell + 1]; ++s) {
            Point const& at = sorted_[s].at;
            double const r = square({image[0] - at[0], image[1] - at[1], image[2] - at[2]});
            if (r > least_ && r < found.square) {
              found.square = r;
              found.added = sorted_[s].added;
            }
          }
          found.tried += first_[cell + 1] - first_[cell];
        }
    return found;
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

  void sort(RelativeRows const& sources) {
    first_.assign(cells_[0] * cells_[1] * cells_[2] + 1, 0);
    auto const cell_of = [&](Rounded const& point) {
      std::size_t cell = 0;
      for (std::size_t d = 0; d < 3; ++d)
        cell = cell * cells_[d] + std::size_t(place(d, lattice_.fraction(int(d), point.at.data())));
      return cell;
    };
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (Point const x = sources[i]; is_finite(x)) ++first_[cell_of(rounded(x))];
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::size_t(0));
    sorted_.resize(count_);
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (Point const x = sources[i]; is_finite(x)) {
        Rounded const point = rounded(x);
        sorted_[first_[cell_of(point)]++] = point;
      }
    std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
    first_[0] = 0;
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

  CellLattice lattice_;
  std::size_t count_ = 0;
  std::array<bool, 3> periodic_{};
  Point low_{}, length_{}, extent_{};  // along the rows: fractions, and distances between opposite faces
  double least_ = 0;                   // squares of distances up to this are those of rounding in double precision
  std::array<std::size_t, 3> cells_{1, 1, 1};
  BulkVector<std::size_t> first_ = BulkVector<std::size_t>(2, 0);
  BulkVector<Rounded> sorted_;
};

/// Visits rows evenly whenever it stops: a step of the golden section that has no common divisor with their number.
std::size_t golden_step(std::size_t rows) {
  auto step = std::max<std::size_t>(1, std::size_t(0.6180339887 * double(rows)));
  while (std::gcd(step, rows) != 1) ++step;
  return step;
}

}  // namespace

MovedPairs moved_pairs(Region const& region, RelativeRows const& sources, RelativeRows const* targets, int power,
                       std::size_t all) {
  constexpr std::size_t some_pairs = 1 << 24, pairs_of_target = 64;
  constexpr double mean_in_cube = 5.85;  // of 1 / r^2 between two of its points, times the square of its edge
  MovedPairs moved;
  Cells const cells(region, sources);
  std::size_t const points = targets != nullptr ? targets->size() : cells.sources().size();
  if (points == 0) return moved;
  double const edge = cells.edge(), of_all = power == 1 && edge > 0 ? mean_in_cube * double(all) / (edge * edge) : 0;
  std::size_t const most = some_pairs + pairs_of_target * points;
  // One after the other, which is several times as fast, if they will all be visited.
  std::size_t const step = cells.tried_by_each() * double(points) < double(most) ? 1 : golden_step(points);
  std::size_t tried = 0;
  for (std::size_t i = 0, row = 0; i < points && tried <= most; ++i, row = (row + step) % points) {
    Rounded point;
    if (targets == nullptr) {
      point = cells.sources()[row];
    } else {
      Point const x = (*targets)[row];
      if (!is_finite(x)) continue;
      point = cells.rounded(x);
    }
    auto const nearest = cells.nearest(point.at);
    tried += nearest.tried;
    if (!std::isfinite(nearest.square)) continue;
    Point apart;
    for (std::size_t d = 0; d < 3; ++d) apart[d] = double(point.added[d]) - double(nearest.added[d]);
    long double const r2 = nearest.square, closeness = 1 / r2;
    long double field = closeness;
    for (int p = 1; p < power; ++p) field *= closeness;
    moved.fields += field + of_all;
    moved.errors += field * std::min<long double>(1, power * power * square(apart) * closeness);
  }
  return moved;
}

}  // namespace nearfar::detail
