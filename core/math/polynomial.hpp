// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <functional>

namespace nearfar {

inline constexpr int max_polynomial_degree = 39;

/// A polynomial in t on [-1, 1]; plain data, so it travels inside task arguments and to devices.
template <class T>
struct Polynomial {
  int degree = 0;
  T coefficient[max_polynomial_degree + 1] = {};

  NEARFAR_FUNCTION T operator()(T t) const {
    T sum = coefficient[degree];
    for (int i = degree - 1; i >= 0; --i) sum = sum * t + coefficient[i];
    return sum;
  }
};

/// Fits f on [-1, 1] by Chebyshev interpolation in long double, with the smallest degree whose measured
/// error (absolute, on a fine set of points, evaluated in T) is below `error`, or with the most
/// accurate degree if rounding or max_degree prevents that. `achieved` receives the error unless null.
template <class T>
Polynomial<T> fit_polynomial(std::function<long double(long double)> const& f, double error, double* achieved = nullptr,
                             int max_degree = max_polynomial_degree);

}  // namespace nearfar
