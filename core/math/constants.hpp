// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

namespace nearfar {

template <class T>
inline constexpr T pi = std::numbers::pi_v<T>;

}  // namespace nearfar
