// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "tasks/points/views/moved_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nearfar::detail {

/// By how much a field falls off with the distance from a source: the output that falls off fastest.
inline int power_of(Kernel kernel, Outputs outputs) {
  KernelDescription const& described = describe(kernel, outputs);
  AskedResults const asked = asked_results(described, outputs);
  int derivative = 0;
  for (auto const& result : asked.fields) derivative = std::max(derivative, result.field.derivative);
  return described.last_decay() + derivative;
}

/// Of a target's pairs those that rounding changes most, which stand for the others.
class KeptPairs {
 public:
  /// `change`: the square of what rounding changes the field of a unit source by.
  void add(double change, MovedPair const& pair) {
    all_ += change;
    near_.push_back({change, pair});
  }

  /// `weight`: for so many targets.
  void give(double weight, std::vector<MovedPair>& pairs) {
    constexpr std::size_t most = 32;
    std::size_t const count = std::min(most, near_.size());
    std::partial_sort(near_.begin(), near_.begin() + std::ptrdiff_t(count), near_.end(),
                      [](Near const& a, Near const& b) { return a.change > b.change; });
    near_.resize(count);
    double kept = 0;
    for (Near const& n : near_) kept += n.change;
    for (Near const& n : near_) {
      pairs.push_back(n.pair);
      pairs.back().stands_for = float(weight * (all_ / kept));
    }
  }

 private:
  struct Near {
    double change;
    MovedPair pair;
  };
  std::vector<Near> near_;
  double all_ = 0;
};

}  // namespace nearfar::detail
