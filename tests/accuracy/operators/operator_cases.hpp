// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/cases.hpp"

#include <map>
#include <utility>

namespace nearfar::accuracy {

/// Every kernel, those that the oracle lacks, too.
inline constexpr Kernel every_operator[] = {Kernel::stokeslet, Kernel::stresslet,     Kernel::stokes,
                                            Kernel::rotlet,    Kernel::doublet,       Kernel::laplace,
                                            Kernel::dipole,    Kernel::charge_dipole, Kernel::yukawa};

/// Judges all outputs of a kernel, each by itself, for `count` points that are their own targets, by a solve to 1e-12
/// with the other split, whose golden values tests know. That is kept for the next case with the same points.
class OperatorJudge {
 public:
  OperatorJudge(std::size_t count, unsigned seed) : count_(count), seed_(seed) {}

  /// Relative l2 errors.
  std::map<Output, double> errors(Runtime const& runtime, Case const& c);

 private:
  std::vector<double> solve(Runtime const& runtime, Case const& c) const;

  std::size_t count_;
  unsigned seed_;
  Case judged_{};  ///< for which `exact_` is
  std::vector<double> exact_;
};

/// Every kernel, periodicity, precision and distribution at these tolerances (single: at those it has).
std::vector<Case> operator_cases(std::vector<double> const& tolerances);

}  // namespace nearfar::accuracy
