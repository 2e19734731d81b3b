// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/gpu_cell_sort.hpp"

#include "tasks/engine/solve/submit.hpp"

#include <limits>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr double sort_flops = 90;  // of a point, an estimate

}  // namespace

template <class T>
bool sorts_on_gpu(Frame const& frame, std::size_t points) {
  constexpr std::size_t few = 1 << 12, most = std::numeric_limits<std::int32_t>::max();
  return frame.cells.block_count() == 1 && points >= few && points <= most && starpu_worker_get_id() < 0 &&
         !gpu_workers(codelet_of<SortCells<T>>()).empty();
}

template <class T>
GpuCellSort<T>::GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame, std::span<T const> rows,
                            char const* what, bool keep_unwrapped, bool distinct, std::shared_ptr<KeptRoom> room)
    : runtime_(runtime), frame_(frame), rows_(rows), what_(what) {
  wait_for_callers_streams(rows);
  awake_.begin(runtime);
  Cells const& cells = frame.cells;
  int const count = int(rows.size() / 3);
  points_ = BlockedPoints<T>::in_runtime({count, cells.count[0] * cells.count[1] * cells.count[2]},
                                         {.rough = true, .unwrapped = keep_unwrapped}, std::move(room));
  KeptByBlock const kept{true, keep_unwrapped, sizeof(T) > sizeof(float)};
  sorting_ = submit_solve(runtime, {}, {}, [&](Graph& graph) {
    if (!gpu_workers(codelet_of<SortCells<T>>()).empty()) graph.keep_to_gpus();  // else a CPU does it
    auto const given =
        SolveData::constant("points", rows.data(), std::int64_t(rows.size()), {memory_node_of(rows.data())});
    auto const found = SolveData::over("faults of points", &faults_, 1);
    graph.insert<SortCells<T>>({frame, count, kept, distinct}, {0, sort_flops * count}, read(given),
                               write(points_->handles()), write(found));
    graph.solve().bring_home(found);
  });
}

template <class T>
BlockedPoints<T> GpuCellSort<T>::points() {
  sorting_.wait();
  if (faults_.bad != PointFaults::none)
    place(frame_, rows_on_host<T>(rows_, 3, {{faults_.bad}}).data(), what_, faults_.bad);  // throws with the reason
  points_->freeze();
  if (faults_.twins != 0) {
    points_->bring_to_host(runtime_);
    points_->expect_distinct(0, frame_, what_);
  }
  return std::move(*points_);
}

#define NEARFAR_INSTANTIATE(T)                              \
  template bool sorts_on_gpu<T>(Frame const&, std::size_t); \
  template class GpuCellSort<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
