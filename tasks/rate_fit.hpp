// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/work.hpp"

#include <span>
#include <vector>

namespace nearfar::detail {

/// A stage that was measured: what it consisted of, and its seconds.
struct Measured {
  std::vector<Term> terms;
  double seconds;

  template <class Terms>
  Measured(Terms const& list, double time) : terms(list.begin(), list.end()), seconds(time) {}
};

/// Fits the rates that occur in the measurements, by least squares of relative errors. What they leave open stays as
/// it was, times the factor that all have in common; no rate falls below a tenth of that.
void fit_rates(Rates& rates, std::span<Measured const> measurements);

/// Multiplies all rates of a stage, `of_stage`, by one number, so that the measurements are predicted, in their
/// geometric mean. Those of 0 seconds do not count.
void scale_rates(Rates& rates, std::span<double Rates::*const> of_stage, std::span<Measured const> measurements);

}  // namespace nearfar::detail
