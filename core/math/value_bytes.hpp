// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace nearfar {

namespace value_bytes_detail {

template <class T>
constexpr unsigned read(std::size_t first, std::size_t last) {
  auto const bytes = std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{});
  unsigned sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += bytes[i];
  return sum;
}

/// Padding has no value, so that reading it is no constant.
template <class T, std::size_t first, std::size_t last>
concept HasValues = requires {
  typename std::integral_constant<unsigned, read<T>(first, last)>;
};

template <class T, std::size_t first, std::size_t last>
constexpr void mark(std::array<bool, sizeof(T)>& values) {
  if constexpr (HasValues<T, first, last>) {
    for (std::size_t i = first; i < last; ++i) values[i] = true;
  } else if constexpr (last - first > 1) {
    constexpr std::size_t middle = first + (last - first) / 2;
    mark<T, first, middle>(values);
    mark<T, middle, last>(values);
  }
}

}  // namespace value_bytes_detail

/// Which bytes of an object of this type belong to its members: the others, between and after these, may differ between
/// equal objects. T is trivially copyable, and T{} a constant.
template <class T>
constexpr std::array<bool, sizeof(T)> find_value_bytes() {
  static_assert(requires { typename std::bool_constant<(static_cast<void>(T{}), true)>; });
  std::array<bool, sizeof(T)> values{};
  value_bytes_detail::mark<T, 0, sizeof(T)>(values);
  return values;
}
template <class T>
inline constexpr std::array<bool, sizeof(T)> value_bytes = find_value_bytes<T>();

}  // namespace nearfar
