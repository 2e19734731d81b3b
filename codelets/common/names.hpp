// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace nearfar {

template <class T>
std::string precision_suffix() {
  return std::is_same_v<T, double> ? "_f64" : "_f32";
}

/// Key of a cost model: stage, kernel or part of one, and precision, since times of one say nothing about another.
template <class T>
std::string model_symbol(std::string const& stage, std::string_view of) {
  return "nearfar_" + stage + "_" + std::string(of) + precision_suffix<T>();
}

}  // namespace nearfar
