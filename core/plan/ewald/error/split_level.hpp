// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/split_shape.hpp"

#include <nearfar/ewald.hpp>

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace nearfar {

/// How accurate a split is, in steps fine enough to search by: for pswf c in quarters; for gaussian the cut in real
/// space and that in k-space in eighths of a digit. A split parameter set by hand is kept at all levels. What a split
/// leaves out changes with strain faster than it is large: for a virial a level has a finer split, by nearly a digit.
class SplitLevels {
 public:
  explicit SplitLevels(EwaldOptions const& options);

  int first() const noexcept { return 8; }
  int last() const noexcept;
  int guess() const noexcept;  ///< about right for the tolerance
  double parameter(int level) const noexcept;
  /// Highest wave number that matters, times cutoff.
  double reach(int level) const noexcept { return reaches_[std::size_t(level)]; }
  SplitShape const& shape(int level, Base base);

 private:
  double parameter_at(double level) const noexcept;
  double reach_of(int level) const noexcept;

  EwaldOptions options_;
  int finer_ = 0;                ///< so many levels, for a virial
  std::vector<double> reaches_;  ///< asked for thousands of times
  std::map<std::pair<Base, double>, SplitShape> shapes_;
};

/// Degree of the near layers when they are fitted to fit_error, about.
double layer_degree(Split split, double parameter) noexcept;

/// Square of a relative error to the error that is announced: the model is a mean, and a set of points has its own.
double error_of(double square) noexcept;

}  // namespace nearfar
