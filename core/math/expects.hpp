// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

/// \file
/// EXPECTS(condition, values...): what the code takes for granted of its caller, another part of nearfar. Where
/// NEARFAR_CHECKS is defined, a condition that does not hold ends the program with the condition, the values with their
/// names, file and line, on hosts and devices; elsewhere it costs nothing. What users give is checked by throwing
/// Error.

namespace nearfar::detail {

template <class... Values>
[[noreturn]] void expectation_failed(char const* condition, char const* names, char const* file, int line,
                                     Values const&... values) {
  std::ostringstream text;
  text << file << ':' << line << ": expected " << condition;
  if constexpr (sizeof...(values) > 0) {
    text << "; " << names << " =";
    ((text << ' ' << +values), ...);
  }
  std::fprintf(stderr, "nearfar: %s (a defect of nearfar)\n", text.str().c_str());
  std::abort();
}

}  // namespace nearfar::detail

#if !defined(NEARFAR_CHECKS)
#define EXPECTS(condition, ...) static_cast<void>(0)
#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define EXPECTS(condition, ...)                                                \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("nearfar: %s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      __builtin_trap();                                                        \
    }                                                                          \
  } while (false)
#else
#define EXPECTS(condition, ...)                                                            \
  ((condition) ? static_cast<void>(0)                                                      \
               : ::nearfar::detail::expectation_failed(#condition, #__VA_ARGS__, __FILE__, \
                                                       __LINE__ __VA_OPT__(, ) __VA_ARGS__))
#endif

namespace nearfar {

/// Ends the program where control never comes, such as after a switch over all values of an enumeration.
[[noreturn]] inline void unreachable(char const* what, int value) {
  std::fprintf(stderr, "nearfar: %s %d is not handled (a defect of nearfar)\n", what, value);
  std::abort();
}

}  // namespace nearfar
