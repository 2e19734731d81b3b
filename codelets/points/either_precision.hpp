// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>
#include <type_traits>

namespace nearfar {

/// Numbers of an array that is in double or in single precision: a solve in double may have its far part in single.
class EitherPrecision {
 public:
  EitherPrecision() = default;
  NEARFAR_FUNCTION EitherPrecision(float const* numbers) : numbers_(numbers), in_double_(false) {}
  NEARFAR_FUNCTION EitherPrecision(double const* numbers) : numbers_(numbers), in_double_(true) {}

  NEARFAR_FUNCTION double operator[](std::int64_t i) const { return in_double_ ? as<double>()[i] : as<float>()[i]; }
  NEARFAR_FUNCTION EitherPrecision operator+(std::int64_t i) const {
    if (in_double_) return as<double>() + i;
    return as<float>() + i;
  }

 private:
  template <class T>
  NEARFAR_FUNCTION T const* as() const {
    return static_cast<T const*>(numbers_);
  }
  void const* numbers_ = nullptr;
  bool in_double_ = false;
};

/// Positions as a stage of precision T reads them: of a solve in double they are in double where the stage is in
/// single.
template <class T>
using Positions = std::conditional_t<std::is_same_v<T, float>, EitherPrecision, T const*>;

}  // namespace nearfar
