// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/reduce/reduce.hpp"

#include "codelets/common/portable.hpp"
#include "core/geometry/mutual.hpp"
#include "core/math/expects.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
void Reduce<T>::portable(Buffers const& b, Args const& args) {
  EXPECTS(b.count(1) <= max_contributions, b.count(1));
  auto const* offset = b.get<std::int32_t const>(0);
  PointRange const chunk = args.chunk;
  T* const near = b.get<T>(2) - std::int64_t(chunk.first) * args.row;
  for (int r = 0; r < b.count(1); ++r) {
    T const* const contribution = b.get<T const>(1, r);
    for_each_mutual_column(args.cells, args.from[r], args.block, [&](int cell, int cells) {
      int const first = std::max(offset[cell], chunk.first), last = std::min(offset[cell + cells], chunk.last);
      if (first >= last) return;
      std::int64_t const begin = std::int64_t(first) * args.row;
      portable_for((last - first) * args.row, [&](int i) { near[begin + i] += contribution[begin + i]; });
    });
  }
}

template struct Reduce<double>;
template struct Reduce<float>;

}  // namespace nearfar
