// SPDX-License-Identifier: BSD-3-Clause
// Points sorted into cells as GPUs do it, on the host.
#include "codelets/points/sort_cells/sort_cells.cu"

#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

Frame frame_with(bool periodic, double edge) {
  Frame frame;
  for (std::size_t d = 0; d < 3; ++d) {
    frame.cells.edge[d] = edge;
    frame.cells.count[d] = 4 + int(d);
    frame.cells.periodic[d] = periodic;
  }
  frame.axes = {2, 0, 1};
  return frame;
}

/// Sheared far, in a direction that repeats; `free`: the last one does not.
Frame skewed_frame(bool free) {
  Frame frame = frame_with(true, 1);
  Cells& cells = frame.cells;
  CellRows const rows{{{1, 0, 0}, {0.45, 0.9, 0}, {free ? 0.0 : -0.3, free ? 0.0 : 0.2, 1.1}}};
  CellLattice const lattice = CellLattice::of(rows);
  cells.skewed = true;
  for (std::size_t d = 0; d < 3; ++d) {
    cells.edge[d] = lattice.length(int(d));
    std::copy(rows[d].begin(), rows[d].end(), cells.row[d]);
    for (std::size_t c = 0; c < 3; ++c) frame.along[d][c] = cells.edge[d] * lattice.reciprocal[d][c];
  }
  cells.periodic[2] = !free;
  if (free) frame.near_origin[2] = 0.5;
  set_faces<double>(cells);
  return frame;
}

template <class T>
struct Sorted {
  AlignedVector<std::int32_t> offset;
  AlignedVector<std::uint32_t> row;
  AlignedVector<T> position, near, given;
  AlignedVector<float> rough;
  PointFaults faults;
};

/// The rows in this many arrays, the first of which are short.
template <class T>
std::vector<std::vector<T>> in_arrays(std::vector<T> const& rows, int arrays, RowCut& cut) {
  std::size_t const points = rows.size() / 3;
  std::vector<std::vector<T>> cut_rows;
  std::size_t first = 0;
  if (arrays > 1) cut = RowCut(RowCut::uneven);
  for (int a = 0; a < arrays; ++a) {
    std::size_t const last = a + 1 < arrays ? std::min(points, std::size_t(a + 1)) : points;
    cut.first[a] = std::uint32_t(first);
    cut_rows.emplace_back(rows.begin() + std::ptrdiff_t(3 * first), rows.begin() + std::ptrdiff_t(3 * last));
    first = last;
  }
  return cut_rows;
}

/// Which bodies run.
template <class T>
struct Bodies {
  void (*order)(Buffers const&, OrderCellsArgs const&);
  void (*sort)(Buffers const&, SortCellsArgs const&);
};

/// Block by block, the order found first if there are several; no blocks if a row is bad.
template <class T>
std::vector<Sorted<T>> sorted_by(Bodies<T> const& bodies, Frame const& frame, std::vector<T> const& rows, int arrays,
                                 KeptByBlock const& kept) {
  auto const& n = frame.cells.count;
  std::size_t const points = rows.size() / 3, cells = std::size_t(n[0] * n[1] * n[2]);
  RowCut cut{};
  auto given = in_arrays(rows, arrays, cut);
  AlignedVector<std::uint32_t> order(points, ~0u);  // no row
  AlignedVector<std::int32_t> begin(cells + 1, -7);
  bool const several = frame.cells.block_count() > 1;
  if (several) {
    PointFaults faults{7, 7};
    LocalBuffers b;
    b.access();
    for (auto& array : given) b.add(array);
    b.access().add(order).add(begin).access().add(&faults, 1);
    bodies.order(b.view(), {frame, int(points), cut, {0, int(cells)}});
    if (faults.bad != PointFaults::none) {
      std::vector<Sorted<T>> none(1);
      none[0].faults = faults;
      return none;
    }
  }
  std::vector<Sorted<T>> blocks;
  for (int block = 0; block < frame.cells.block_count(); ++block) {
    Block const at = block_at(frame.cells, block);
    std::size_t const first_cell = std::size_t(cells_before(frame.cells, at)),
                      of_block = std::size_t(cells_of(frame.cells, at));
    int const first = several ? begin[first_cell] : 0,
              here = several ? begin[first_cell + of_block] - first : int(points);
    std::size_t const stride = std::size_t(here) + 5;
    Sorted<T>& s = blocks.emplace_back(Sorted<T>{AlignedVector<std::int32_t>(of_block + 1, -7),
                                                 AlignedVector<std::uint32_t>(stride, ~0u),
                                                 AlignedVector<T>(3 * stride, T(NAN)),
                                                 AlignedVector<T>(3 * stride, T(NAN)),
                                                 AlignedVector<T>(3 * stride, T(NAN)),
                                                 AlignedVector<float>(3 * stride, NAN),
                                                 {7, 7}});
    LocalBuffers b;
    b.access();
    for (auto& array : given) b.add(array);
    b.access();
    if (several) b.add(order).add(begin);
    b.access().add(s.offset).add(s.row).add(s.position);
    if (kept.near) b.add(s.near);
    if (kept.given) b.add(s.given);
    if (kept.rough) b.add(s.rough);
    b.access().add(&s.faults, 1);
    bodies.sort(b.view(), SortCellsArgs{frame, block, first, several ? int(first_cell) : 0, here, cut, kept, true});
    s.row.resize(std::size_t(here));  // there is no padding of rows
  }
  return blocks;
}

