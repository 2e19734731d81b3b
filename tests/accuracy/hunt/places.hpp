// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/hunt/draw.hpp"
#include "tests/oracle/oracle.hpp"

#include <array>
#include <string>
#include <vector>

namespace nearfar::hunt {

/// Points in a box, which some of them may stretch to fit.
struct Places {
  std::string name;
  oracle::Box box{1, 1, 1};
  std::vector<double> x;                  // rows
  std::vector<int> kind;                  // of ion; else 0 and 1 by turns
  std::vector<std::array<int, 3>> plane;  // across each axis, where they lie on planes

  std::size_t count() const { return x.size() / 3; }
  void add(std::array<double, 3> const& at, int kind_of_it, std::array<int, 3> const& planes = {});
};

/// Clouds, clusters, pairs, lines, planes, shells, points over many scales: up to about `most`.
Places scattered(Draw& draw, oracle::Box const& box, int most);

/// A crystal, or a piece of one, whole or with ions, cells or layers missing or out of place.
Places crystal(Draw& draw, int most, bool cubic);

}  // namespace nearfar::hunt
