// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace nearfar {

/// A number as whoever gave it finds it again, in every locale: in six digits where that is the same number, else in as
/// many more as it takes.
template <class T>
std::string in_words(T number) requires std::is_floating_point_v<T> {
  constexpr int usual = 6, most = std::numeric_limits<T>::max_digits10;
  char text[32];
  for (int digits = usual;; ++digits) {
    char* const end = std::to_chars(text, text + sizeof text, number, std::chars_format::general, digits).ptr;
    T read{};
    std::from_chars(text, end, read);
    if (read == number || digits == most) return {text, end};
  }
}

template <class T>
std::string in_words(T number) requires std::is_integral_v<T> &&(!std::is_same_v<T, char>) {
  return std::to_string(number);
}

inline std::string in_words(char letter) { return {letter}; }
inline std::string in_words(std::string_view words) { return std::string(words); }

/// The parts one after the other.
template <class... Parts>
std::string in_words(Parts const&... parts) requires(sizeof...(parts) > 1) {
  return (in_words(parts) + ...);
}

/// Refuses what a caller gave: throws Error{bad_input} with these parts as its message, which says what is wrong, with
/// the value; why; and what would be right. (EXPECTS is for what code of nearfar hands on.)
template <class... Parts>
[[noreturn]] void reject(Parts const&... parts) {
  throw Error(Fault::bad_input, in_words(parts...));
}

}  // namespace nearfar
