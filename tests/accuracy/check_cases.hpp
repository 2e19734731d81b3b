// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/cases.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace nearfar::accuracy {

/// The promises of EwaldOptions::tolerance, for the whole sum and for the far part alone, and of the estimate: not
/// below the error of the far part, and not above 30 times it, or that of the whole where pairs are in single
/// precision: their rounding is in the estimate. The estimate is about strengths without a pattern: strengths of one
/// sign need only keep the tolerance.
inline void check_cases(std::vector<Case> const& cases, std::size_t count, std::size_t judged) {
  Runtime const runtime;
  Judge judge(count, judged, 1);
  for (Case const& c : cases) {
    Errors const e = judge.errors(runtime, c);
    INFO((describe(c)));
    CAPTURE(e.parameters.cutoff);
    CAPTURE(e.parameters.split_parameter);
    CAPTURE(e.parameters.window_points);
    CHECK(e.whole < c.tolerance);
    CHECK(e.far < c.tolerance);
    if (c.signs == Signs::positive) continue;
    double const estimate = e.parameters.estimated_error;
    CHECK(estimate / e.far_of_others >= 1);
    CHECK(estimate / (e.parameters.near_in_single ? std::max(e.whole, e.far_of_others) : e.far_of_others) <= 30);
  }
}

}  // namespace nearfar::accuracy
