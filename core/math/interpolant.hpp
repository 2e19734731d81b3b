// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace nearfar {

/// f on [-1, 1] by its Chebyshev series of degree 63, which is more than any fit holds: for f that takes long, since a
/// fit asks for hundreds of values.
std::function<long double(long double)> chebyshev_interpolant(std::function<long double(long double)> const& f);

}  // namespace nearfar
