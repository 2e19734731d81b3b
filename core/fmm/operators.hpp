// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/packed.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar {

/// Rows of a rotation matrix are multiplied several at a time, in panels in which the entries of a column are
/// adjacent. Returns the rows of the panel that begins `left` rows before the end: panels are as even as possible.
inline constexpr int max_panel_rows = 6;
NEARFAR_FUNCTION constexpr int rows_of_panel(int left) {
  int const panels = (left + max_panel_rows - 1) / max_panel_rows;
  return (left + panels - 1) / panels;
}

/// Numbers in the rotation matrices of all degrees below `degrees`: degree n has (n+1)^2 for
/// the real parts, then n^2 for the imaginary ones, each matrix cut into panels of rows.
NEARFAR_FUNCTION constexpr int panel_offset(int degrees) { return degrees * (2 * degrees * degrees + 1) / 3; }

/// A shift along one vector (fmm.md, Sec. 1.5): rotate the frame so that the vector points along z, shift along z,
/// rotate back. A rotation about z by the vector's longitude, then one about y; signs and scales are in the matrices.
template <class T>
struct AxialOperator {
  T const* phase[2];  ///< for even and for odd degrees: cosine and sine of m times the longitude, m = 0 .. order
  T const* forward;   ///< matrices of the rotation about y, to z
  T const* backward;  ///< and of the reverse
  T const*
      shift;  ///< of the shift along z, by j + k (M2L), n - k (M2M) or k - n (L2L); may be negative, down to -order
};

/// The table of M2M, M2L and L2L, in one vector of T without pointers (it starts
/// with integers). Vectors are those of core/tree/vectors.hpp, octants those of
/// octant_of; the unit is half the edge of the boxes (of the parents, for octants).
template <class T>
class FmmOperators {
 public:
  NEARFAR_FUNCTION explicit FmmOperators(T const* data)
      : data_(data), word_(reinterpret_cast<std::int32_t const*>(data)), order_(word_[0]) {}

  NEARFAR_FUNCTION int order() const { return order_; }
  NEARFAR_FUNCTION int separation() const { return word_[1]; }

  NEARFAR_FUNCTION AxialOperator<T> multipole_to_local(int vector) const {
    std::int32_t const* const w = word_ + head + 2 * vector;
    T const* const matrices = data_ + w[0];
    int const size = panel_offset(order_ + 1);
    AxialOperator<T> a = with_phase(w[1]);
    a.forward = matrices;
    a.backward = matrices + size;
    a.shift = matrices + 2 * size;
    return a;
  }
  NEARFAR_FUNCTION AxialOperator<T> multipole_to_multipole(int octant) const { return octant_operator(octant, 0); }
  NEARFAR_FUNCTION AxialOperator<T> local_to_local(int octant) const { return octant_operator(octant, 1); }

  static constexpr int head = 4;  ///< words: order, separation, where the octants' matrices and phases begin

 private:
  NEARFAR_FUNCTION AxialOperator<T> with_phase(int at) const {
    // Below the plane: the operator of the mirrored vector, between two reflections, which only change signs.
    T const* const phase = data_ + (at < 0 ? -at : at);
    int const size = 2 * (order_ + 1);
    if (at < 0) return {{phase + size, phase + 2 * size}, nullptr, nullptr, nullptr};
    return {{phase, phase}, nullptr, nullptr, nullptr};
  }
  NEARFAR_FUNCTION AxialOperator<T> octant_operator(int octant, int kind) const {
    T const* const matrices = data_ + word_[2];
    int const size = panel_offset(order_ + 1), phase = word_[3] + (octant >> 1) * 6 * (order_ + 1);
    AxialOperator<T> a = with_phase((octant & 1) != 0 ? phase : -phase);
    a.forward = matrices + 2 * kind * size;
    a.backward = a.forward + size;
    a.shift = matrices + 4 * size + order_;
    return a;
  }

  T const* data_;
  std::int32_t const* word_;
  int order_;
};

/// The tables for one order and separation (1 or 2), and boxes whose edges have the ratios `aspect` to
/// the longest: about 0.5 MB in double at order 10 and separation 1, 4 MB at order 20. Thread-safe.
template <class T>
std::vector<T> make_fmm_operators(int order, int separation, std::array<double, 3> const& aspect = {1, 1, 1});

}  // namespace nearfar
