// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/scale/scale.hpp"

#include "codelets/fft/padded_plane.hpp"
#include "codelets/names.hpp"
#include "codelets/portable.hpp"
#include "codelets/scale/multipliers.hpp"
#include "core/far_pair.hpp"

#include <algorithm>
#include <complex>
#include <type_traits>

namespace nearfar {

namespace {

/// Columns of one group that are transformed together, not always neighbours.
struct ColumnBatch {
  int count = 0;
  int column[column_batch] = {};  ///< within the group

  bool neighbours() const { return column[count - 1] - column[0] == count - 1; }
};

/// Calls visit(batch) until every column of the group that the filter lets through was in one.
template <class Filter, class Visit>
void for_each_batch(Grid const& g, int group, Filter filter, Visit visit) {
  int const first = g.first_column(group), count = g.columns_in(group);
  ColumnBatch batch;
  for (int i = 0; i < count; ++i) {
    if (!filter(g.column(first + i))) continue;
    batch.column[batch.count++] = i;
    if (batch.count < column_batch) continue;
    visit(batch);
    batch.count = 0;
  }
  if (batch.count > 0) visit(batch);
}

/// Calls copy(a tile's row, row of columns[component][x][column_batch]) for all rows of all slabs.
template <class Complex, class Copy>
void for_each_row(Buffers const& b, Grid const& g, int components, int group, std::int64_t component_stride,
                  Complex* columns, Copy copy) {
  int const width = g.columns_in(group);
  for (int slab = 0; slab < g.slabs; ++slab) {
    int const planes = g.planes(slab);
    auto* tile = b.get<Complex>(3, slab);
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < planes; ++p)
        copy(tile + (std::int64_t(m) * planes + p) * width,
             columns + m * component_stride + (g.first_plane(slab) + p) * column_batch);
  }
}

/// Number of mode i of n.
int signed_mode(int i, int n) { return i <= n / 2 ? i : i - n; }

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
  static_assert(forward <= int(std::extent_v<decltype(EwaldTables<T>::zero_mode)>));
  Grid const& g = args.grid;
  auto const& plans = grid_plans<T>(g);
  auto const& zero_mode = b.get<EwaldTables<T> const>(0)->zero_mode;
  Multipliers<T const> const multipliers(g, b.get<T const>(1));
  auto* columns = b.get<Complex>(2);
  // Multipliers fall along a column: where the first are zero, nothing is left, and nothing is transformed.
  auto const within_band = [&](ModeColumn const& column) {
    auto const* const row = multipliers.row(column);
    return row[0] != 0 || row[1] != 0;
  };

  auto const beyond_band = [&](ModeColumn const& column) { return !within_band(column); };
  for_each_batch(g, args.group, beyond_band, [&](ColumnBatch const& batch) {
    for_each_row(b, g, inverse, args.group, 0, columns, [&](Complex* tile, Complex*) {
      for (int i = 0; i < batch.count; ++i) tile[batch.column[i]] = Complex();
    });
  });
  auto const transform = [&](int padding, ColumnBatch const& batch) {
    int const n = g.padding[padding].size[0];
    std::int64_t const stride = std::int64_t(n) * column_batch;
    auto const& plan = plans.columns.at(n);
    double const unit[3] = {g.mode_unit(0, n), g.mode_unit(1, g.transform(1, padding)),
                            g.mode_unit(2, g.row_transform())};

    // Zeros: the padding, and the columns that are missing in the last batch.
    for (int m = 0; m < forward; ++m)
      std::fill(columns + m * stride + (batch.count < column_batch ? 0 : g.size[0] * column_batch),
                columns + (m + 1) * stride, Complex());
    for_each_row(b, g, forward, args.group, stride, columns, [&](Complex* tile, Complex* row) {
      if (batch.neighbours()) std::copy_n(tile + batch.column[0], batch.count, row);
      else
        for (int i = 0; i < batch.count; ++i) row[i] = tile[batch.column[i]];
    });
    for (int m = 0; m < forward; ++m) transform_columns<T>(plan.forward, columns + m * stride);
    portable_for(batch.count, [&](int i) {
      ModeColumn const column = g.column(g.first_column(args.group) + batch.column[i]);
      double const ky = unit[1] * signed_mode(column.y, g.transform(1, padding)), kz = unit[2] * column.z;
      T k[3] = {0, T(ky), T(kz)};
      T const yz = k[1] * k[1] + k[2] * k[2];
      auto const* const multiplier = multipliers.row(column);
      for (int ix = 0; ix < n; ++ix) {
        k[0] = T(unit[0] * signed_mode(ix, n));
        T const k2 = k[0] * k[0] + yz, inverse_k2 = k2 > 0 ? T(1) / k2 : T(0);
        T re[forward], im[forward];
        for (int m = 0; m < forward; ++m) {
          Complex const value = columns[m * stride + ix * column_batch + i];
          T const factor = k2 > 0 ? T(1) : zero_mode[m];
          re[m] = factor * value.real();
          im[m] = factor * value.imag();
        }
        FarPair<K>::apply(multiplier[2 * ix <= n ? ix : n - ix], k, inverse_k2, re, im);
        for (int m = 0; m < inverse; ++m) columns[m * stride + ix * column_batch + i] = {re[m], im[m]};
      }
    });
    for (int m = 0; m < inverse; ++m) transform_columns<T>(plan.inverse, columns + m * stride);
    for_each_row(b, g, inverse, args.group, stride, columns, [&](Complex* tile, Complex* row) {
      if (batch.neighbours()) std::copy_n(row, batch.count, tile + batch.column[0]);
      else
        for (int i = 0; i < batch.count; ++i) tile[batch.column[i]] = row[i];
    });
  };
  for (int p = 0; p < g.paddings; ++p)
    for_each_batch(
        g, args.group, [&](ModeColumn const& column) { return column.padding == p && within_band(column); },
        [&](ColumnBatch const& batch) { transform(p, batch); });
}

#define NEARFAR_INSTANTIATE(T)                 \
  template struct Scale<T, Kernel::stokeslet>; \
  template struct Scale<T, Kernel::stokes>;    \
  template struct Scale<T, Kernel::laplace>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
