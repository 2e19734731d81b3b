// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/prefix_sums.hpp"
#include "codelets/points/sort_cells/sort_cells_gpu.hpp"

namespace nearfar {

namespace {

constexpr char sorts[] = "sorts points into cells";

/// Shared by all steps: the `cell` of each point among those of the task, -1 if it is in another; how many of that cell
/// came `before` it; and the `list` of points by cell, in which those of a cell are in any order.
template <class T>
struct CellOrder {
  OrderCellsLaunch<T> launch;
  std::int32_t *cell, *before, *list;
};

/// Finds the cell of each point and counts it there.
template <class T>
struct CountPoint {
  CellOrder<T> sort;

  __device__ void operator()(std::int64_t i) const {
    Cells const& cells = sort.launch.frame.cells;
    T x[3];
    CellRange const& here = sort.launch.cells;
    int cell = 0;  // of a point without a place: whatever follows before the host refuses it must find a row
    if (!place_point(sort.launch.frame, sort.launch.rows.at(i), x)) atomicMin(&sort.launch.faults->bad, unsigned(i));
    else
      cell =
          cell_by_block(cells, cells.cell(0, double(x[0])), cells.cell(1, double(x[1])), cells.cell(2, double(x[2]))) -
          here.first;
    bool const is_here = cell >= 0 && cell < here.count;
    sort.cell[i] = is_here ? cell : -1;
    if (is_here) sort.before[i] = atomicAdd(sort.launch.offset + cell, 1);
  }
};

template <class T>
struct ListPoint {
  CellOrder<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    if (int const cell = sort.cell[i]; cell >= 0) sort.list[sort.launch.offset[cell] + sort.before[i]] = int(i);
  }
};

/// Orders the points of a cell by their rows: each point counts how many precede it.
template <class T>
struct OrderPoint {
  CellOrder<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    if (i >= sort.launch.offset[sort.launch.cells.count]) return;  // the other points are in other cells
    std::int32_t const row = sort.list[i], *const offset = sort.launch.offset + sort.cell[row];
    int at = offset[0];
    for (int j = offset[0]; j < offset[1]; ++j) at += sort.list[j] < row;
    sort.launch.order[at] = std::uint32_t(row);
  }
};

/// From those of several blocks to those of this one.
template <class T>
struct TakeOffset {
  SortCellsLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t c) const {
    launch.out.offset[c] = launch.order.offset[c] - launch.order.offset[0];
  }
};

/// Padding is zero.
template <class T>
struct PlacePoint {
  SortCellsLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const& out = launch.out;
    Frame const& frame = launch.frame;
    T x[3] = {}, near[3] = {}, given[3] = {};
    if (i < out.points) {
      std::uint32_t const row = launch.order.row[i];
      T const* const coordinates = launch.rows.at(row);
      out.row[i] = row;
      place_point(frame, coordinates, x);
      place_point_near(frame, coordinates, x, near);
      for (std::size_t d = 0; d < 3; ++d) given[d] = T(frame.unit.ours(double(coordinates[d])));
    }
    for (int d = 0; d < 3; ++d) {
      std::int64_t const place = d * out.stride + i;
      out.position[place] = x[d];
      if (out.near != nullptr) out.near[place] = near[d];
      if (out.given != nullptr) out.given[place] = given[d];
      if (out.rough != nullptr) out.rough[place] = float(near[d]);
    }
  }
};

/// Coincident points are in the same cell, so only pairs within a cell are compared.
template <class T>
struct FindTwins {
  SortCellsLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const& out = launch.out;
    T const* const x = out.near != nullptr ? out.near : out.position;
    int cell = 0, end = out.cells;  // the point is in one of these
    while (end - cell > 1) {
      int const middle = cell + (end - cell) / 2;
      (out.offset[middle] <= i ? cell : end) = middle;
    }
    for (int j = int(i) + 1; j < out.offset[end]; ++j)
      if (x[j] == x[i] && x[out.stride + j] == x[out.stride + i] && x[2 * out.stride + j] == x[2 * out.stride + i])
        launch.faults->twins = 1;
  }
};

void no_faults(PointFaults* faults, GpuStream stream) {
  gpu_expect(gpu_fill(&faults->bad, 0xff, sizeof faults->bad, stream), "faults of points were not set");
  gpu_expect(gpu_fill(&faults->twins, 0, sizeof faults->twins, stream), "faults of points were not set");
}

}  // namespace

template <class T>
void launch_order_cells(OrderCellsLaunch<T> const& launch, void* stream) {
  auto const on = static_cast<GpuStream>(stream);
  std::int64_t const points = launch.points, begins = std::int64_t(launch.cells.count) + 1;
  GpuWorkSpace const space(std::size_t(3 * points) * sizeof(std::int32_t), stream, "sorting");
  auto* const numbers = reinterpret_cast<std::int32_t*>(space.data());
  CellOrder<T> const sort{launch, numbers, numbers + points, numbers + 2 * points};
  no_faults(launch.faults, on);
  gpu_expect(gpu_fill(launch.offset, 0, sizeof(std::int32_t) * std::size_t(begins), on), "counts were not set to 0");
  gpu_for_all(points, stream, CountPoint<T>{sort}, sorts);
  gpu_prefix_sums(launch.offset, begins, stream);
  gpu_for_all(points, stream, ListPoint<T>{sort}, sorts);
  gpu_for_all(points, stream, OrderPoint<T>{sort}, sorts);
}

template <class T>
void launch_sort_cells(SortCellsLaunch<T> const& given, void* stream) {
  SortCellsLaunch<T> launch = given;
  auto const& out = launch.out;
  if (launch.order.row == nullptr) {
    launch_order_cells<T>({launch.frame, launch.rows, out.points, {0, out.cells}, out.offset, out.row, launch.faults},
                          stream);
    launch.order.row = out.row;
  } else {
    no_faults(launch.faults, static_cast<GpuStream>(stream));
    gpu_for_all(out.cells + 1, stream, TakeOffset<T>{launch}, sorts);
  }
  gpu_for_all(out.stride, stream, PlacePoint<T>{launch}, sorts);
  if (launch.find_twins) gpu_for_all(out.points, stream, FindTwins<T>{launch}, sorts);
}

#define NEARFAR_INSTANTIATE(T)                                         \
  template void launch_order_cells(OrderCellsLaunch<T> const&, void*); \
  template void launch_sort_cells(SortCellsLaunch<T> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
