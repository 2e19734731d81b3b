// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/fftw_plans.hpp"

#include <algorithm>
#include <complex>

namespace nearfar {

/// FFTW takes pointers to non-const and its own complex type; FFTW_PRESERVE_INPUT holds the forward plans to reading.
template <class T>
void transform_forward(typename Fftw<T>::Plan plan, T* real, std::complex<T>* modes) {
  Fftw<T>::forward(plan, real, reinterpret_cast<typename Fftw<T>::Complex*>(modes));
}
template <class T>
void transform_inverse(typename Fftw<T>::Plan plan, std::complex<T>* modes, T* real) {
  Fftw<T>::inverse(plan, reinterpret_cast<typename Fftw<T>::Complex*>(modes), real);
}
template <class T>
void transform_columns(typename Fftw<T>::Plan plan, std::complex<T>* columns) {
  auto* c = reinterpret_cast<typename Fftw<T>::Complex*>(columns);
  Fftw<T>::complex(plan, c, c);
}

/// The transforms of a plane whose y direction is free: rows first, then columns, as long as the padding of each
/// section says. Zeros are only transformed where something has been added to them.
template <class T>
class PaddedPlane {
 public:
  using Complex = std::complex<T>;

  /// `scratch` as PlaneScratch describes it; the modes of the plane are at its beginning.
  PaddedPlane(SpectralLayout const& layout, FftwPlans<T> const& plans, Complex* scratch)
      : layout_(layout), plans_(plans), place_(layout), modes_(scratch), rows_(scratch + place_.row_modes),
        batch_(scratch + place_.batch), row_(reinterpret_cast<T*>(scratch + place_.row)) {}

  void forward(T* plane) {
    int const length = layout_.size[2];
    if (layout_.free == 2) {
      transform_forward(plans_.forward_plane, plane, rows_);
    } else {
      std::fill(row_ + length, row_ + layout_.row_transform(), T(0));
      for (int y = 0; y < layout_.size[1]; ++y) {
        std::copy_n(plane + std::int64_t(y) * layout_.row_length, length, row_);
        transform_forward(plans_.forward_plane, row_, rows_ + y * place_.row_stride);
      }
    }
    for_each_batch([&](Complex* modes, Complex* rows, int width, int n, int count) {
      for (int y = 0; y < layout_.size[1]; ++y)
        copy_row(rows + y * place_.row_stride, batch_ + y * column_batch, count);
      std::fill(batch_ + layout_.size[1] * column_batch, batch_ + std::int64_t(n) * column_batch, Complex());
      transform_columns<T>(plans_.columns.at(n).forward, batch_);
      for (int y = 0; y < n; ++y) std::copy_n(batch_ + y * column_batch, count, modes + std::int64_t(y) * width);
    });
  }

  void inverse(T* plane) {
    for_each_batch([&](Complex* modes, Complex* rows, int width, int n, int count) {
      for (int y = 0; y < n; ++y) copy_row(modes + std::int64_t(y) * width, batch_ + y * column_batch, count);
      transform_columns<T>(plans_.columns.at(n).inverse, batch_);
      for (int y = 0; y < layout_.size[1]; ++y)
        std::copy_n(batch_ + y * column_batch, count, rows + y * place_.row_stride);
    });
    if (layout_.free == 2) return transform_inverse(plans_.inverse_plane, rows_, plane);
    for (int y = 0; y < layout_.size[1]; ++y) {
      transform_inverse(plans_.inverse_plane, rows_ + y * place_.row_stride, row_);
      std::copy_n(row_, layout_.size[2], plane + std::int64_t(y) * layout_.row_length);
    }
  }

 private:
  /// The columns of a batch that are not there are zero: their transforms are harmless.
  static void copy_row(Complex const* from, Complex* to, int count) {
    std::fill(std::copy_n(from, count, to), to + column_batch, Complex());
  }

  /// Calls visit(first mode, first row mode, modes per y, length, columns) for up to column_batch columns of a section.
  template <class Visit>
  void for_each_batch(Visit visit) {
    Complex* modes = modes_;
    for (int s = 0; s < layout_.sections(); modes += layout_.section_columns(s), ++s) {
      int const width = layout_.section_width(s);
      for (int z = 0; z < width; z += column_batch)
        visit(modes + z, rows_ + layout_.section_z(s) + z, width, layout_.padding[s].size[1],
              std::min(column_batch, width - z));
    }
  }

  SpectralLayout const& layout_;
  FftwPlans<T> const& plans_;
  PlaneScratch place_;
  Complex *modes_, *rows_, *batch_;
  T* row_;
};

}  // namespace nearfar
