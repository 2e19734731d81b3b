// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/bin/bin.hpp"

#include "codelets/common/portable.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/kernels/pairs/packed_source.hpp"
#include "core/math/expects.hpp"
#include "core/math/power_of_two.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace nearfar {

namespace {

/// The points of a block are scattered over the caller's memory: rows are prefetched this many points ahead.
constexpr int ahead = 24;

/// Source number i, for sums in precision A. The first of the vectors that are packed together makes its record.
template <class A, class T>
void pack(T const* position, std::int64_t stride, T const* strength, int own, VectorNumber together, int i, A* packed) {
  using Packed = PackedSource<T, A>;
  int const strengths = own * together.all, width = Packed::width(strengths);
  A* const record = packed + std::int64_t(i) * width;
  if (together.number == 0) {
    std::fill(record, record + width, A(0));
    for (int d = 0; d < 3; ++d) Packed::put(record, strengths, d, position[d * stride + i]);
  }
  A* const to = record + Packed::first_strength + own * together.number;
  for (int m = 0; m < own; ++m) to[m] = A(strength[m]);
}

}  // namespace

namespace {

/// Strengths alone in precision A.
template <class A, class T>
void bin_strengths(Buffers const& b, BinArgs const& args) {
  auto const* index = b.get<std::uint32_t const>(1);
  int const pieces = b.count(0) - 1;
  RowPieces<T const> const rows(b, 0, pieces, args.cut, args.row());
  int const points = b.get<std::int32_t const>(2)[b.size<std::int32_t>(2) - 1];
  auto const* position = b.get<T const>(3);
  auto const* units = b.get<StrengthUnit const>(0, pieces) + args.vector.number;
  auto* out = b.get<A>(4);
  auto* packed = b.count(5) > 0 ? b.get<void>(5) : nullptr;
  std::int64_t const stride = b.size<A>(4) / args.components;
  // Whole SIMD vectors also read the entries past the last point, with weight zero: these must be finite.
  for (int m = 0; m < args.components; ++m) std::fill(out + m * stride + points, out + (m + 1) * stride, A(0));
  int const strengths = args.strengths.numbers;
  EXPECTS(strengths <= max_strengths && args.components % strengths == 0, strengths, args.components);
  bool const mirrors = args.columns.mirrors(), in_single = args.in_single;
  int const own = args.components;
  VectorNumber const together = args.together;
  std::atomic<bool> finite = true;  // set to false by any thread
  for (int first = 0; first < args.components; first += strengths) {
    PowerOfTwo<T> scale[max_strengths];
    int column[max_strengths];
    for (int m = 0; m < strengths; ++m) {
      scale[m] = PowerOfTwo<T>(units[first / strengths].strength[args.strengths.group[m]]);
      column[m] = args.column(first + m);
    }
    auto const sort = [&](auto const& row_of) {
      portable_for(points, [&](int i) {
        // A row has at most nine numbers, so prefetching both ends covers all of it.
        auto const* const soon = row_of(index[i + ahead < points ? i + ahead : i]) + column[0];
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + strengths - 1);
        auto const* const row = row_of(index[i]);
        T strength[max_strengths];
        for (int m = 0; m < strengths; ++m) {
          T const value = row[column[m]];
          strength[m] = mirrors ? args.columns.turned(m, scale[m](value)) : scale[m](value);
          out[(first + m) * stride + i] = A(strength[m]);
          if (!std::isfinite(value)) finite.store(false, std::memory_order_relaxed);
        }
        if (packed == nullptr) return;
        auto const pack_as = [&](VectorNumber place) {
          if (in_single) pack(position, stride, strength, own, place, i, static_cast<float*>(packed));
          else pack(position, stride, strength, own, place, i, static_cast<T*>(packed));
        };
        if (together.all == 1) pack_as({});  // the usual case, with fewer instructions
        else pack_as(together);
      });
    };
    if (args.cut.length == whole_rows)
      sort([whole = rows.at(0), numbers = args.row()](std::int64_t i) { return whole + i * numbers; });
    else sort([&](std::int64_t i) { return rows.at(i); });
  }
  if (finite) return;
  for (int i = 0; i < points; ++i)
    for (int m = 0; m < args.components; ++m)
      if (T const value = rows.at(index[i])[args.column(m)]; !std::isfinite(value))
        throw not_finite(index[i], args.column(m), args.numbers(), args.vector.all, double(value));
}

}  // namespace

template <class T>
void Bin<T>::portable(Buffers const& b, Args const& args) {
  if (args.far_in_single) bin_strengths<float, T>(b, args);
  else bin_strengths<T, T>(b, args);
}

Error not_finite(std::uint64_t source, int column, int numbers, int vectors, double value) {
  std::string const vector = vectors > 1 ? " of vector " + std::to_string(column / numbers) : "";
  return Error(Fault::bad_input, "strength " + std::to_string(column % numbers) + vector + " of source " +
                                     std::to_string(source) + " is " + std::to_string(value) +
                                     " (every target would become NaN); strengths must be finite");
}

template struct Bin<double>;
template struct Bin<float>;

}  // namespace nearfar
