// SPDX-License-Identifier: BSD-3-Clause
// Points sorted into cells as GPUs do it, on the host.
#include "codelets/points/sort_cells/sort_cells.cu"

#include "tests/codelets/blocked_set.hpp"
#include "tests/codelets/local_buffers.hpp"
#include <cmath>

#include <doctest/doctest.h>
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

template <class T, class Run>
Sorted<T> sorted_by(Run const& run, Frame const& frame, std::vector<T>& rows, KeptByBlock const& kept) {
  std::size_t const points = rows.size() / 3, stride = points + 5;
  auto const& n = frame.cells.count;
  Sorted<T> s{AlignedVector<std::int32_t>(std::size_t(n[0] * n[1] * n[2] + 1), -7),
              AlignedVector<std::uint32_t>(stride, 99),
              AlignedVector<T>(3 * stride, T(NAN)),
              AlignedVector<T>(3 * stride, T(NAN)),
              AlignedVector<T>(3 * stride, T(NAN)),
              AlignedVector<float>(3 * stride, NAN),
              {7, 7}};
  LocalBuffers b;
  b.access().add(rows).access().add(s.offset).add(s.row).add(s.position);
  if (kept.near) b.add(s.near);
  if (kept.given) b.add(s.given);
  if (kept.rough) b.add(s.rough);
  b.access().add(&s.faults, 1);
  run(b.view(), SortCellsArgs{frame, int(points), kept, true});
  s.row.resize(points);  // there is no padding of rows
  return s;
}

template <class T>
void check(Frame const& frame, std::vector<T> rows, KeptByBlock const& kept, std::uint32_t bad = PointFaults::none,
           std::uint32_t twins = 0) {
  Sorted<T> const a = sorted_by(SortCells<T>::portable, frame, rows, kept);
  auto const gpu = [](Buffers const& b, SortCellsArgs const& args) {
    launch_sort_cells<T>(
        {args.frame, b.get<T const>(0), sorted_arrays<T>(b, args), b.get<PointFaults>(2), args.find_twins}, nullptr);
  };
  Sorted<T> const b = sorted_by(gpu, frame, rows, kept);
  CHECK(a.faults.bad == bad);
  CHECK(b.faults.bad == bad);
  if (bad != PointFaults::none) return;
  CHECK(a.faults.twins == twins);
  CHECK(b.faults.twins == twins);
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
