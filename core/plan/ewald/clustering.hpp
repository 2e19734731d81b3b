// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"
#include "core/plan/ewald/arrangement.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace nearfar {

/// How many more pairs there are within a short distance than if the points were spread evenly over the box: what the
/// near part of a sum costs depends on that. And how the sources lie, which errors depend on.
class Clustering {
 public:
  /// Of points that are not known yet. Even: 1 at every distance.
  Clustering() = default;

  /// Of sources, or of targets, that are looked at.
  static constexpr std::size_t max_samples = std::size_t(1) << 15;

  /// From sources and targets (rows x, y, z; the same span twice where the targets are the sources), wrapped into the
  /// box, `origin` its lower corner, both in `unit` as all cutoffs are. Differences that sampling noise alone could
  /// make count as none, and more even than sampling noise counts as even.
  template <class T>
  Clustering(std::array<double, 3> const& box, std::array<double, 3> const& origin, std::span<T const> sources,
             std::span<T const> targets, LengthUnit const& unit = {});

  /// Pairs within `cutoff`, in those of evenly spread points; at least 1.
  double at(double cutoff) const noexcept;

  bool even() const noexcept { return level_.empty(); }

  /// None where they are not known yet.
  std::optional<Arrangement> const& sources() const noexcept { return sources_; }

 private:
  struct Level {
    double cutoff;  // whose sphere is as large as a cell
    double factor;
  };
  std::vector<Level> level_;  // from large cells to small ones
  std::optional<Arrangement> sources_;
};

}  // namespace nearfar
