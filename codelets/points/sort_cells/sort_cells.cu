// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/sort_cells/sort_cells_gpu.hpp"
#include "codelets/points/sum_team.hpp"

namespace nearfar {

namespace {

constexpr char sorts[] = "sorts points into cells";

/// Shared by all steps: the `cell` of each point, the `list` of points by cell in any order, and the `next` free place
/// of each cell.
template <class T>
struct CellSort {
  SortCellsLaunch<T> launch;
  std::int32_t *cell, *list, *next, *sums;

  /// Counts of cells that are added up by one thread.
  static constexpr int group = 64;
  NEARFAR_FUNCTION int end_of_group(std::int64_t i) const {
    std::int64_t const end = (i + 1) * group;
    return int(end < launch.out.cells ? end : launch.out.cells);
  }
  NEARFAR_FUNCTION T const* apart() const { return launch.out.near != nullptr ? launch.out.near : launch.out.position; }
};

/// Finds the cell of each point and counts it there.
template <class T>
struct CountPoint {
  CellSort<T> sort;

  __device__ void operator()(std::int64_t i) const {
    Cells const& cells = sort.launch.frame.cells;
    T x[3];
    int cell = 0;
    if (!place_point(sort.launch.frame, sort.launch.rows + 3 * i, x)) atomicMin(&sort.launch.faults->bad, unsigned(i));
    else
      cell = (cells.cell(0, double(x[0])) * cells.count[1] + cells.cell(1, double(x[1]))) * cells.count[2] +
             cells.cell(2, double(x[2]));
    sort.cell[i] = cell;
    atomicAdd(sort.launch.out.offset + cell, 1);
  }
};

template <class T>
struct AddUpGroup {
  CellSort<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t sum = 0;
    for (int c = int(i) * sort.group; c < sort.end_of_group(i); ++c) sum += sort.launch.out.offset[c];
    sort.sums[i] = sum;
  }
};

/// Turns counts into the beginnings of cells; the last entry is the end of the last cell.
template <class T>
struct BeginCells {
  CellSort<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto* const offset = sort.launch.out.offset;
    std::int32_t sum = sort.sums[i];
    for (int c = int(i) * sort.group; c < sort.end_of_group(i); ++c) {
      std::int32_t const count = offset[c];
      offset[c] = sort.next[c] = sum;
      sum += count;
    }
    if (sort.end_of_group(i) == sort.launch.out.cells) offset[sort.launch.out.cells] = sum;
  }
};

template <class T>
struct ListPoint {
  CellSort<T> sort;

  __device__ void operator()(std::int64_t i) const { sort.list[atomicAdd(sort.next + sort.cell[i], 1)] = int(i); }
};

/// Orders the points of a cell by their rows: each point counts how many precede it. Padding is zero.
template <class T>
struct PlacePoint {
  CellSort<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t slot) const {
    auto const& out = sort.launch.out;
    Frame const& frame = sort.launch.frame;
    T x[3] = {}, near[3] = {}, given[3] = {};
    std::int64_t at = slot;
    if (slot < out.points) {
      std::int32_t const row = sort.list[slot], begin = out.offset[sort.cell[row]],
                         end = out.offset[sort.cell[row] + 1];
      at = begin;
      for (int j = begin; j < end; ++j) at += sort.list[j] < row;
      T const* const coordinates = sort.launch.rows + 3 * std::int64_t(row);
      out.row[at] = std::uint32_t(row);
      place_point(frame, coordinates, x);
      place_point_near(frame, coordinates, x, near);
      for (std::size_t d = 0; d < 3; ++d) given[d] = T(frame.unit.ours(double(coordinates[d])));
    }
    for (int d = 0; d < 3; ++d) {
      std::int64_t const place = d * out.stride + at;
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
  CellSort<T> sort;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const& out = sort.launch.out;
    T const* const x = sort.apart();
    for (int j = int(i) + 1; j < out.offset[sort.cell[out.row[i]] + 1]; ++j)
      if (x[j] == x[i] && x[out.stride + j] == x[out.stride + i] && x[2 * out.stride + j] == x[2 * out.stride + i])
        sort.launch.faults->twins = 1;
  }
};

}  // namespace

template <class T>
void launch_sort_cells(SortCellsLaunch<T> const& launch, void* stream) {
  auto const& out = launch.out;
  auto const on = static_cast<GpuStream>(stream);
  std::int64_t const points = out.points, groups = (out.cells + CellSort<T>::group - 1) / CellSort<T>::group;
  GpuWorkSpace const space(std::size_t(2 * points + out.cells + groups) * sizeof(std::int32_t), stream, "sorting");
  auto* const numbers = reinterpret_cast<std::int32_t*>(space.data());
  CellSort<T> const sort{launch, numbers, numbers + points, numbers + 2 * points, numbers + 2 * points + out.cells};
  gpu_expect(gpu_fill(&launch.faults->bad, 0xff, sizeof launch.faults->bad, on), "faults of points were not set");
  gpu_expect(gpu_fill(&launch.faults->twins, 0, sizeof launch.faults->twins, on), "faults of points were not set");
  gpu_expect(gpu_fill(out.offset, 0, sizeof(std::int32_t) * std::size_t(out.cells + 1), on),
             "counts were not set to 0");
  gpu_for_all(points, stream, CountPoint<T>{sort}, sorts);
  gpu_for_all(groups, stream, AddUpGroup<T>{sort}, sorts);
  gpu_run_teams<SumTeam, std::int32_t>(1, stream, SumTeam::Launch{sort.sums, groups}, sorts);
  gpu_for_all(groups, stream, BeginCells<T>{sort}, sorts);
  gpu_for_all(points, stream, ListPoint<T>{sort}, sorts);
  gpu_for_all(out.stride, stream, PlacePoint<T>{sort}, sorts);
  if (launch.find_twins) gpu_for_all(points, stream, FindTwins<T>{sort}, sorts);
}

template void launch_sort_cells(SortCellsLaunch<double> const&, void*);
template void launch_sort_cells(SortCellsLaunch<float> const&, void*);

}  // namespace nearfar
