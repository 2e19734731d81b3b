// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

namespace nearfar {

/// The error for a result `sum` times 2^exponent that is out of the range of T.
template <class T>
Error overflow(int component, std::int64_t target, long double sum, int exponent) {
  std::ostringstream text;
  char const* const precision = sizeof(T) == 4 ? "single" : "double";
  text << "result " << component << " of target " << target << " is ";
  if (std::isfinite(sum)) {
    long double const digits = std::log10(std::fabs(sum)) + exponent * std::log10(2.0L), whole = std::floor(digits);
    text << std::copysign(std::pow(10, digits - whole), sum) << "e+" << whole << " (" << precision
         << " precision ends at " << std::numeric_limits<T>::max() << "); scale the strengths down, or the lengths up";
  } else {
    text << sum << " (a source is so close to it that powers of their distance leave " << precision << " precision"
         << (sizeof(T) == 4 ? "); merge points that nearly coincide, or compute in double precision"
                            : ", or single, in which a plan may sum pairs); merge points that nearly coincide, or have "
                              "pairs summed in double precision (near_precision)");
  }
  return Error(Fault::bad_input, text.str());
}

}  // namespace nearfar
