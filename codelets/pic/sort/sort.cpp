// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/sort/sort.hpp"

#include <algorithm>

namespace nearfar {

template <class T>
void Sort<T>::portable(Buffers const& b, Args const& args) {
  std::int64_t const count = b.size<T>(1);
  int const planes = args.grid.planes(), axis = args.grid.axes[0];
  T const* const phase = b.get<T const>(0);
  T const* const charge = b.get<T const>(1);
  T* const sorted = b.get<T>(2);
  std::int32_t* const begin = b.get<std::int32_t>(3);
  std::int32_t* const place = begin + planes + 1;
  auto const plane_of = [&](std::int64_t i) { return cloud_at(args.grid.cells, axis, phase[axis * count + i]).low; };

  std::fill(begin, begin + planes + 1, 0);
  for (std::int64_t i = 0; i < count; ++i) ++begin[plane_of(i) + 1];
  for (int p = 0; p < planes; ++p) begin[p + 1] += begin[p];
  for (std::int64_t i = 0; i < count; ++i) {  // this moves each beginning to the next one
    std::int32_t const to = begin[plane_of(i)]++;
    place[to] = std::int32_t(i);
    for (int d = 0; d < 3; ++d) sorted[4 * std::int64_t(to) + d] = phase[d * count + i];
    sorted[4 * std::int64_t(to) + 3] = charge[i];
  }
  std::copy_backward(begin, begin + planes, begin + planes + 1);
  begin[0] = 0;
}

template struct Sort<double>;
template struct Sort<float>;

}  // namespace nearfar
