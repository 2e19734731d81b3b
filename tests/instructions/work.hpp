// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nearfar::test {

/// A piece of work, with all its data.
struct Work {
  std::string title;
  char const* unit;
  double units;
  std::function<void()> run;
};

/// The data are what `body` has captured; copies share them.
template <class Body>
Work make_work(std::string title, char const* unit, double units, Body body) {
  auto const kept = std::make_shared<Body>(std::move(body));
  return {std::move(title), unit, units, [kept] { (*kept)(); }};
}

/// "double" or "single"
template <class T>
std::string precision() {
  return sizeof(T) == 8 ? "-double" : "-single";
}

// In workloads_*.cpp: small and fixed pieces of work for every stage, the bodies called without a runtime.
std::vector<Work> near_work();
std::vector<Work> grid_work();
std::vector<Work> multipole_work();

}  // namespace nearfar::test
