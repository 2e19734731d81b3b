// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nearfar::oracle {

/// Sources in a periodic box, searched one target at a time: every source is tested (no cells to get wrong), in double
/// and by vector instructions; what is close enough is measured again in long double.
class Images {
 public:
  Images(Box const& box, std::span<double const> sources);

  /// Calls visit(source, r), r = target - image in long double, for all images with |r| <= cutoff, r = 0 included.
  template <class Visit>
  void visit(double const* target, double cutoff, Visit&& visit) const;

 private:
  static constexpr std::size_t block = 256;

  Box box_;
  std::span<double const> sources_;
  std::array<std::vector<double>, 3> wrapped_;  // into [0, L]; padded to whole blocks with points far away
  std::array<std::vector<long>, 3> cell_;       // source = wrapped + cell L
};

inline Images::Images(Box const& box, std::span<double const> sources) : box_(box), sources_(sources) {
  std::size_t const count = sources.size() / 3;
  for (int d = 0; d < 3; ++d) {
    wrapped_[d].assign((count + block - 1) / block * block, 1e100);
    cell_[d].resize(count);
    for (std::size_t n = 0; n < count; ++n) {
      cell_[d][n] = std::lround(std::floor(sources[3 * n + d] / box[d]));
      wrapped_[d][n] = sources[3 * n + d] - double(cell_[d][n]) * box[d];
    }
  }
}

template <class Visit>
void Images::visit(double const* target, double cutoff, Visit&& visit) const {
  long cell[3], lowest[3], highest[3];
  for (int d = 0; d < 3; ++d) {
    cell[d] = std::lround(std::floor(target[d] / box_[d]));
    double const x = target[d] - double(cell[d]) * box_[d];
    lowest[d] = std::lround(std::floor(-(x + cutoff) / box_[d]));  // of those m with x + m L in [-cutoff, L + cutoff]
    highest[d] = std::lround(std::ceil((box_[d] + cutoff - x) / box_[d]));
  }
  double const limit = cutoff * cutoff * (1 + 1e-9);  // the test in double must not lose a pair
  auto const try_image = [&](std::array<long, 3> const& m) {
    double x[3], gap = 0;
    for (int d = 0; d < 3; ++d) {
      x[d] = target[d] - double(cell[d] - m[d]) * box_[d];
      double const out = std::max({0.0, -x[d], x[d] - box_[d]});
      gap += out * out;
    }
    if (gap > limit) return;
    for (std::size_t first = 0; first < wrapped_[0].size(); first += block) {
      double distance[block];
      for (std::size_t i = 0; i < block; ++i) {
        double const a = x[0] - wrapped_[0][first + i];
        double const b = x[1] - wrapped_[1][first + i];
        double const c = x[2] - wrapped_[2][first + i];
        distance[i] = a * a + b * b + c * c;
      }
      for (std::size_t i = 0; i < block; ++i) {
        if (!(distance[i] <= limit)) continue;
        std::size_t const n = first + i;
        long double r[3];
        for (int d = 0; d < 3; ++d) {
          long const shift = cell[d] - m[d] - cell_[d][n];
          r[d] = static_cast<long double>(target[d]) - sources_[3 * n + d] - shift * static_cast<long double>(box_[d]);
        }
        if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] <= static_cast<long double>(cutoff) * cutoff) visit(n, r);
      }
    }
  };
  for (long i = lowest[0]; i <= highest[0]; ++i)
    for (long j = lowest[1]; j <= highest[1]; ++j)
      for (long k = lowest[2]; k <= highest[2]; ++k) try_image({i, j, k});
}

}  // namespace nearfar::oracle
