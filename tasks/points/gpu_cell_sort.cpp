// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/gpu_cell_sort.hpp"

#include "tasks/engine/solve/submit.hpp"
#include "tasks/points/worker_loop.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr double sort_flops = 90;  // of a point, an estimate

template <class T>
void keep_to_gpus(Graph& graph) {
  if (!gpu_workers(codelet_of<SortCells<T>>()).empty()) graph.keep_to_gpus();  // else a CPU does it
}

std::vector<Handle> handles_of(std::vector<Data> const& data) { return {data.begin(), data.end()}; }

}  // namespace

template <class T>
bool sorts_on_gpu(std::size_t points) {
  constexpr std::size_t few = 1 << 12, most = std::numeric_limits<std::int32_t>::max();
  // The caller's points, numbers of sorting, and points in blocks; beside that, what else of the plan is there.
  constexpr double bytes = 12 * sizeof(T) + 32, most_of_memory = 0.5;
  auto const gpus = gpu_workers(codelet_of<SortCells<T>>());
  return points >= few && points <= most && starpu_worker_get_id() < 0 && !gpus.empty() &&
         bytes * double(points) < most_of_memory * double(gpu_memory(gpus));
}

template <class T>
GpuCellSort<T>::GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                            GivenArrays<T const> const& rows, char const* what, bool keep_unwrapped, bool distinct,
                            std::shared_ptr<KeptRoom> room)
    : runtime_(runtime), frame_(frame), rows_(rows), what_(what), keep_unwrapped_(keep_unwrapped), distinct_(distinct) {
  for (auto const array : rows_.all()) wait_for_callers_streams(array);
  awake_.begin(runtime);
  take_rows();
  Cells const& cells = frame_.cells;
  if (cells.block_count() == 1) begin_blocks({{count(), cells_of(cells, {})}}, std::move(room));
  else begin_order();
}

template <class T>
void GpuCellSort<T>::take_rows() {
  std::size_t first = 0;
  for (auto const array : rows_.all()) {
    if (array.empty()) continue;
    cut_.first[given_.size()] = std::uint32_t(first);
    given_.push_back(
        Data::constant("points", array.data(), std::int64_t(array.size()), {memory_node_of(array.data())}));
    first += array.size() / 3;
  }
  if (given_.size() == 1) cut_ = {};
}

template <class T>
void GpuCellSort<T>::begin_order() {
  int const* const of = frame_.cells.count;
  offsets_ = Arena<std::int32_t>(std::size_t(of[0]) * std::size_t(of[1]) * std::size_t(of[2]) + 1);
  order_ = Data::temporary<std::uint32_t>("order of points", count());
  offset_ = Data::over("offsets of cells", offsets_.data(), std::int64_t(offsets_.size()));
  sorting_ = submit_solve(runtime_, {}, {}, [&](Graph& graph) {
    keep_to_gpus<T>(graph);
    auto const found = SolveData::over("faults of points", &order_faults_, 1);
    graph.insert<OrderCells<T>>({frame_, count(), cut_}, {0, sort_flops * count()}, read(handles_of(given_)),
                                write(std::vector<Handle>{order_, offset_}), write(found));
    graph.solve().bring_home(found);
    graph.solve().bring_home(offset_);
  });
}

template <class T>
std::vector<BlockSize> GpuCellSort<T>::sizes() const {
  std::vector<BlockSize> sizes;
  for (int b = 0; b < frame_.cells.block_count(); ++b) {
    Block const block = block_at(frame_.cells, b);
    int const cells = cells_of(frame_.cells, block);
    auto const first = offsets_.data() + cells_before(frame_.cells, block);
    sizes.push_back({first[cells] - first[0], cells});
  }
  return sizes;
}

template <class T>
void GpuCellSort<T>::begin_blocks(std::vector<BlockSize> sizes, std::shared_ptr<KeptRoom> room) {
  bool const ordered = order_ != nullptr;
  faults_.resize(sizes.size());
  points_ = BlockedPoints<T>::in_runtime(std::move(sizes), {.rough = true, .unwrapped = keep_unwrapped_}, true,
                                         std::move(room));
  KeptByBlock const kept{true, keep_unwrapped_, sizeof(T) > sizeof(float)};
  sorting_ = submit_solve(runtime_, {}, {}, [&](Graph& graph) {
    keep_to_gpus<T>(graph);
    std::vector<Handle> const order = ordered ? std::vector<Handle>{order_, offset_} : std::vector<Handle>();
    int first = 0;
    for (int b = 0; b < points_->blocks(); ++b) {
      int const here = points_->count(b);
      auto const found = SolveData::over("faults of points", &faults_[std::size_t(b)], 1);
      graph.insert<SortCells<T>>({frame_, b, std::exchange(first, first + here), here, cut_, kept, distinct_},
                                 {b, sort_flops * here}, read(handles_of(given_)), read(order),
                                 write(points_->handles(b)), write(found));
      graph.solve().bring_home(found);
    }
  });
}

template <class T>
void GpuCellSort<T>::expect_placed(PointFaults const& faults) const {
  if (faults.bad != PointFaults::none)
    place(frame_, rows_on_host<T>(rows_, 3, {{faults.bad}}).data(), what_, faults.bad);  // throws with the reason
}

template <class T>
BlockedPoints<T> const& GpuCellSort<T>::counted() {
  if (!points_) {
    sorting_.wait();
    expect_placed(order_faults_);
    begin_blocks(sizes(), nullptr);
    points_->know_offsets(offsets_, cell_loop(runtime_, frame_.cells));
  }
  return *points_;
}

template <class T>
BlockedPoints<T> GpuCellSort<T>::points() {
  counted();
  sorting_.wait();
  order_ = Data();
  offset_ = Data();
  expect_placed(faults_.front());
  points_->freeze();
  auto const twins = std::ranges::find_if(faults_, [](PointFaults const& of) { return of.twins != 0; });
  if (twins != faults_.end()) {
    points_->bring_to_host(runtime_);
    points_->expect_distinct(int(twins - faults_.begin()), frame_, what_);
  }
  return std::move(*points_);
}

#define NEARFAR_INSTANTIATE(T)                \
  template bool sorts_on_gpu<T>(std::size_t); \
  template class GpuCellSort<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
