// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

namespace nearfar {

/// One Fourier mode as an operator sees it.
template <class T>
struct Mode {
  T k[3];               ///< wave vector; the highest mode of an even transform counts as positive
  T slope[3];           ///< i times this differentiates: k, but 0 at that highest mode, whose sign is not defined
  T squared;            ///< k^2
  bool paired = false;  ///< stands for -k, too: the transform of a real field has one of the two
};

/// A mode operator is plain data, copied into tasks, with
/// - `Number`, the precision; `in` and `out`, the components that it takes and gives;
/// - `numbers`, how many of a table a mode has;
/// - `falls`: multipliers go down to zero along a column, so that one whose first two are zero has no others (its modes
///   are set to zero and not transformed);
/// - `name()` for cost models;
/// - `apply(multipliers, mode, re, im)`: `in` complex numbers come in, `out` go out in their place. `multipliers` are
///   the mode's numbers in a table (ModeTable) and hold all scaling, that of the transforms too, which are not
///   normalised.
/// One that also sums something over modes has `sums`, how many numbers, and
/// - `add(multipliers, mode, re, im, sums)`: adds to them what the mode has before `apply`.
/// What it does to k = 0 and to the highest modes of even transforms is its own affair, by the table or the code.

/// How many numbers an operator sums over modes.
template <class Operator>
constexpr int sums_of() {
  if constexpr (requires { Operator::sums; }) return Operator::sums;
  else return 0;
}

namespace detail {

/// -i k phi of one mode.
template <class T>
NEARFAR_FUNCTION void field_of(Mode<T> const& mode, T phi_re, T phi_im, T* re, T* im) {
  for (int d = 0; d < 3; ++d) {
    re[d] = mode.slope[d] * phi_im;
    im[d] = -mode.slope[d] * phi_re;
  }
}

}  // namespace detail

/// A Poisson problem's potential: the table is the transform of the Green's function, k = 0 included.
template <class T>
struct PotentialOperator {
  using Number = T;
  static constexpr int in = 1, out = 1;
  static constexpr int numbers = 1;
  static constexpr bool falls = false;
  static constexpr char const* name() { return "potential"; }

  NEARFAR_FUNCTION void apply(T const* multiplier, Mode<T> const&, T* re, T* im) const {
    re[0] *= *multiplier;
    im[0] *= *multiplier;
  }
};

/// Its field -grad phi, by our axes.
template <class T>
struct FieldOperator {
  using Number = T;
  static constexpr int in = 1, out = 3;
  static constexpr int numbers = 1;
  static constexpr bool falls = false;
  static constexpr char const* name() { return "field"; }

  NEARFAR_FUNCTION void apply(T const* multiplier, Mode<T> const& mode, T* re, T* im) const {
    detail::field_of(mode, *multiplier * re[0], *multiplier * im[0], re, im);
  }
};

/// Both: the potential, then the field.
template <class T>
struct PotentialAndFieldOperator {
  using Number = T;
  static constexpr int in = 1, out = 4;
  static constexpr int numbers = 1;
  static constexpr bool falls = false;
  static constexpr char const* name() { return "potential_and_field"; }

  NEARFAR_FUNCTION void apply(T const* multiplier, Mode<T> const& mode, T* re, T* im) const {
    re[0] *= *multiplier;
    im[0] *= *multiplier;
    detail::field_of(mode, re[0], im[0], re + 1, im + 1);
  }
};

}  // namespace nearfar
