// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/merge/merge_gpu.hpp"

namespace nearfar {

namespace {

/// The place of a number in the caller's rows.
template <class T>
__device__ unsigned long long place_of(MergeView<T> const& view, int i, int column) {
  return static_cast<unsigned long long>(view.place(i)) * unsigned(view.results.row) + unsigned(column);
}

template <class T>
struct MergeTarget {
  MergeView<T> view;
  ChosenPoints chosen;
  unsigned long long* first_bad;

  __device__ void operator()(std::int64_t n) const {
    int const i = chosen.point != nullptr ? int(chosen.point[n]) : int(n);
    if (!view.goes_out(i)) return;
    T* const row = chosen.point != nullptr ? view.results.at(n) : view.row(i);
    for (int m = 0; m < view.args.components; ++m) {
      int const column = view.args.columns.of(m);
      if (column < 0) continue;
      T const value = PowerOfTwo<T>(view.exponent(m))(view.sum(i, m));
      row[column] = value;
      if (!(value - value == T(0))) atomicMin(first_bad, place_of(view, i, column));
    }
  }
};

/// If there is a bad sum, the thread of its target reports the value.
template <class T>
struct TellOverflow {
  MergeView<T> view;
  unsigned long long const* first_bad;
  BadNumber* bad;

  __device__ void operator()(std::int64_t n) const {
    int const i = int(n);
    if (*first_bad == BadNumber::none || !view.goes_out(i)) return;
    for (int m = 0; m < view.args.components; ++m)
      if (int const column = view.args.columns.of(m); column >= 0 && *first_bad == place_of(view, i, column))
        *bad = {*first_bad, double(view.sum(i, m)), view.exponent(m)};
  }
};

template <class T>
struct TakeRow {
  T const* rows;
  std::uint32_t const* place;
  RowPieces<T> results;

  __device__ void operator()(std::int64_t i) const {
    T* const to = results.at(place[i]);
    for (int m = 0; m < results.row; ++m) to[m] = rows[i * results.row + m];
  }
};

}  // namespace

template <class T>
void launch_merge(MergeView<T> const& view, ChosenPoints chosen, BadNumber* bad, void* stream) {
  int const points = view.args.chunk.count();
  if (points == 0) return;
  GpuFirstPlace const first_bad(stream, "merge");
  gpu_for_all(chosen.point != nullptr ? chosen.count : points, stream, MergeTarget<T>{view, chosen, first_bad.data()},
              "merges results");
  gpu_for_all(points, stream, TellOverflow<T>{view, first_bad.data(), bad}, "tells what was out of range");
}

template <class T>
void launch_take(T const* rows, std::uint32_t const* place, int count, RowPieces<T> const& results, void* stream) {
  gpu_for_all(count, stream, TakeRow<T>{rows, place, results}, "takes results of another rank");
}

#define NEARFAR_INSTANTIATE(T)                                                      \
  template void launch_merge(MergeView<T> const&, ChosenPoints, BadNumber*, void*); \
  template void launch_take(T const*, std::uint32_t const*, int, RowPieces<T> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
