// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/length_unit.hpp"
#include "core/plan/ewald/plane_spacing.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace nearfar {

/// Where sources lie, as far as errors of a sum depend on it: whether in planes, and how widely they are spread. By
/// default nowhere in particular.
class Arrangement {
 public:
  Arrangement() = default;

  /// From sources (rows x, y, z), wrapped into the box, `origin` its lower corner, both in `unit`. Looks at some tens
  /// of thousands of the points. `known`: planes that more of them, or the same before they moved, lay on: they still
  /// do if they keep to them (order), even if these are too few for the planes to be seen.
  template <class T>
  Arrangement(std::array<double, 3> const& box, std::array<double, 3> const& origin, std::span<T const> sources,
              LengthUnit const& unit = {}, PlaneSpacing const& known = {});

  /// Of a sample of so many points, the planes of a whole crystal that fills a cube are found.
  static std::size_t enough(std::size_t points) noexcept;

  PlaneSpacing const& planes() const noexcept { return planes_; }
  bool on_planes() const noexcept { return planes_ != PlaneSpacing{}; }
  /// Whether the sources lie on planes across all three directions.
  bool in_crystal() const noexcept;
  /// How well sources keep to the planes of a crystal: the mean of exp(2 pi i x / spacing), times that across the other
  /// axes. 1 on the planes, 0.55 for ions that are off by a tenth of the distance between planes along each axis; 0
  /// without planes across all three. A few sources that repeat within the box are a crystal whatever their planes.
  double order() const noexcept { return repeats_ ? 1 : in_crystal() ? order_[0] * order_[1] * order_[2] : 0; }
  /// Standard deviations of the sources' coordinates, in `unit`; across a periodic face it is as near as it is.
  std::array<double, 3> const& spread() const noexcept { return spread_; }

 private:
  static constexpr double everywhere = std::numeric_limits<double>::infinity();

  PlaneSpacing planes_{};
  std::array<double, 3> order_{};
  bool repeats_ = false;
  std::array<double, 3> spread_{everywhere, everywhere, everywhere};
};

/// Whether sources lie on planes that a plan for those with `planned` does not know of. A few points seem to by chance:
/// those do not count.
bool on_other_planes(Arrangement const& sources, PlaneSpacing const& planned, std::size_t points) noexcept;

}  // namespace nearfar
