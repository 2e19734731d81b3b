// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/gather/gather.hpp"

#include "codelets/common/portable.hpp"

namespace nearfar {

template <class T>
void Gather<T>::portable(Buffers const& b, Args const& args) {
  PicGrid const& grid = args.grid;
  int const planes = grid.planes();
  T const* const sorted = b.get<T const>(1);
  std::int32_t const* const begin = b.get<std::int32_t const>(2);
  std::int32_t const* const place = begin + planes + 1;
  T* const out = b.get<T>(3);
  std::int64_t const count = b.size<T>(3) / 3;
  portable_for(planes, [&](int plane) {
    if (begin[plane] == begin[plane + 1]) return;
    FieldPlane<T> const low(b, 0, grid.layout, plane);
    FieldPlane<T> const next(b, 0, grid.layout, plane + 1 < planes ? plane + 1 : 0);
    for (std::int64_t i = begin[plane]; i < begin[plane + 1]; ++i) {
      auto const x = grid.cloud(sorted + 4 * i, 0), y = grid.cloud(sorted + 4 * i, 1),
                 z = grid.cloud(sorted + 4 * i, 2);
      FieldPlane<T> const& high = x.high == plane ? low : next;
      for (int m = 0; m < 3; ++m) {
        T const below = low.at(m, y, z), above = high.at(m, y, z);
        out[grid.axes[m] * count + place[i]] = below + x.weight * (above - below);
      }
    }
  });
}

template struct Gather<double>;
template struct Gather<float>;

}  // namespace nearfar
