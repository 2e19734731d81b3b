// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/cell_columns/cell_columns_gpu.hpp"

namespace nearfar {

namespace {

constexpr char counts[] = "counts points in columns of cells";

/// A column by its number among those of all blocks.
struct ColumnOfBlock {
  int number;
  Block block;
  int column;
};
NEARFAR_FUNCTION ColumnOfBlock find_column(Cells const& cells, std::int64_t column) {
  int low = 0, end = cells.block_count();  // it is in one of these
  while (end - low > 1) {
    int const middle = low + (end - low) / 2;
    (columns_before(cells, block_at(cells, middle)) <= column ? low : end) = middle;
  }
  Block const block = block_at(cells, low);
  return {low, block, int(column) - columns_before(cells, block)};
}

struct CountSources {
  CellColumnsLaunch launch;
  std::int32_t* counts;

  __device__ void operator()(std::int64_t i) const {
    ColumnOfBlock const at = find_column(launch.cells, i);
    for_each_run(launch.cells, launch.coarse, at.block, at.column, launch.sources.of(launch.cells, at.number),
                 [this](int place, int points) { atomicAdd(counts + place, points); });
  }
};

template <class N>
struct Average {
  CoarseCells coarse;
  int direction;
  N const* from;
  double* to;
  double factor;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    to[i] = factor * mean_along(coarse, direction, from, int(i));
  }
};

struct FindContent {
  CellColumnsLaunch launch;
  double const* near;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    ColumnOfBlock const at = find_column(launch.cells, i);
    launch.content[i] =
        content_of(launch.cells, launch.coarse, at.block, at.column, launch.targets.of(launch.cells, at.number), near);
  }
};

}  // namespace

void launch_count_cells(CellColumnsLaunch const& launch, void* stream) {
  std::int64_t const all = launch.coarse.all(), columns = all_columns(launch.cells);
  GpuWorkSpace const space(std::size_t(all) * (2 * sizeof(double) + sizeof(std::int32_t)), stream, "counts");
  auto* const one = reinterpret_cast<double*>(space.data());
  double* const other = one + all;
  auto* const number = reinterpret_cast<std::int32_t*>(other + all);
  gpu_expect(gpu_fill(number, 0, std::size_t(all) * sizeof *number, static_cast<GpuStream>(stream)),
             "counts were not set to 0");
  gpu_for_all(columns, stream, CountSources{launch, number}, counts);
  gpu_for_all(all, stream, Average<std::int32_t>{launch.coarse, 2, number, one, 1}, counts);
  gpu_for_all(all, stream, Average<double>{launch.coarse, 1, one, other, 1}, counts);
  gpu_for_all(all, stream, Average<double>{launch.coarse, 0, other, one, launch.coarse.sphere}, counts);
  gpu_for_all(columns, stream, FindContent{launch, one}, counts);
}

}  // namespace nearfar
