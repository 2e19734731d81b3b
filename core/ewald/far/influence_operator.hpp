// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/green.hpp"
#include "core/kernels/kernels.hpp"
#include "core/spectral/mode_operators.hpp"

#include <string>

namespace nearfar {

/// A kernel's far part by its influence function, a table of the numbers that Far::table names
/// (core/ewald/far/influence.hpp) for wave vectors without negative components.
template <class T, class Far>
struct InfluenceOperator {
  using Number = T;
  static constexpr int in = Far::in, out = Far::out;
  static constexpr int numbers = Far::table.numbers();
  static constexpr bool falls = false;
  static constexpr bool is_rare = true;
  static std::string name() { return "table_" + std::string(Far::name); }

  NEARFAR_FUNCTION void apply(T const* m, Mode<T> const& mode, T* re, T* im) const {
    Far::apply(TableGreen<T, Far::table>{m, mode.k}, re, im);
  }
};

}  // namespace nearfar
