// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/clustering.hpp"

#include "core/math/constants.hpp"
#include "core/plan/ewald/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace nearfar {

namespace {

constexpr int finest = 12;                // halvings of the longest edge
constexpr double min_pairs = 100;         // that a level must have for its factor to be trusted
constexpr double sigmas = 4, bias = 0.1;  // factors below 1 + bias + so many sigmas are noise

/// The cells of all levels that hold a point, as one number: two points share a cell of a level where the leading
/// digits of their numbers agree. An edge is halved only at levels whose cells are shorter than it, so that cells stay
/// near cubes.
struct Keys {
  std::array<double, 3> box, origin;
  LengthUnit unit;
  std::array<int, 3> halvings;  // at the finest level

  Keys(std::array<double, 3> const& edges, std::array<double, 3> const& corner, LengthUnit const& of_lengths)
      : box(edges), origin(corner), unit(of_lengths) {
    double const longest = *std::max_element(box.begin(), box.end());
    for (std::size_t d = 0; d < 3; ++d)
      halvings[d] = std::max(0, finest - static_cast<int>(std::lround(std::log2(longest / box[d]))));
  }

  /// Halvings of an edge at a level.
  int at(std::size_t d, int level) const { return std::max(0, halvings[d] - (finest - level)); }

  template <class T>
  std::uint64_t operator()(T const* row) const {
    std::array<std::uint64_t, 3> cell;
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = (unit.ours(double(row[d])) - origin[d]) / box[d], folded = x - std::floor(x);
      double const cells = double(1 << halvings[d]);
      cell[d] = std::isfinite(x) ? static_cast<std::uint64_t>(std::min(folded * cells, cells - 1)) : 0;
    }
    std::uint64_t key = 0;
    for (int level = 1; level <= finest; ++level)
      for (std::size_t d = 0; d < 3; ++d) {
        int const shift = halvings[d] - at(d, level);
        key = key << 1 | (at(d, level) > at(d, level - 1) ? cell[d] >> shift & 1 : 0);
      }
    return key;
  }
};

struct Sample {
  std::uint64_t key;
  bool target;
};

template <class T>
void add_samples(std::vector<Sample>& samples, Keys const& key, std::span<T const> rows, bool target) {
  std::size_t const points = rows.size() / 3, count = std::min(points, Clustering::max_samples);
  for (std::size_t i = 0; i < count; ++i) samples.push_back({key(&rows[3 * sampled(i, count, points)]), target});
}

}  // namespace

template <class T>
Clustering::Clustering(std::array<double, 3> const& box, std::array<double, 3> const& origin,
                       std::span<T const> sources, std::span<T const> targets, LengthUnit const& unit)
    : sources_(std::in_place, box, origin, sources, unit) {
  Keys const key(box, origin, unit);
  bool const same = sources.data() == targets.data() && sources.size() == targets.size();
  std::vector<Sample> samples;
  add_samples(samples, key, sources, false);
  if (!same) add_samples(samples, key, targets, true);
  std::sort(samples.begin(), samples.end(), [](Sample const& a, Sample const& b) { return a.key < b.key; });
  double const s = double(std::min(sources.size() / 3, max_samples)),
               t = double(std::min(targets.size() / 3, max_samples));
  double const all = same ? s * (s - 1) : s * t, volume = box[0] * box[1] * box[2];
  bool clustered = false;
  for (int level = 0; level <= finest; ++level) {
    int const below = 3 * (finest - level);
    double pairs = 0;
    for (std::size_t first = 0, last = 0; first < samples.size(); first = last) {
      double count[2] = {0, 0};
      for (; last < samples.size() && samples[last].key >> below == samples[first].key >> below; ++last)
        ++count[samples[last].target];
      pairs += same ? count[0] * (count[0] - 1) : count[0] * count[1];
    }
    if (pairs < min_pairs) break;
    double cells = 1;
    for (std::size_t d = 0; d < 3; ++d) cells *= double(1 << key.at(d, level));
    double const factor = pairs * cells / all;
    bool const noise = factor < 1 + bias + sigmas / std::sqrt(pairs);
    clustered = clustered || !noise;
    level_.push_back({std::cbrt(3 / (4 * pi<double>)*volume / cells), noise ? 1 : factor});
  }
  if (!clustered) level_.clear();
}

double Clustering::at(double cutoff) const noexcept {
  if (even()) return 1;
  if (cutoff >= level_.front().cutoff) return level_.front().factor;
  for (std::size_t i = 1; i < level_.size(); ++i) {
    Level const &coarse = level_[i - 1], &fine = level_[i];
    if (cutoff < fine.cutoff) continue;
    double const share = std::log(coarse.cutoff / cutoff) / std::log(coarse.cutoff / fine.cutoff);
    return coarse.factor * std::pow(fine.factor / coarse.factor, share);
  }
  return level_.back().factor;
}

template Clustering::Clustering(std::array<double, 3> const&, std::array<double, 3> const&, std::span<double const>,
                                std::span<double const>, LengthUnit const&);
template Clustering::Clustering(std::array<double, 3> const&, std::array<double, 3> const&, std::span<float const>,
                                std::span<float const>, LengthUnit const&);

}  // namespace nearfar
