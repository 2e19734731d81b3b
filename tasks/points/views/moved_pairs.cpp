// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/moved_pairs.hpp"

#include "core/geometry/axes.hpp"
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

/// What rounding adds to a point.
Point rounding_of(Point const& x) {
  Point added;
  for (std::size_t d = 0; d < 3; ++d) added[d] = double(float(x[d])) - x[d];
  return added;
}

/// Sources in a grid of cells, a few in each if they are evenly spread.
class Cells {
 public:
  Cells(Region const& region, RelativeRows const& sources) {
    Point low, high;
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Point const x = sources[i];
      if (!is_finite(x)) continue;
      ++count_;
      for (std::size_t d = 0; d < 3; ++d) {
        low[d] = std::min(low[d], x[d]);
        high[d] = std::max(high[d], x[d]);
      }
    }
    if (count_ == 0) return;
    for (std::size_t d = 0; d < 3; ++d) {
      periodic_[d] = !region.cell && is_periodic(region.periodicity, int(d));
      low_[d] = periodic_[d] ? 0 : low[d];
      length_[d] = periodic_[d] ? region.box[d] : high[d] - low[d];
    }
    divide();
    sort(sources);
  }

  /// The edge of a cube that holds as much as the sources spread over, planes and lines being of some thickness.
  double edge() const {
    constexpr double thinnest = 1.0 / 8;
    double const longest = *std::max_element(length_.begin(), length_.end());
    double volume = 1;
    for (double const length : length_) volume *= std::max(length, thinnest * longest);
    return std::cbrt(volume);
  }

  struct Nearest {
    double square = std::numeric_limits<double>::infinity();
    std::size_t tried = 0;
    Point source{};
  };

  /// Among the eight cells around a point; not at the same place.
  Nearest nearest(Point const& x) const {
    Nearest found;
    std::size_t cells[3][2];
    int number[3];
    for (std::size_t d = 0; d < 3; ++d) number[d] = around(d, x[d], cells[d]);
    for (int i = 0; i < number[0]; ++i)
      for (int j = 0; j < number[1]; ++j)
        for (int k = 0; k < number[2]; ++k) {
          std::size_t const cell = (cells[0][i] * cells_[1] + cells[1][j]) * cells_[2] + cells[2][k];
          for (std::size_t s = first_[cell]; s < first_[cell + 1]; ++s) try_source(x, sorted_[s], found);
        }
    return found;
  }

 private:
  static constexpr double in_a_cell = 2;

  void divide() {
    double edge = *std::max_element(length_.begin(), length_.end());
    auto const divided = [&] {
      double all = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        double const along = edge > 0 ? std::max(1.0, std::floor(length_[d] / edge)) : 1;
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
    auto const cell_of = [&](Point const& x) {
      std::size_t cell = 0;
      for (std::size_t d = 0; d < 3; ++d) cell = cell * cells_[d] + std::size_t(place(d, x[d]));
      return cell;
    };
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (Point const x = sources[i]; is_finite(x)) ++first_[cell_of(x)];
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::size_t(0));
    sorted_.resize(count_);
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (Point const x = sources[i]; is_finite(x)) sorted_[first_[cell_of(x)]++] = x;
    std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
    first_[0] = 0;
  }

  /// In cells; those outside are in the outermost.
  double place(std::size_t d, double x) const {
    if (length_[d] == 0) return 0;
    double along = (x - low_[d]) / length_[d];
    if (periodic_[d]) along -= std::floor(along);
    return std::clamp(along * double(cells_[d]), 0.0, std::nextafter(double(cells_[d]), 0.0));
  }

  /// The cell of a coordinate, and the one that is nearest then.
  int around(std::size_t d, double x, std::size_t (&cells)[2]) const {
    double const at = place(d, x);
    std::size_t const all = cells_[d];
    cells[0] = std::size_t(at);
    if (at - std::floor(at) < 0.5) {
      if (cells[0] == 0 && !periodic_[d]) return 1;
      cells[1] = (cells[0] + all - 1) % all;
    } else {
      if (cells[0] + 1 == all && !periodic_[d]) return 1;
      cells[1] = (cells[0] + 1) % all;
    }
    return all > 1 ? 2 : 1;
  }

  void try_source(Point const& x, Point const& source, Nearest& found) const {
    Point between;
    for (std::size_t d = 0; d < 3; ++d) {
      between[d] = x[d] - source[d];
      if (periodic_[d]) between[d] -= length_[d] * std::round(between[d] / length_[d]);
    }
    ++found.tried;
    if (double const r = square(between); r > 0 && r < found.square) {
      found.square = r;
      found.source = source;
    }
  }

  std::size_t count_ = 0;
  std::array<bool, 3> periodic_{};
  Point low_{}, length_{};
  std::array<std::size_t, 3> cells_{1, 1, 1};
  BulkVector<std::size_t> first_ = BulkVector<std::size_t>(2, 0);
  BulkVector<Point> sorted_;
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
  RelativeRows const& points = targets != nullptr ? *targets : sources;
  MovedPairs moved;
  if (points.size() == 0) return moved;
  Cells const cells(region, sources);
  double const edge = cells.edge(), of_all = power == 1 && edge > 0 ? mean_in_cube * double(all) / (edge * edge) : 0;
  std::size_t const most = some_pairs + pairs_of_target * points.size(), step = golden_step(points.size());
  std::size_t tried = 0;
  for (std::size_t i = 0, row = 0; i < points.size() && tried <= most; ++i, row = (row + step) % points.size()) {
    Point const x = points[row];
    if (!is_finite(x)) continue;
    auto const nearest = cells.nearest(x);
    tried += nearest.tried;
    if (!std::isfinite(nearest.square)) continue;
    Point apart = rounding_of(x);
    Point const of_source = rounding_of(nearest.source);
    for (std::size_t d = 0; d < 3; ++d) apart[d] -= of_source[d];
    long double const r2 = nearest.square, closeness = 1 / r2;
    long double field = closeness;
    for (int p = 1; p < power; ++p) field *= closeness;
    moved.fields += field + of_all;
    moved.errors += field * std::min<long double>(1, power * power * square(apart) * closeness);
  }
  return moved;
}

}  // namespace nearfar::detail
