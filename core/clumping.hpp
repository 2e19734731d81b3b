// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace nearfar {

/// How many more pairs there are within a short distance than if the points were spread evenly over the box: what the
/// near part of a sum costs depends on that.
class Clumping {
 public:
  /// Even: 1 at every distance.
  Clumping() = default;

  /// From sources and targets (rows x, y, z; the same span twice where the targets are the sources), wrapped into the
  /// box, `origin` its lower corner. Looks at 2^15 of each at most, always the same ones. Differences that chance alone
  /// could make count as none, and more even than chance counts as even.
  template <class T>
  Clumping(std::array<double, 3> const& box, std::array<double, 3> const& origin, std::span<T const> sources,
           std::span<T const> targets);

  /// Pairs within `cutoff`, in those of evenly spread points; at least 1.
  double at(double cutoff) const noexcept;

  bool even() const noexcept { return level_.empty(); }

 private:
  struct Level {
    double cutoff;  // whose sphere is as large as a cell
    double factor;
  };
  std::vector<Level> level_;  // from large cells to small ones
};

}  // namespace nearfar
