// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
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

/// The key of a stage without symbol() of its own: its name; "in_single" where a second precision is narrower than the
/// first; the symbols of the kernels, or parts of kernels, that it is compiled for; its precision.
template <class S>
struct ModelSymbol {
  static std::string text() { return std::string("nearfar_") + S::name; }
};
template <template <class...> class S, std::floating_point T, class... Of>
struct ModelSymbol<S<T, Of...>> {
  static std::string text() {
    std::string key = std::string("nearfar_") + S<T, Of...>::name;
    if ((is_narrower<Of>() || ...)) key += "_in_single";
    (add_symbol<Of>(key), ...);
    return key + precision_suffix<T>();
  }

 private:
  template <class P>
  static constexpr bool is_narrower() {
    if constexpr (std::floating_point<P>) return sizeof(P) < sizeof(T);
    else return false;
  }
  template <class P>
  static void add_symbol(std::string& key) {
    if constexpr (!std::floating_point<P>) key.append("_").append(P::symbol);
  }
};

/// The key of a stage's cost model.
template <class S>
char const* symbol_of() {
  if constexpr (requires { S::symbol(); }) return S::symbol();
  else {
    static std::string const& text = *new std::string(ModelSymbol<S>::text());  // StarPU keeps it until it ends
    return text.c_str();
  }
}

}  // namespace nearfar
