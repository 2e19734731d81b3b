// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/merge/for_other.hpp"

#include "codelets/common/names.hpp"
#include "codelets/points/merge/merge_body.hpp"
#include "codelets/points/merge/overflow.hpp"
#include "core/math/power_of_two.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

template <class T>
char const* MergeForOther<T>::symbol() {
  static std::string const s = "nearfar_merge_for_other" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void MergeForOther<T>::portable(Buffers const& b, Args const& args) {
  constexpr int max_results = 4;
  MergeView<T> const view(b, args);
  for (int first = 0; first < args.components; first += args.results) {
    PowerOfTwo<T> scale[max_results];
    for (int m = 0; m < args.results; ++m) scale[m] = PowerOfTwo<T>(view.exponent(first + m));
    T* row = view.results.piece[0];
    for (int i = 0; i < args.chunk.count(); ++i) {
      if (!args.given.have(view.index[i])) continue;
      for (int m = 0; m < args.results; ++m) {
        T const sum = view.sum(i, first + m), value = scale[m](sum);
        int const column = args.columns.of(first + m);
        if (!std::isfinite(value))
          throw overflow<T>(column, view.index[i] - args.given.first, sum, view.exponent(first + m));
        row[column] = value;
      }
      row += args.components;
    }
  }
}

template <class T>
char const* TakeResults<T>::symbol() {
  static std::string const s = "nearfar_take_results" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void TakeResults<T>::portable(Buffers const& b, Args const& args) {
  T const* const row = b.get<T const>(0);
  std::uint32_t const* const index = b.get<std::uint32_t const>(1);
  T* const result = b.get<T>(2);
  for (int i = 0; i < args.count; ++i)
    std::copy_n(row + std::int64_t(i) * args.components, args.components,
                result + std::int64_t(index[i]) * args.components);
}

template struct MergeForOther<double>;
template struct MergeForOther<float>;
template struct TakeResults<double>;
template struct TakeResults<float>;

}  // namespace nearfar
