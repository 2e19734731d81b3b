// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/collect/collect.hpp"

#include "codelets/names.hpp"
#include "codelets/portable.hpp"
#include "core/reaction.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
char const* Collect<T>::symbol() {
  static std::string const s = "nearfar_collect" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Collect<T>::portable(Buffers const& b, Args const& args) {
  auto const* offset = b.get<std::int32_t const>(0);
  Share const share = args.share;
  T* const near = b.get<T>(2) - std::int64_t(share.first) * args.row;
  for (int r = 0; r < b.count(1); ++r) {
    T const* const reaction = b.get<T const>(1, r);
    for_each_column_of_reaction(args.cells, args.from[r], args.block, [&](int cell, int cells) {
      int const first = std::max(offset[cell], share.first), last = std::min(offset[cell + cells], share.last);
      if (first >= last) return;
      std::int64_t const begin = std::int64_t(first) * args.row;
      portable_for((last - first) * args.row, [&](int i) { near[begin + i] += reaction[begin + i]; });
    });
  }
}

template struct Collect<double>;
template struct Collect<float>;

}  // namespace nearfar
