// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/sort_cells/sort_cells.hpp"

#include "codelets/points/sort_cells/sort_cells_buffers.hpp"
#include "core/geometry/cell_sort.hpp"

#include <vector>

namespace nearfar {

/// Sorts all points as one part and one piece.
template <class T>
void SortCells<T>::portable(Buffers const& b, Args const& args) {
  using Sorted = Buckets<T, std::uint32_t>;
  auto const points = std::size_t(args.points);
  auto const lookup = cell_lookup(args.frame.cells);
  std::vector<PlaceInBlock> places(points);
  std::vector<std::uint32_t> words(std::size_t(Sorted::size(1, args.points)));
  Sorted const buckets(words.data(), 1);
  auto& faults = *b.get<PointFaults>(2);
  faults = {};
  bucket_points(args.frame, lookup.data(), b.get<T const>(0), 0, args.points, args.kept.given, places.data(), buckets);
  if (buckets.bad() > 0) {
    faults.bad = buckets.bad() - 1;
    return;
  }
  auto const out = sorted_arrays<T>(b, args);
  auto const all = PieceArrays<T>::of(out, 0, out.cells, 0, out.points);
  std::vector<BucketedPoint<T> const*> order(points);
  arrange_piece(
      args.frame, 0, 1, [&](int) { return Buckets<T, std::uint32_t const>(words.data(), 1); }, all, order.data());
  std::vector<std::int32_t> table;
  faults.twins = args.find_twins && has_twins(all, table);
}

template struct SortCells<double>;
template struct SortCells<float>;

}  // namespace nearfar
