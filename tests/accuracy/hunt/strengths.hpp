// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/hunt/places.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar::hunt {

struct Strengths {
  std::string name;
  std::vector<double> rows;
};

/// Random ones, or with a pattern: equal, by ion, by turns, in layers, in waves, few among zeros, of many sizes.
Strengths strengths(Draw& draw, Kernel kernel, Places const& places);

}  // namespace nearfar::hunt
