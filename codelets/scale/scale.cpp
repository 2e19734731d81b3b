// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/scale/scale.hpp"

#include "codelets/fft/grid_plans.hpp"
#include "codelets/names.hpp"
#include "codelets/portable.hpp"
#include "codelets/tables.hpp"
#include "core/constants.hpp"
#include "core/far_pair.hpp"

#include <algorithm>
#include <complex>

namespace nearfar {

namespace {

/// Copies columns [first, first + count) of all slabs' tiles into columns[component][x][column_batch], or back.
template <class Complex, class Copy>
void for_each_row(Buffers const& b, Grid const& g, int components, int group, int first, int count, Complex* columns,
                  Copy copy) {
  int const width = g.columns_in(group);
  for (int slab = 0; slab < g.slabs; ++slab) {
    int const planes = g.planes(slab);
    auto* tile = b.get<Complex>(3, slab);
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < planes; ++p)
        copy(tile + (std::int64_t(m) * planes + p) * width + first,
             columns + (std::int64_t(m) * g.size[0] + g.first_plane(slab) + p) * column_batch, count);
  }
}

/// Wave number of mode i of n.
template <class T>
T wave_number(int i, int n, double edge) {
  return T(2 * pi<double> / edge * (i <= n / 2 ? i : i - n));
}

}  // namespace

template <class T, Kernel K>
char const* Scale<T, K>::symbol() {
  static std::string const s = model_symbol<T>("scale", K, false);
  return s.c_str();
}

template <class T, Kernel K>
void Scale<T, K>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  constexpr int forward = forward_components(K), inverse = inverse_components(K);
  Grid const& g = args.grid;
  auto const& plans = grid_plans<T>(g);
  auto const& tables = *b.get<EwaldTables<T> const>(0);
  auto const* x_correction = b.get<T const>(1);
  auto const* y_correction = x_correction + g.size[0];
  auto const* z_correction = y_correction + g.size[1];
  auto* columns = b.get<Complex>(2);
  auto transform = [&](auto plan, int components) {
    for (int m = 0; m < components; ++m) {
      auto* c = reinterpret_cast<typename Fftw<T>::Complex*>(columns + m * column_scratch(g));
      Fftw<T>::complex(plan, c, c);
    }
  };

  for (int first = 0; first < g.columns_in(args.group); first += column_batch) {
    int const count = std::min(column_batch, g.columns_in(args.group) - first);
    if (count < column_batch) std::fill_n(columns, forward * column_scratch(g), Complex());
    for_each_row(b, g, forward, args.group, first, count, columns,
                 [](Complex* tile, Complex* row, int n) { std::copy_n(tile, n, row); });
    transform(plans.forward_column, forward);
    portable_for(count, [&](int i) {
      int const column = g.first_column(args.group) + first + i;
      int const iy = column / g.modes_z(), iz = column % g.modes_z();
      T k[3] = {0, wave_number<T>(iy, g.size[1], g.edge[1]), wave_number<T>(iz, g.size[2], g.edge[2])};
      T const yz = k[1] * k[1] + k[2] * k[2];
      T const correction = y_correction[iy] * z_correction[iz] * tables.inverse_volume;
      for (int ix = 0; ix < g.size[0]; ++ix) {
        k[0] = wave_number<T>(ix, g.size[0], g.edge[0]);
        T const k2 = k[0] * k[0] + yz;
        T const multiplier = (k2 > 0 ? tables.far(k2) : tables.zero_mode) * correction * x_correction[ix];
        T const inverse_k2 = k2 > 0 ? T(1) / k2 : T(0);
        T re[forward], im[forward];
        for (int m = 0; m < forward; ++m) {
          Complex const value = columns[(std::int64_t(m) * g.size[0] + ix) * column_batch + i];
          re[m] = value.real();
          im[m] = value.imag();
        }
        FarPair<K>::apply(multiplier, k, inverse_k2, re, im);
        for (int m = 0; m < inverse; ++m)
          columns[(std::int64_t(m) * g.size[0] + ix) * column_batch + i] = {re[m], im[m]};
      }
    });
    transform(plans.inverse_column, inverse);
    for_each_row(b, g, inverse, args.group, first, count, columns,
                 [](Complex* tile, Complex* row, int n) { std::copy_n(row, n, tile); });
  }
}

#define NEARFAR_INSTANTIATE(T)                  \
  template struct Scale<T, Kernel::stokeslet>; \
  template struct Scale<T, Kernel::stokes>;    \
  template struct Scale<T, Kernel::laplace>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
