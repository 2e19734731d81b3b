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
  MergeView<T> const view(b, args);
  std::uint32_t const* const chosen = b.get<std::uint32_t const>(5);
  auto const count = b.size<std::uint32_t>(5);
  for (int m = 0; m < args.components; ++m) {
    PowerOfTwo<T> const scale(view.exponent(m));
    int const column = args.column(m);
    if (column < 0) continue;
    for (std::int64_t n = 0; n < count; ++n) {
      auto const i = int(chosen[n]);
      T const sum = view.sum(i, m), value = scale(sum);
      if (!std::isfinite(value)) throw overflow<T>(column, view.place(i), sum, view.exponent(m));
      view.results.at(n)[column] = value;
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
  std::uint32_t const* const place = b.get<std::uint32_t const>(1);
  RowPieces<T> const results = args.rows<T>(b);
  for (int i = 0; i < args.count; ++i)
    std::copy_n(row + std::int64_t(i) * args.components, args.components, results.at(place[i]) + args.first_column());
}

template struct MergeForOther<double>;
template struct MergeForOther<float>;
template struct TakeResults<double>;
template struct TakeResults<float>;

}  // namespace nearfar
