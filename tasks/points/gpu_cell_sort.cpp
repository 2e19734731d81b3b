// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/gpu_cell_sort.hpp"

#include "codelets/points/sort_cells/sort_cells.hpp"
#include "tasks/engine/solve/submit.hpp"

#include <limits>

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
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct) {
  wait_for_callers_streams(rows);
  Awake awake;  // before `points`, so that workers are also awake when refused points are released
  awake.begin(runtime);
  Cells const& cells = frame.cells;
  int const count = int(rows.size() / 3);
  auto points = BlockedPoints<T>::in_runtime({count, cells.count[0] * cells.count[1] * cells.count[2]},
                                             {.rough = true, .unwrapped = keep_unwrapped});
  KeptByBlock const kept{true, keep_unwrapped, sizeof(T) > sizeof(float)};
  PointFaults faults;
  submit_solve(runtime, {}, {}, [&](Graph& graph) {
    if (!gpu_workers(codelet_of<SortCells<T>>()).empty()) graph.keep_to_gpus();  // else a CPU does it
    auto const given =
        SolveData::constant("points", rows.data(), std::int64_t(rows.size()), {memory_node_of(rows.data())});
    auto const found = SolveData::over("faults of points", &faults, 1);
    graph.insert<SortCells<T>>({frame, count, kept, distinct}, {0, sort_flops * count}, read(given),
                               write(points.handles()), write(found));
    graph.solve().bring_home(found);
  }).wait();
  if (faults.bad != PointFaults::none)
    place(frame, rows_on_host<T>(rows, 3, {{faults.bad}}).data(), what, faults.bad);  // throws with the reason
  points.freeze();
  if (faults.twins != 0) {
    points.bring_to_host(runtime);
    points.expect_distinct(0, frame, what);
  }
  return points;
}

#define NEARFAR_INSTANTIATE(T)                                                                                    \
  template bool sorts_on_gpu<T>(Frame const&, std::size_t);                                                       \
  template BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const&, Frame const&, std::span<T const>, \
                                          char const*, bool, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
