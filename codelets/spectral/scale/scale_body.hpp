// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/spectral/fft/layout_plans.hpp"
#include "codelets/spectral/scale/scale.hpp"
#include "core/spectral/column_modes.hpp"
#include "core/spectral/mode_table.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <utility>

namespace nearfar {

namespace detail {

/// Columns of one group that are transformed together, not necessarily adjacent.
struct ColumnBatch {
  int count = 0;
  int column[column_batch] = {};  ///< within the group

  bool neighbours() const { return column[count - 1] - column[0] == count - 1; }
};

/// Calls visit(batch) until every column of the group that passes the filter was in one.
template <class Filter, class Visit>
void for_each_batch(SpectralLayout const& l, int group, Filter filter, Visit visit) {
  int const first = l.first_column(group), count = l.columns_in(group);
  ColumnBatch batch;
  for (int i = 0; i < count; ++i) {
    if (!filter(l.column(first + i))) continue;
    batch.column[batch.count++] = i;
    if (batch.count < column_batch) continue;
    visit(batch);
    batch.count = 0;
  }
  if (batch.count > 0) visit(batch);
}

/// Calls copy(a tile's row, row of columns[component][x][column_batch]) for all rows of all slabs.
template <class Complex, class Copy>
void for_each_row(Buffers const& b, SpectralLayout const& l, int components, int group, std::int64_t component_stride,
                  Complex* columns, Copy copy) {
  int const width = l.columns_in(group);
  for (int slab = 0; slab < l.slabs; ++slab) {
    int const planes = l.planes(slab);
    auto* tile = b.get<Complex>(2, slab);
    for (int m = 0; m < components; ++m)
      for (int p = 0; p < planes; ++p)
        copy(tile + (std::int64_t(m) * planes + p) * width,
             columns + m * component_stride + (l.first_plane(slab) + p) * column_batch);
  }
}

/// What an operator sums over modes: of each column of a batch, and of all before it. Nothing for most operators.
template <class Operator>
class ModeSums {
 public:
  static constexpr int count = sums_of<Operator>();

  double* column(int i) { return of_column_[i]; }
  /// Adds the columns of a batch in their order, and forgets them.
  void end_batch() {
    for (auto& column : of_column_)
      for (int m = 0; m < count; ++m) total_[m] += std::exchange(column[m], 0.0);
  }
  void store(Buffers const& b, int access) const {
    if constexpr (count > 0) std::copy_n(total_, count, b.get<double>(access));
  }

