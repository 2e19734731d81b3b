// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/scatter/scatter.hpp"

#include "codelets/common/portable.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Adds to plane `to` its share of the clouds whose lower cells are in plane `from`.
template <class T>
void add_clouds(Buffers const& b, PicGrid const& grid, int from, int to, T* out) {
  int const row = grid.layout.row_length;
  double const* const per = grid.cells.cells_per_length;
  T const per_volume = T(per[0] * per[1] * per[2]);
  for (int block = 0; block < b.count(0); ++block) {
    T const* const sorted = b.get<T const>(0, block);
    std::int32_t const* const begin = b.get<std::int32_t const>(1, block);
    for (std::int64_t i = begin[from]; i < begin[from + 1]; ++i) {
      T const* const particle = sorted + 4 * i;
      auto const x = grid.cloud(particle, 0), y = grid.cloud(particle, 1), z = grid.cloud(particle, 2);
      T const share = (x.low == to ? 1 - x.weight : T(0)) + (x.high == to ? x.weight : T(0));
      T const q = particle[3] * per_volume * share, above = q * y.weight, below = q - above;
      T* const low = out + std::int64_t(y.low) * row;
      T* const high = out + std::int64_t(y.high) * row;
      low[z.low] += below - below * z.weight;
      low[z.high] += below * z.weight;
      high[z.low] += above - above * z.weight;
      high[z.high] += above * z.weight;
    }
  }
}

}  // namespace

template <class T>
void Scatter<T>::portable(Buffers const& b, Args const& args) {
  SpectralLayout const& l = args.grid.layout;
  int const first = l.first_plane(args.slab), planes = args.grid.planes();
  bool const periodic = args.grid.cells.periodic[args.grid.axes[0]];
  portable_for(l.planes(args.slab), [&](int i) {
    int const plane = first + i;
    T* const out = b.get<T>(2) + i * l.plane_size();
    std::fill(out, out + l.plane_size(), T(0));
    if (plane > 0 || periodic) add_clouds(b, args.grid, plane > 0 ? plane - 1 : planes - 1, plane, out);
    add_clouds(b, args.grid, plane, plane, out);
  });
}

template struct Scatter<double>;
template struct Scatter<float>;

}  // namespace nearfar
