// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/fft.hpp"

#include "codelets/spectral/fft/padded_plane.hpp"
#include "core/math/expects.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <complex>

namespace nearfar {

namespace {

/// Plans for aligned data would crash or give wrong results on a slab that is not aligned.
template <class T>
void expect_aligned(LayoutPlans<T> const& plans, T const* p) {
  if (plans.aligned_slabs && !is_aligned_for_transforms<T>(p))
    throw Error(Fault::bug, "a slab is not aligned for its transforms (whose plans were made for aligned ones)");
}

/// Calls visit(group, place in its tile, place among the modes of the plane, columns) for each contiguous stretch of a
/// plane's modes that lies within one tile.
template <class Visit>
void for_each_stretch(SpectralLayout const& l, int component, int planes, int plane, Visit visit) {
  int group = 0, first = 0, last = l.first_column(1);  // columns of the group
  auto const split = [&](int column, std::int64_t mode, int count) {
    for (int const end = column + count; column < end;) {
      while (last <= column) {
        first = last;
        last = l.first_column(++group + 1);
      }
      int const all = last - first, here = std::min(end, last) - column;
      visit(group, (std::int64_t(component) * planes + plane) * all + column - first, mode, here);
      column += here;
      mode += here;
    }
  };
  if (by_rows(l) || l.has_all_modes()) return split(0, 0, l.column_count());
  for (int s = 0; s < l.sections; ++s)
    for (int i = 0, width = l.section_width(s); i < l.section[s].rows; ++i)
      split(l.section[s].before + i * width, std::int64_t(l.section_row(s, i)) * l.modes_z() + l.section[s].first_z,
            width);
}

/// Clears the modes of a plane, [y][z], that belong to no section: for each y, those after the last section's.
template <class Complex>
void clear_left_out(SpectralLayout const& l, Complex* modes) {
  for (int y = 0; y < l.size[1]; ++y, modes += l.modes_z()) {
    int s = 0;
    while (s < l.sections && l.place_of_row(s, y) >= 0) ++s;
    std::fill(modes + l.section[s].first_z, modes + l.modes_z(), Complex());
  }
}

}  // namespace

template <class T>
void Fft<T>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  SpectralLayout const& l = args.layout;
  EXPECTS(args.slab >= 0 && args.slab < l.slabs, args.slab, l.slabs);
  auto const& plans = layout_plans<T>(l);
  int const planes = l.planes(args.slab);
  auto* modes = b.get<Complex>(1);
  expect_aligned(plans, b.get<T>(0));
  for (int m = 0; m < args.components; ++m) {
    for (int p = 0; p < planes; ++p) {
      T* plane = b.get<T>(0) + (std::int64_t(m) * planes + p) * l.plane_size();
      if (by_rows(l)) PaddedPlane<T>(l, plans, modes).forward(plane);
      else {
        plans.forward_rows(plane, modes);
        plans.of_plane.forward(modes);
      }
      for_each_stretch(l, m, planes, p, [&](int group, std::int64_t at, std::int64_t mode, int count) {
        std::copy_n(modes + mode, count, b.get<Complex>(2, group) + at);
      });
    }
  }
}

template <class T>
void Ifft<T>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  SpectralLayout const& l = args.layout;
  auto const& plans = layout_plans<T>(l);
  int const planes = l.planes(args.slab), length = l.row_length;
  auto* modes = b.get<Complex>(1);
  expect_aligned(plans, b.get<T>(2));
  for (int m = 0; m < args.components; ++m) {
    for (int p = 0; p < planes; ++p) {
      if (!by_rows(l)) clear_left_out(l, modes);
      for_each_stretch(l, m, planes, p, [&](int group, std::int64_t at, std::int64_t mode, int count) {
        std::copy_n(b.get<Complex const>(0, group) + at, count, modes + mode);
      });
      T* plane = b.get<T>(2) + (std::int64_t(m) * planes + p) * l.plane_size();
      if (by_rows(l)) PaddedPlane<T>(l, plans, modes).inverse(plane);
      else {
        plans.of_plane.inverse(modes);
        plans.inverse_rows(modes, plane);
      }
      for (int y = 0; y < l.size[1]; ++y) {
        T* row = plane + std::int64_t(y) * length;
        std::copy_n(row, l.ghosts, row + l.size[2]);
        std::fill(row + l.size[2] + l.ghosts, row + length, T(0));  // read by whole vectors, with weight zero
      }
      std::copy_n(plane, std::int64_t(l.ghosts) * length, plane + std::int64_t(l.size[1]) * length);
    }
  }
}

template struct Fft<double>;
template struct Fft<float>;
template struct Ifft<double>;
template struct Ifft<float>;

}  // namespace nearfar
