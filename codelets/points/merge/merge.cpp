// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/merge/merge.hpp"

#include "codelets/common/portable.hpp"
#include "codelets/points/merge/merge_body.hpp"
#include "codelets/points/merge/overflow.hpp"
#include "core/math/expects.hpp"
#include "core/math/power_of_two.hpp"

#include <atomic>
#include <cmath>

namespace nearfar {

namespace {

/// The points of a block are scattered over the caller's memory: rows are prefetched this many points ahead.
constexpr int ahead = 24;

}  // namespace

template <class T>
void Merge<T>::portable(Buffers const& b, Args const& args) {
  MergeView<T> const view(b, args);
  int const count = args.chunk.count();
  std::atomic<bool> finite = true;  // set to false by any thread
  int const results = args.results.numbers;
  EXPECTS(results <= max_results && args.components % results == 0, results, args.components);
  for (int first = 0; first < args.components; first += results) {
    auto const& exponent = view.units[first / results].result;
    PowerOfTwo<T> scale[max_results];
    int component[max_results], column[max_results], wanted = 0;  // of what the caller gets
    for (int m = 0; m < results; ++m)
      if (int const at = args.column(first + m); at >= 0) {
        scale[wanted] = PowerOfTwo<T>(exponent[args.results.group[m]]);
        component[wanted] = first + m;
        column[wanted++] = at;
      }
    auto const put = [&](int i) {
      int const soon = i + ahead < count ? i + ahead : i;
      if (view.goes_out(soon)) __builtin_prefetch(view.row(soon) + column[0], 1);
      T* const row = view.row(i);
      for (int m = 0; m < wanted; ++m) {
        T const value = scale[m](view.sum(i, component[m]));
        if (!std::isfinite(value)) finite.store(false, std::memory_order_relaxed);
        row[column[m]] = value;
      }
    };
    if (args.given.all()) portable_for(count, put);
    else
      portable_for(count, [&](int i) {
        if (view.goes_out(i)) put(i);
      });
    for (int i = 0; i < count && !finite; ++i)
      for (int m = 0; m < wanted && view.goes_out(i); ++m)
        if (T const all = view.sum(i, component[m]); !std::isfinite(scale[m](all)))
          throw overflow<T>(column[m], view.place(i), all, view.exponent(component[m]));
  }
}

template struct Merge<double>;
template struct Merge<float>;

}  // namespace nearfar
