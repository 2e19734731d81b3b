// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"
#include "core/spectral/mode_operators.hpp"

namespace nearfar {

/// The modes of a column, one after the other, and where their numbers are in a table (ModeTable): written once for
/// hosts and devices.
template <class T>
class ColumnModes {
 public:
  /// Of a column whose transform along x has n modes.
  NEARFAR_FUNCTION ColumnModes(SpectralLayout const& l, ModeColumn const& column, int n)
      : layout_(l), length_(n), unit_(l.mode_unit(0, n)) {
    int const ny = l.transform(1, column.padding), nz = l.row_transform();
    double const y = l.mode_unit(1, ny) * signed_mode(column.y, ny), z = l.mode_unit(2, nz) * column.z;
    mode_.k[1] = T(y);
    mode_.k[2] = T(z);
    mode_.slope[1] = 2 * column.y == ny ? T(0) : mode_.k[1];
    mode_.slope[2] = 2 * column.z == nz ? T(0) : mode_.k[2];
    mode_.paired = column.z > 0 && 2 * column.z != nz;
    yz_ = mode_.k[1] * mode_.k[1] + mode_.k[2] * mode_.k[2];
    if (l.skewed)
      for (int c = 0; c < 3; ++c) at_zero_[c] = y * l.slant[1][c] + z * l.slant[2][c];
  }

  /// Mode x, which may be negative.
  NEARFAR_FUNCTION Mode<T> const& at(int x) {
    if (layout_.skewed) return lean(x);
    mode_.k[0] = T(unit_ * x);
    mode_.slope[0] = 2 * x == length_ ? T(0) : mode_.k[0];
    mode_.squared = mode_.k[0] * mode_.k[0] + yz_;
    return mode_;
  }

  /// Its place in a row of the table: modes x and -x share their numbers but in skewed cells.
  NEARFAR_FUNCTION int place(int x) const { return x >= 0 ? x : layout_.skewed ? x + length_ : -x; }

 private:
  NEARFAR_FUNCTION Mode<T> const& lean(int x) {
    for (int c = 0; c < 3; ++c) mode_.k[c] = mode_.slope[c] = T(at_zero_[c] + unit_ * x * layout_.slant[0][c]);
    mode_.squared = mode_.k[0] * mode_.k[0] + (mode_.k[1] * mode_.k[1] + mode_.k[2] * mode_.k[2]);
    return mode_;
  }

  SpectralLayout const& layout_;
  int length_;
  double unit_;  // of k_x
  T yz_;         // k_y^2 + k_z^2
  double at_zero_[3] = {};
  Mode<T> mode_{};
};

}  // namespace nearfar
