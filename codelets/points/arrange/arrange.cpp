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
  PieceArrays<T> out{.points = args.points,
                     .cells = args.cells,
                     .first = args.first,
                     .room = b.size<T>(2, 2),
                     .last = args.last,
                     .offset = b.get<std::int32_t>(2, 0),
                     .row = b.get<std::uint32_t>(2, 1)};
  int next = 2;
  auto const form = [&]<class Number>(std::array<Number*, 3>& x) {
    for (Number*& along : x) along = b.get<Number>(2, next++);
  };
  form(out.position);
  if (args.kept.near) form(out.near);
  if (args.kept.given) form(out.given);
  if (args.kept.rough) form(out.rough);
  arrange_piece(
      args.frame, args.piece, b.count(0),
      [&](int p) { return Buckets<T, std::uint32_t const>(b.get<std::uint32_t const>(0, p), blocks); }, out);
  auto const& apart = args.kept.near ? out.near : out.position;
  *b.get<std::int32_t>(3) = args.find_twins && has_twins(apart, args.points, b.get<std::int32_t>(1));
}

template struct Arrange<double>;
template struct Arrange<float>;

}  // namespace nearfar
