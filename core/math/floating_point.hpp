// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cfenv>

namespace nearfar {

/// A number as T has it. Through memory, since GCC 12 leaves out a conversion to float and back where it does several
/// numbers at once.
template <class T>
double rounded_to(double x) {
  T const volatile rounded = T(x);
  return double(rounded);
}

/// During its lifetime the calling thread, and threads that it starts, compute as programs begin: rounding to nearest,
/// without traps. A caller may have other wishes for arithmetic of its own, which it finds again afterwards.
class PlainArithmetic {
 public:
  PlainArithmetic() noexcept {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~PlainArithmetic() { std::fesetenv(&callers_); }
  PlainArithmetic(PlainArithmetic const&) = delete;
  PlainArithmetic& operator=(PlainArithmetic const&) = delete;

 private:
  std::fenv_t callers_;
};

}  // namespace nearfar
