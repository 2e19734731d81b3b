// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bindings/python/src/errors.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nearfar/nearfar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace nearfar::python {

/// Members of an options struct by name, from a dict; a name that is none of them raises TypeError.
class Options {
 public:
  explicit Options(nanobind::dict const& given) : given_(given) {}

  template <class T>
  Options& take(char const* name, T& member) {
    if (!given_.contains(name)) return *this;
    ++taken_;
    member = as<T>(name, std::is_floating_point_v<T> ? "a number" : "an integer" + up_to<T>());
    return *this;
  }
  template <class T, std::size_t N>
  Options& take(char const* name, T (&member)[N]) {
    if (!given_.contains(name)) return *this;
    ++taken_;
    std::ranges::copy(as<std::array<T, N>>(name, std::to_string(N) + " numbers" + up_to<T>()), member);
    return *this;
  }
  void expect_all_taken() const {
    if (taken_ != given_.size()) type_error("an option is not known to the library, though to the package");
  }

 private:
  template <class T>
  static std::string up_to() {
    if (std::is_floating_point_v<T>) return {};
    return " up to " + std::to_string(std::numeric_limits<T>::max());
  }
  template <class T>
  T as(char const* name, std::string const& right) const {
    T value;
    if (nanobind::try_cast<T>(given_[name], value)) return value;
    type_error(std::string(name) + " is " + nanobind::cast<std::string>(nanobind::repr(given_[name])) +
               ", which is no value of this option; pass " + right);
  }

  nanobind::dict given_;
  std::size_t taken_ = 0;
};

/// `stream`: the address of one after whose work a solve begins.
inline nearfar_submit_options submit_options(std::optional<std::uintptr_t> stream, int part = NEARFAR_PART_WHOLE) {
  nearfar_submit_options options;
  nearfar_submit_options_init(&options, sizeof options);
  options.part = part;
  options.after_stream = stream.has_value() ? 1 : 0;
  options.stream = reinterpret_cast<void*>(stream.value_or(0));
  return options;
}

template <class T, std::size_t N>
nanobind::tuple as_tuple(T const (&values)[N]) {
  nanobind::list all;
  for (auto const& value : values) all.append(value);
  return nanobind::tuple(all);
}

}  // namespace nearfar::python
