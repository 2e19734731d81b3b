// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/points/count_columns/count_columns_gpu.hpp"

namespace nearfar {

namespace {

constexpr char counts[] = "counts points in columns of cells";

/// A column by its number among those of all blocks.
struct ColumnOfBlock {
  int number;
  Block block;
  int column;
};
NEARFAR_FUNCTION ColumnOfBlock find_column(CellColumns const& columns, std::int64_t column) {
  Cells const& cells = columns.cells;
  int low = 0, end = cells.block_count();  // it is in one of these
  while (end - low > 1) {
    int const middle = low + (end - low) / 2;
    (columns.before(block_at(cells, middle)) <= column ? low : end) = middle;
  }
  Block const block = block_at(cells, low);
  return {low, block, int(column) - columns.before(block)};
}

struct CountSources {
  CountColumnsLaunch launch;
  std::int32_t* counts;

  __device__ void operator()(std::int64_t i) const {
    ColumnOfBlock const at = find_column(launch.columns, i);
    launch.columns.for_each_run(at.block, at.column, launch.sources.of(launch.columns.cells, at.number),
                                [this](int place, int, int points) { atomicAdd(counts + place, points); });
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
  CountColumnsLaunch launch;
  double const* near;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    CellColumns const& columns = launch.columns;
    ColumnOfBlock const at = find_column(columns, i);
    columns.find_content(at.block, at.column, launch.targets.of(columns.cells, at.number), near,
                         launch.content + i * columns.pieces);
  }
};

}  // namespace

void launch_count_columns(CountColumnsLaunch const& launch, void* stream) {
  CoarseCells const& coarse = launch.columns.coarse;
  std::int64_t const all = coarse.all(), columns = launch.columns.all();
  GpuWorkSpace const space(std::size_t(all) * (2 * sizeof(double) + sizeof(std::int32_t)), stream, "counts");
  auto* const one = reinterpret_cast<double*>(space.data());
  double* const other = one + all;
  auto* const number = reinterpret_cast<std::int32_t*>(other + all);
  gpu_expect(gpu_fill(number, 0, std::size_t(all) * sizeof *number, static_cast<GpuStream>(stream)),
             "counts were not set to 0");
  gpu_for_all(columns, stream, CountSources{launch, number}, counts);
  gpu_for_all(all, stream, Average<std::int32_t>{coarse, 2, number, one, 1}, counts);
  gpu_for_all(all, stream, Average<double>{coarse, 1, one, other, 1}, counts);
  gpu_for_all(all, stream, Average<double>{coarse, 0, other, one, coarse.sphere}, counts);
  gpu_for_all(columns, stream, FindContent{launch, one}, counts);
}

}  // namespace nearfar
