// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"
#include "core/math/function.hpp"

#include <cstdint>
#include <span>

namespace nearfar {

/// The longest rows of any kernel, which sizes arrays of stages; the list of kernels checks them (kernels.hpp).
inline constexpr int max_strengths = 9, max_results = 13, max_row = 13;
inline constexpr int max_strength_fields = 3, max_derivatives = 2, max_layers = 2;

/// Powers of k by which modes are multiplied beside the multiplier, of any kernel and output (KernelDescription).
inline constexpr int max_powers = 4;

/// Which numbers of a row scale alike: those of one field of strengths, or of one derivative of results. Plain data for
/// arguments of tasks.
struct RowShape {
  std::int8_t numbers = 1, groups = 1;
  std::int8_t group[max_row] = {};
};

/// How strengths make results (Layer). Plain data for arguments of tasks.
struct UnitShape {
  RowShape strengths;
  std::int8_t layers = 1;
  struct {
    std::int8_t first = 0, fields = 1, decay = 1;
  } layer[max_layers];
};

constexpr RowShape shape_of_strengths(std::span<Field const> fields) {
  RowShape shape{0, 0, {}};
  for (Field const& field : fields) {
    for (int i = 0; i < field.size(); ++i) shape.group[shape.numbers++] = shape.groups;
    ++shape.groups;
  }
  return shape;
}

constexpr RowShape shape_of_results(std::span<Field const> fields) {
  RowShape shape{0, 0, {}};
  for (Field const& field : fields) {
    for (int i = 0; i < field.size(); ++i) shape.group[shape.numbers++] = std::int8_t(field.derivative);
    if (shape.groups <= field.derivative) shape.groups = std::int8_t(field.derivative + 1);
  }
  return shape;
}

}  // namespace nearfar