template <class T>
Bodies<T> portable() {
  return {OrderCells<T>::portable, SortCells<T>::portable};
}
template <class T>
Bodies<T> of_gpus() {
  return {[](Buffers const& b, OrderCellsArgs const& args) {
            launch_order_cells<T>({args.frame,
                                   {b, 0, b.count(0), args.cut, 3},
                                   args.points,
                                   args.cells,
                                   b.get<std::int32_t>(1, 1),
                                   b.get<std::uint32_t>(1, 0),
                                   b.get<PointFaults>(2)},
                                  nullptr);
          },
          [](Buffers const& b, SortCellsArgs const& args) {
            launch_sort_cells<T>({args.frame,
                                  {b, 0, b.count(0), args.cut, 3},
                                  given_order(b, args),
                                  sorted_arrays<T>(b, args),
                                  b.get<PointFaults>(3),
                                  args.find_twins},
                                 nullptr);
          }};
}

template <class T>
void check(Frame const& frame, std::vector<T> const& rows, int arrays, KeptByBlock const& kept, std::uint32_t bad,
           std::uint32_t twins) {
  CAPTURE(frame.cells.block_count());
  CAPTURE(arrays);
  auto const all = sorted_by(portable<T>(), frame, rows, arrays, kept),
             others = sorted_by(of_gpus<T>(), frame, rows, arrays, kept);
  REQUIRE(all.size() == others.size());
  bool with_twins[2] = {};
  for (std::size_t k = 0; k < all.size(); ++k) {
    Sorted<T> const &a = all[k], &b = others[k];
    CHECK(a.faults.bad == bad);
    CHECK(b.faults.bad == bad);
    if (bad != PointFaults::none) return;
    with_twins[0] |= a.faults.twins != 0;
    with_twins[1] |= b.faults.twins != 0;
    CHECK(a.offset == b.offset);
    CHECK(a.row == b.row);
    auto const same = [](auto const& x, auto const& y) {  // what is not kept stays no number
      return std::equal(x.begin(), x.end(), y.begin(), [](auto u, auto v) { return u == v || (u != u && v != v); });
    };
    CHECK(same(a.position, b.position));
    CHECK(same(a.near, b.near));
    CHECK(same(a.given, b.given));
    CHECK(same(a.rough, b.rough));
  }
  CHECK(with_twins[0] == (twins != 0));
  CHECK(with_twins[1] == (twins != 0));
}

template <class T>
void check(Frame frame, std::vector<T> const& rows, KeptByBlock const& kept, std::uint32_t bad = PointFaults::none,
           std::uint32_t twins = 0) {
  for (std::array<int, 3> const blocks : {std::array{1, 1, 1}, std::array{4, 1, 1}, std::array{2, 3, 2}})
    for (int const arrays : {1, 3}) {
      std::copy(blocks.begin(), blocks.end(), frame.cells.blocks);
      check(frame, rows, arrays, kept, bad, twins);
    }
}

template <class T>
std::vector<T> random_rows(std::size_t points, double from, double to) {
  std::mt19937 random(unsigned(points) + 3);
  std::vector<T> rows(3 * points);
  for (T& x : rows) x = T(from + (to - from) * (random() / 4294967296.0));
  return rows;
}

template <class T>
void check_all() {
  for (KeptByBlock const& kept : {KeptByBlock{true, true, true}, KeptByBlock{false, false, false}}) {
    for (std::size_t const points : {1, 2, 63, 1000}) {
      check<T>(frame_with(false, 0.9), random_rows<T>(points, 0, 0.9), kept);
      check<T>(frame_with(true, 0.9), random_rows<T>(points, -2, 3), kept);
      check<T>(skewed_frame(false), random_rows<T>(points, -4, 5), kept);
      check<T>(skewed_frame(true), random_rows<T>(points, 0, 1), kept);
    }
    std::vector<T> const one_cell = random_rows<T>(300, 0.01, 0.02);
    check<T>(frame_with(true, 1), one_cell, kept);
    check<T>(frame_with(false, 1), {0, 0, 0, 1, 1, 1, 0.5, 1, 0}, kept);
    auto rows = random_rows<T>(500, 0, 1);
    std::copy_n(rows.begin() + 30, 3, rows.begin() + 1200);
    check<T>(frame_with(true, 1), rows, kept, PointFaults::none, 1);
    auto outside = rows;
    outside[1000] = T(-1.5);  // along the free direction
    check<T>(skewed_frame(true), outside, kept, 333);
    rows[601] = T(1.5);
    rows[1000] = T(-0.5);
    check<T>(frame_with(false, 1), rows, kept, 200);
    rows[500] = std::numeric_limits<T>::quiet_NaN();
    check<T>(frame_with(true, 1), rows, kept, 166);
  }
}

}  // namespace

TEST_CASE("sort_cells: as GPUs sort, as the portable body does") {
  check_all<double>();
  check_all<float>();
}
