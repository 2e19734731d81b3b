// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"

namespace nearfar::oracle {

/// Adds the near part of the split by erf(xi r), cut at `cutoff`, self terms included.
void add_real_space(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                    std::span<double const> targets, std::span<double const> strengths, double cutoff, double xi,
                    std::span<long double> result);

}  // namespace nearfar::oracle
