// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_body.hpp"
#include "core/kernels/pairs/force.hpp"

namespace nearfar {

/// Sums of a task over pairs of a target and an image of a source: 3 a + b is that of f_a s_b, with f the force on the
/// target and s what the image's coordinates are shifted by.
inline constexpr int image_sums = 9;

/// A pair and its mirror image have opposite forces and shifts: one of the two is summed. The third row of a lattice
/// alone has a third component, and the second a second: the last component has the sign of the number of edges.
template <class T>
NEARFAR_FUNCTION bool is_summed_image(T const* shift) {
  for (int d = 2; d >= 0; --d)
    if (shift[d] != T(0)) return shift[d] > T(0);
  return false;
}

/// Whether sources in cells from low to high along an axis may be shifted up for targets among them.
NEARFAR_FUNCTION bool may_hold_images(Cells const& c, int axis, int low, int high) {
  int const apart = apart_cells(c, axis);
  return (c.periodic[axis] && high >= c.count[axis]) || (low < apart && high >= apart);
}

/// Whether a column of sources may hold an image that is summed for targets of this number along z: few do, and what
/// cannot is never searched.
NEARFAR_FUNCTION bool may_hold_images(Cells const& c, Column const& column, int z) {
  return may_hold_images(c, 2, z + column.low, z + column.high) || is_summed_image(column.shift);
}

/// Whether any column around a cell may: without a shift up along any axis none is summed.
NEARFAR_FUNCTION bool images_around(Cells const& c, ColumnReach const& reach, int const cell[3]) {
  for (int d = 0; d < 3; ++d)
    if (may_hold_images(c, d, cell[d] - reach.cells[d], cell[d] + reach.cells[d])) return true;
  return false;
}

/// Adds what a run of sources adds for one target.
template <class K, class T, class A>
NEARFAR_FUNCTION void add_image_run(NearKernel<T> const& near, T const* x, A const* own, SourceView<A> const& source,
                                    int first, int last, T const* shift, double* sum) {
  constexpr EnergyStrengths at = energy_strengths_of<K>;
  T u[result_row(K::results)] = {};
  p2p_run<K>(near, x, source, first, last, shift, u);
  for (int a = 0; a < 3; ++a) {
    double const force = force_along<double>(
        at, a, [&](int c) { return double(own[PackedSource<T, A>::first_strength + c]); },
        [&](int m) { return double(u[m]); });
    for (int b = 0; b < 3; ++b) sum[3 * a + b] += force * double(shift[b]);
  }
}

}  // namespace nearfar
