// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/arrange/arrange.hpp"

#include "codelets/common/names.hpp"
#include "core/geometry/cell_sort.hpp"

namespace nearfar {

template <class T>
char const* Arrange<T>::symbol() {
  static std::string const s = "nearfar_arrange" + precision_suffix<T>();
  return s.c_str();
}

template <class T>
void Arrange<T>::portable(Buffers const& b, Args const& args) {
  int const blocks = args.frame.cells.block_count();
  BlockArrays<T> out{.points = args.points,
                     .cells = int(b.size<std::int32_t>(2, 0)) - 1,
                     .stride = b.size<T>(2, 2) / 3,
                     .offset = b.get<std::int32_t>(2, 0),
                     .row = b.get<std::uint32_t>(2, 1),
                     .position = b.get<T>(2, 2)};
  int next = 3;
  if (args.kept.near) out.near = b.get<T>(2, next++);
  if (args.kept.given) out.given = b.get<T>(2, next++);
  if (args.kept.rough) out.rough = b.get<float>(2, next++);
  arrange_block(
      args.frame, args.block, b.count(0),
      [&](int p) { return Buckets<T, std::uint32_t const>(b.get<std::uint32_t const>(0, p), blocks); }, out);
  T const* const apart = args.kept.near ? out.near : out.position;
  *b.get<std::int32_t>(3) = args.find_twins && has_twins(apart, out.stride, args.points, b.get<std::int32_t>(1));
}

template struct Arrange<double>;
template struct Arrange<float>;

}  // namespace nearfar
