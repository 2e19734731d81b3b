// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"

namespace nearfar::oracle {

/// Adds the far part of the split by erf(xi r): all modes 0 < |k| <= band, one by one (no grid, no FFT).
void add_fourier_space(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                       std::span<double const> targets, std::span<double const> strengths, double band, double xi,
                       std::span<long double> result);

}  // namespace nearfar::oracle
