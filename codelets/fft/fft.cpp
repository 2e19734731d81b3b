// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fft/fft.hpp"

#include "codelets/fft/padded_plane.hpp"
#include "codelets/names.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <complex>

namespace nearfar {

namespace {

/// The plans are for aligned buffers; a runtime that gave others would make FFTW crash or be wrong.
template <class T>
void expect_aligned(T const* p) {
  if (Fftw<T>::alignment(const_cast<T*>(p)) != 0)
    throw Error(Fault::bug, "a buffer is not aligned for FFTW (its plans were made for aligned ones)");
}

/// Calls visit(tile row, mode row of the plane, columns) for each stretch of a plane's modes that lies in one tile.
template <class Visit>
void for_each_tile(Grid const& g, int component, int planes, int plane, Visit visit) {
  for (int group = 0; group < g.columns; ++group) {
    int const columns = g.columns_in(group);
    visit(group, (std::int64_t(component) * planes + plane) * columns, g.first_column(group), columns);
  }
}

}  // namespace

template <class T>
char const* Fft<T>::symbol() {
  static std::string const s = "nearfar_fft" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Fft<T>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  Grid const& g = args.grid;
  auto const& plans = grid_plans<T>(g);
  int const planes = g.planes(args.slab);
  auto* modes = b.get<Complex>(1);
  expect_aligned(b.get<T>(0));
  for (int m = 0; m < args.components; ++m) {
    for (int p = 0; p < planes; ++p) {
      T* plane = b.get<T>(0) + (std::int64_t(m) * planes + p) * g.plane_size();
      if (by_rows(g)) PaddedPlane<T>(g, plans, modes).forward(plane);
      else transform_forward(plans.forward_plane, plane, modes);
      for_each_tile(g, m, planes, p, [&](int group, std::int64_t at, int first, int columns) {
        std::copy_n(modes + first, columns, b.get<Complex>(2, group) + at);
      });
    }
  }
}

template <class T>
char const* Ifft<T>::symbol() {
  static std::string const s = "nearfar_ifft" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Ifft<T>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  Grid const& g = args.grid;
  auto const& plans = grid_plans<T>(g);
  int const planes = g.planes(args.slab), length = g.row_length();
  auto* modes = b.get<Complex>(1);
  expect_aligned(b.get<T>(2));
  for (int m = 0; m < args.components; ++m) {
    for (int p = 0; p < planes; ++p) {
      for_each_tile(g, m, planes, p, [&](int group, std::int64_t at, int first, int columns) {
        std::copy_n(b.get<Complex const>(0, group) + at, columns, modes + first);
      });
      T* plane = b.get<T>(2) + (std::int64_t(m) * planes + p) * g.plane_size();
      if (by_rows(g)) PaddedPlane<T>(g, plans, modes).inverse(plane);
      else transform_inverse(plans.inverse_plane, modes, plane);
      for (int y = 0; y < g.size[1]; ++y) {
        T* row = plane + std::int64_t(y) * length;
        std::copy_n(row, g.window, row + g.size[2]);
        std::fill(row + g.size[2] + g.window, row + length, T(0));  // read by whole vectors, with weight zero
      }
      std::copy_n(plane, std::int64_t(g.window) * length, plane + std::int64_t(g.size[1]) * length);
    }
  }
}

template struct Fft<double>;
template struct Fft<float>;
template struct Ifft<double>;
template struct Ifft<float>;

}  // namespace nearfar
