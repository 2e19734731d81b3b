// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tasks/problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace nearfar::test {

/// Random points in the unit box, all within it.
template <class T = double>
Problem<T> inside_unit_box(std::size_t n, int components, unsigned seed = 1) {
  Problem<T> p(n, components, seed);
  for (T& v : p.x) v = (v + T(0.1)) / T(1.2);
  return p;
}

/// One way for points to move, within the unit box.
template <class T>
struct Motion {
  char const* name;
  std::function<void(std::vector<T>& x)> move;
};

template <class T = double>
std::vector<Motion<T>> motions() {
  return {{"nothing moves", [](auto&) {}},
          {"a little",
           [](auto& x) {
             for (T& v : x) v += T(1e-6) * (T(0.5) - v);
           }},
          {"one point crosses", [](auto& x) { x[3] = x[3] < T(0.5) ? x[3] + T(0.4) : x[3] - T(0.4); }},
          {"a diffusing step",
           [](auto& x) {
             std::mt19937 random(7);
             for (T& v : x) v = std::clamp(v + T(0.02) * (T(random()) / T(4294967296.0) - T(0.5)), T(0), T(0.999));
           }},
          {"all shuffle", [](auto& x) { x = inside_unit_box<T>(x.size() / 3, 0, 5).x; }},
          {"into a corner", [](auto& x) {
             for (T& v : x) v = T(0.9) + T(0.05) * v;
           }}};
}

/// What Error{bad_input} says.
inline std::string refusal_of(std::function<void()> const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.fault() == Fault::bad_input ? e.what() : "another fault";
  }
  return "nothing was refused";
}

}  // namespace nearfar::test
