// SPDX-License-Identifier: BSD-3-Clause
// What the handles of the C API are. Functions for one are in the file named like it.
#pragma once

#include "bindings/c/errors.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>
#include <nearfar/poisson.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

struct nearfar_runtime {
  nearfar::Runtime runtime;
  std::vector<nearfar::Worker> workers = runtime.workers();
  std::string scheduler = runtime.scheduler(), version = runtime.version();
};

struct nearfar_plan {
  std::variant<nearfar::Ewald, nearfar::EwaldSingle, nearfar::Fmm, nearfar::FmmSingle> plan;
};

struct nearfar_points {
  std::variant<nearfar::Points, nearfar::PointsSingle, nearfar::FmmPoints, nearfar::FmmPointsSingle> points;
};

struct nearfar_poisson {
  std::variant<nearfar::Poisson, nearfar::PoissonSingle> plan;
};

struct nearfar_solve {
  nearfar::Solve solve;
  std::optional<nearfar::SolveReport> report{};  ///< kept for its stages
};

namespace nearfar::c {

inline nearfar_runtime const& expect_runtime(nearfar_runtime const* runtime) {
  return expect(runtime, "runtime", "what nearfar_runtime_create stored");
}
template <class Plan>
Plan& expect_plan(Plan* plan) {
  constexpr bool poisson = std::is_same_v<std::remove_const_t<Plan>, nearfar_poisson>;
  return expect(
      plan, "plan",
      poisson ? "what nearfar_poisson_create stored" : "what nearfar_ewald_create or nearfar_fmm_create stored");
}
inline nearfar_points const& expect_points(nearfar_points const* points, char const* argument = "points") {
  return expect(points, argument, "what nearfar_set_points or nearfar_move_points stored");
}
template <class Solve>
Solve& expect_solve(Solve* solve) {
  return expect(solve, "solve", "what a submit function stored");
}

/// Stores a new handle of the caller's.
template <class Handle, class... Parts>
void store(Handle** place, char const* argument, Parts&&... parts) {
  Handle*& handle = expect_place(place, argument);  // throws before there is one
  handle = new Handle{std::forward<Parts>(parts)...};
}

/// An array of the caller's: numbers of type T, const or not.
template <class T, class Memory>
std::span<T> numbers(Memory* first, std::size_t length, char const* argument) {
  expect_possible(length, sizeof(T), argument, "numbers");
  if (first == nullptr && length > 0)
    throw Error(Fault::bad_input, std::string(argument) + " is NULL, but its length is " + std::to_string(length) +
                                      "; pass an array of so many numbers");
  return {static_cast<T*>(first), length};
}

/// The caller's points: rows of 3 numbers.
template <class T>
std::span<T const> positions(void const* first, std::size_t count, char const* argument) {
  expect_possible(count, 3 * sizeof(T), argument, "points");
  return numbers<T const>(first, 3 * count, argument);
}

void fill(SolveReport const& from, nearfar_report& to);  ///< solve.cpp

}  // namespace nearfar::c
