// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Shifts of expansions by their addition theorems, O(order^4) (fmm.md, Sec. 1.2): the reference for tests of the
/// fast forms. All lengths in one unit; packed storage; results are added to `out`. Plain functions, thread-safe.

/// M about a new centre; t = old centre - new centre.
template <class T>
void shift_multipole(int order, T const t[3], T const* multipole, T* out);

/// L about B from M about A; d = B - A.
template <class T>
void multipole_to_local(int order, T const d[3], T const* multipole, T* out);

/// The same, given the irregular harmonics of degree 0 .. 2 order: of one vector, or summed over a lattice.
template <class T>
void multipole_to_local_with(int order, double const* irregular, T const* multipole, T* out);

/// L about a new centre; s = new centre - old centre.
template <class T>
void shift_local(int order, T const s[3], T const* local, T* out);

}  // namespace nearfar
