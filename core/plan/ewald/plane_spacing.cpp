// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/plane_spacing.hpp"

#include "core/plan/ewald/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace nearfar {

namespace {

constexpr std::size_t most = std::size_t(1) << 13;  // points looked at
constexpr std::size_t fewest_planes = 3;
constexpr double out_of_step = 0.2;     // of a distance between planes: how far it may be off a multiple
constexpr double same_place = 1e-6;     // of the edge: rounding of coordinates
constexpr double smallest_crystal = 8;  // ions

/// What planes must be like to be seen.
struct Seen {
  std::size_t fewest_in_plane;
  double contrast;  // least ratio of gaps between planes to gaps within one
};

/// A few points, as in a cell of a crystal, seem to lie on planes by chance unless they keep to them well.
Seen seen_of(std::size_t points) {
  constexpr Seen of_many{4, 3}, of_few{2, 100};
  return points < of_many.fewest_in_plane * fewest_planes ? of_few : of_many;
}

/// Sorts numbers from 0 to `edge`. Points that move wait for this at every step: of numbers that are spread over the
/// edge, or over planes across it, sorting those in each of as many equal intervals takes a fifth of std::sort.
void sort_along(std::vector<double>& x, double edge, std::vector<double>& store) {
  std::size_t const count = x.size();
  double const intervals = double(count) / edge;
  auto const interval = [&](double at) { return std::min(count - 1, std::size_t(at * intervals)); };
  std::vector<std::uint32_t> next(count + 1, 0);
  for (double const at : x) ++next[interval(at) + 1];
  std::inclusive_scan(next.begin(), next.end(), next.begin());
  store.resize(count);
  for (double const at : x) store[next[interval(at)]++] = at;  // then `next` has the end of each interval
  for (std::size_t i = 0, first = 0; i < count; first = next[i++])
    if (next[i] - first > 1) std::sort(store.begin() + std::ptrdiff_t(first), store.begin() + std::ptrdiff_t(next[i]));
  std::swap(x, store);
}

/// The width of gaps that separate planes: in sorted order, gap widths drop suddenly after these. 0 if they do not.
double separating_gap(std::vector<double> const& sorted, double edge) {
  auto const [fewest_in_plane, contrast] = seen_of(sorted.size());
  std::vector<double> gaps(sorted.size() - 1);
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = sorted[i + 1] - sorted[i];
  std::size_t const last = sorted.size() / fewest_in_plane;
  auto const widest_end = gaps.begin() + std::ptrdiff_t(last) + 1;
  if (widest_end < gaps.end()) std::nth_element(gaps.begin(), widest_end, gaps.end(), std::greater<>());
  std::sort(gaps.begin(), widest_end, std::greater<>());
  double sharpest = contrast, gap = 0;
  for (std::size_t i = fewest_planes - 2; i < last; ++i)
    if (double const fall = gaps[i] / std::max(gaps[i + 1], same_place * edge); fall >= sharpest) {
      sharpest = fall;
      gap = gaps[i];
    }
  return gap;
}

std::vector<double> centres(std::vector<double> const& sorted, double gap) {
  std::vector<double> all;
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    double sum = 0;
    do sum += sorted[last++];
    while (last < sorted.size() && sorted[last] - sorted[last - 1] < gap);
    all.push_back(sum / double(last - first));
  }
  return all;
}

/// The spacing of which all distances between planes are multiples; 0 if there is none.
double common_spacing(std::vector<double> const& planes) {
  std::vector<double> distances(planes.size() - 1);
  for (std::size_t i = 0; i < distances.size(); ++i) distances[i] = planes[i + 1] - planes[i];
  double const least = *std::ranges::min_element(distances);
  double steps = 0;
  for (double distance : distances) {
    double const number = std::round(distance / least);
    if (std::abs(distance / least - number) > out_of_step * number) return 0;
    steps += number;
  }
  return (planes.back() - planes.front()) / steps;
}

}  // namespace

template <class T>
PlaneSpacing plane_spacing(std::array<double, 3> const& box, std::array<double, 3> const& origin,
                           std::span<T const> points, LengthUnit const& unit) {
  std::size_t const all = points.size() / 3, count = std::min(all, most);
  PlaneSpacing spacing{};
  if (count < seen_of(count).fewest_in_plane * fewest_planes) return spacing;
  std::vector<double> x(count), store;
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t i = 0; i < count; ++i) {
      double const edges = (unit.ours(double(points[3 * sampled(i, count, all) + d])) - origin[d]) / box[d];
      x[i] = std::isfinite(edges) ? (edges - std::floor(edges)) * box[d] : 0;
    }
    sort_along(x, box[d], store);
    if (double const gap = separating_gap(x, box[d]); gap > 0) spacing[d] = common_spacing(centres(x, gap));
  }
  return spacing;
}

PlaneSpacing plane_spacing_of_crystal(std::array<double, 3> const& box, double ions) {
  if (ions < smallest_crystal) return {};
  double const cell = std::cbrt(2 * box[0] * box[1] * box[2] / ions);
  for (double edge : box)
    if (double const cells = edge / cell; std::abs(cells - std::round(cells)) > 1e-6 * cells) return {};
  return {cell / 2, cell / 2, cell / 2};
}

template PlaneSpacing plane_spacing(std::array<double, 3> const&, std::array<double, 3> const&, std::span<double const>,
                                    LengthUnit const&);
template PlaneSpacing plane_spacing(std::array<double, 3> const&, std::array<double, 3> const&, std::span<float const>,
                                    LengthUnit const&);

}  // namespace nearfar