 private:
  static constexpr int room = count > 0 ? count : 1;
  double total_[room] = {}, of_column_[column_batch][room] = {};
};

/// What adds the modes of a column to an operator's sums: its Adder, which may keep modes until add_all(), since hosts
/// add many at once. Most operators sum nothing.
struct NoAdder {
  template <class Operator>
  NoAdder(Operator const&, double*) {}
};
template <class Operator>
struct AdderOf {
  using type = NoAdder;
};
template <class Operator>
requires(sums_of<Operator>() > 0) struct AdderOf<Operator> {
  using type = typename Operator::Adder;
};

/// The modes of one column of `n` modes along x, in a batch of columns from [component][n][column_batch].
template <class Operator, class T>
void apply_to_column(Operator const& op, SpectralLayout const& l, ModeColumn const& column, T const* multipliers, int n,
                     std::complex<T>* first, std::int64_t stride, [[maybe_unused]] double* sums) {
  constexpr int in = Operator::in, out = Operator::out;
  ColumnModes<T> modes(l, column, n);
  [[maybe_unused]] typename AdderOf<Operator>::type adder(op, sums);
  for (int ix = 0; ix < n; ++ix) {
    std::complex<T>* const values = first + ix * column_batch;
    int const x = signed_mode(ix, n);
    Mode<T> const& mode = modes.at(x);
    T re[std::max(in, out)], im[std::max(in, out)];
    for (int m = 0; m < in; ++m) {
      re[m] = values[m * stride].real();
      im[m] = values[m * stride].imag();
    }
    T const* const numbers = multipliers + Operator::numbers * modes.place(x);
    if constexpr (sums_of<Operator>() > 0) adder.add(numbers, mode, re, im);
    op.apply(numbers, mode, re, im);
    for (int m = 0; m < out; ++m) values[m * stride] = {re[m], im[m]};
  }
  if constexpr (sums_of<Operator>() > 0) adder.add_all();
}

}  // namespace detail

template <class Operator>
char const* Scale<Operator>::symbol() {
  static std::string const s = "nearfar_scale_" + std::string(Operator::name()) + precision_suffix<T>();
  return s.c_str();
}

template <class Operator>
void Scale<Operator>::portable(Buffers const& b, Args const& args) {
  using Complex = std::complex<T>;
  constexpr int in = Operator::in, out = Operator::out;
  SpectralLayout const& l = args.layout;
  auto const& plans = layout_plans<T>(l);
  ModeTable<T const> const multipliers(l, b.get<T const>(0), Operator::numbers);
  auto* columns = b.get<Complex>(1);
  detail::ModeSums<Operator> sums;
  // Where modes decrease along a column and the first are zero, nothing is left, and nothing is transformed. In a
  // skewed cell they decrease from somewhere else.
  auto const has_modes = [&](ModeColumn const& column) {
    if (!Operator::falls) return true;
    auto const* const row = multipliers.row(column);
    int const n = l.padding[column.padding].size[0];
    if (l.skewed) return std::any_of(row, row + Operator::numbers * n, [](T multiplier) { return multiplier != 0; });
    return row[0] != 0 || (n > 1 && row[Operator::numbers] != 0);
  };

  auto const has_none = [&](ModeColumn const& column) { return !has_modes(column); };
  detail::for_each_batch(l, args.group, has_none, [&](detail::ColumnBatch const& batch) {
    detail::for_each_row(b, l, out, args.group, 0, columns, [&](Complex* tile, Complex*) {
      for (int i = 0; i < batch.count; ++i) tile[batch.column[i]] = Complex();
    });
  });
  auto const transform = [&](int padding, detail::ColumnBatch const& batch) {
    int const n = l.padding[padding].size[0];
    std::int64_t const stride = std::int64_t(n) * column_batch;
    auto const& plan = plans.columns.at(n);

    // Zero the padding, and the unused columns of the last batch.
    bool const full = batch.count == column_batch;
    for (int m = 0; m < (full ? in : components); ++m)
      std::fill(columns + m * stride + (full ? l.size[0] * column_batch : 0), columns + (m + 1) * stride, Complex());
    detail::for_each_row(b, l, in, args.group, stride, columns, [&](Complex* tile, Complex* row) {
      if (batch.neighbours()) std::copy_n(tile + batch.column[0], batch.count, row);
      else
        for (int i = 0; i < batch.count; ++i) row[i] = tile[batch.column[i]];
    });
    for (int m = 0; m < in; ++m) plan.forward(columns + m * stride);
    portable_for(batch.count, [&](int i) {
      ModeColumn const column = l.column(l.first_column(args.group) + batch.column[i]);
      detail::apply_to_column(args.apply, l, column, multipliers.row(column), n, columns + i, stride, sums.column(i));
    });
    sums.end_batch();
    for (int m = 0; m < out; ++m) plan.inverse(columns + m * stride);
    detail::for_each_row(b, l, out, args.group, stride, columns, [&](Complex* tile, Complex* row) {
      if (batch.neighbours()) std::copy_n(row, batch.count, tile + batch.column[0]);
      else
        for (int i = 0; i < batch.count; ++i) tile[batch.column[i]] = row[i];
    });
  };
  for (int p = 0; p < l.paddings; ++p)
    detail::for_each_batch(
        l, args.group, [&](ModeColumn const& column) { return column.padding == p && has_modes(column); },
        [&](detail::ColumnBatch const& batch) { transform(p, batch); });
  sums.store(b, 3);
}

}  // namespace nearfar
