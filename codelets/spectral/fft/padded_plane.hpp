// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/layout_plans.hpp"

#include <algorithm>
#include <complex>

namespace nearfar {

/// The transforms of a plane whose y direction is free: rows first, then columns, each as long as the
/// padding of its section. Zero rows are only transformed where something has been added to them.
template <class T>
class PaddedPlane {
 public:
  using Complex = std::complex<T>;

  /// `scratch` as described by PlaneScratch; the modes of the plane are at its beginning.
  PaddedPlane(SpectralLayout const& layout, LayoutPlans<T> const& plans, Complex* scratch)
      : layout_(layout), plans_(plans), place_(layout), modes_(scratch), rows_(scratch + place_.row_modes),
        batch_(scratch + place_.batch), row_(reinterpret_cast<T*>(scratch + place_.row)) {}

  void forward(T* plane) {
    int const length = layout_.size[2];
    if (layout_.free == 2) {
      plans_.forward_rows(plane, rows_);
    } else {
      std::fill(row_ + length, row_ + layout_.row_transform(), T(0));
      for (int y = 0; y < layout_.size[1]; ++y) {
        std::copy_n(plane + std::int64_t(y) * layout_.row_length, length, row_);
        plans_.forward_rows(row_, rows_ + y * place_.row_stride);
      }
    }
    for_each_batch([&](Complex* rows, int first_z, int n, int count) {
      for (int y = 0; y < layout_.size[1]; ++y)
        copy_row(rows + y * place_.row_stride, batch_ + y * column_batch, count);
      std::fill(batch_ + layout_.size[1] * column_batch, batch_ + std::int64_t(n) * column_batch, Complex());
      plans_.columns.at(n).forward(batch_);
      for_each_stretch(first_z, count,
                       [](Complex* mode, Complex* in_batch, int modes) { std::copy_n(in_batch, modes, mode); });
    });
  }

  void inverse(T* plane) {
    int const end = layout_.section[layout_.sections].first_z;
    for (int y = 0; y < layout_.size[1]; ++y)
      std::fill(rows_ + y * place_.row_stride + end, rows_ + y * place_.row_stride + layout_.modes_z(), Complex());
    for_each_batch([&](Complex* rows, int first_z, int n, int count) {
      std::fill_n(batch_, std::int64_t(n) * column_batch, Complex());
      for_each_stretch(first_z, count,
                       [](Complex* mode, Complex* in_batch, int modes) { std::copy_n(mode, modes, in_batch); });
      plans_.columns.at(n).inverse(batch_);
      for (int y = 0; y < layout_.size[1]; ++y)
        std::copy_n(batch_ + y * column_batch, count, rows + y * place_.row_stride);
    });
    if (layout_.free == 2) return plans_.inverse_rows(rows_, plane);
    for (int y = 0; y < layout_.size[1]; ++y) {
      plans_.inverse_rows(rows_ + y * place_.row_stride, row_);
      std::copy_n(row_, layout_.size[2], plane + std::int64_t(y) * layout_.row_length);
    }
  }

 private:
  /// Unused columns of a batch are zero: transforming them is harmless.
  static void copy_row(Complex const* from, Complex* to, int count) {
    std::fill(std::copy_n(from, count, to), to + column_batch, Complex());
  }

  /// Calls visit(first row mode, its z, length, columns) for up to column_batch columns of one padding.
  template <class Visit>
  void for_each_batch(Visit visit) {
    for (int s = 0; s < layout_.sections;) {
      int const padding = layout_.section[s].padding;
      int z = layout_.section[s].first_z;
      while (s < layout_.sections && layout_.section[s].padding == padding) ++s;
      for (int const end = layout_.section[s].first_z; z < end; z += column_batch)
        visit(rows_ + z, z, layout_.padding[padding].size[1], std::min(column_batch, end - z));
    }
  }

  /// Calls visit(first mode, the same in the batch, modes) for the modes in sections at each y of a batch.
  template <class Visit>
  void for_each_stretch(int first_z, int count, Visit visit) {
    for (int s = 0; s < layout_.sections; ++s) {
      Section const& section = layout_.section[s];
      int const width = layout_.section_width(s), first = std::max<int>(first_z, section.first_z),
                modes = std::min(first_z + count, section.first_z + width) - first;
      Complex* const in_section = modes_ + section.before + first - section.first_z;
      for (int i = 0; modes > 0 && i < section.rows; ++i)
        visit(in_section + std::int64_t(i) * width,
              batch_ + std::int64_t(layout_.section_row(s, i)) * column_batch + first - first_z, modes);
    }
  }

  SpectralLayout const& layout_;
  LayoutPlans<T> const& plans_;
  PlaneScratch place_;
  Complex *modes_, *rows_, *batch_;
  T* row_;
};

}  // namespace nearfar
