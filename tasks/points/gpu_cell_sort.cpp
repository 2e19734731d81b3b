// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/gpu_cell_sort.hpp"

#include "tasks/engine/solve/submit.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nearfar::detail {

namespace {

constexpr double sort_flops = 90, column_flops = 1000;  // of a point and of a column, estimates

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
int ordering_gpus(GivenArrays<T const> const& rows, int gpus) {
  bool const on_gpus = std::ranges::all_of(
      rows.all(), [](auto const array) { return array.empty() || memory_node_of(array.data()) != STARPU_MAIN_RAM; });
  return on_gpus ? std::max(gpus, 1) : 1;
}

template <class T>
GpuCellSort<T>::GpuCellSort(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                            GivenArrays<T const> const& rows, SortManner const& manner, std::shared_ptr<KeptRoom> room,
                            GpuCellSort const* sources)
    : runtime_(runtime), frame_(frame), rows_(rows), manner_(manner) {
  for (auto const array : rows_.all()) wait_for_callers_streams(array);
  awake_.begin(runtime);
  take_rows();
  Cells const& cells = frame_.cells;
  if (cells.block_count() == 1) {
    begin_blocks({{count(), cells_of(cells, {})}}, std::move(room));
  } else {
    make_parts();
    begin_order(sources);
  }
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
void GpuCellSort<T>::make_parts() {
  Cells const& cells = frame_.cells;
  int const blocks = cells.block_count(), all = std::clamp(manner_.gpus, 1, std::min(blocks, OffsetArrays::most));
  int next = 0;
  for (int p = 0; p < all; ++p) {
    Part part{.gpu = all > 1 ? p : everywhere, .first_block = next};
    while (next < blocks && (Owners{all}.of(next, blocks) == p || all == 1)) ++next;
    part.last_block = next;
    auto const before = [&](int block) { return cells_before_block(cells, block); };
    part.cells = {before(part.first_block), before(part.last_block) - before(part.first_block)};
    part.order = Data::temporary<std::uint32_t>("order of points", count());
    part.offset = Data::temporary<std::int32_t>("offsets of cells", part.cells.count + 1);
    parts_.push_back(std::move(part));
  }
}

template <class T>
std::vector<Handle> GpuCellSort<T>::offsets() const {
  std::vector<Handle> handles;
  for (Part const& part : parts_) handles.push_back(part.offset);
  return handles;
}

template <class T>
OffsetArrays GpuCellSort<T>::offset_arrays() const {
  OffsetArrays arrays{int(parts_.size())};
  for (std::size_t p = 0; p < parts_.size(); ++p) arrays.first[p + 1] = parts_[p].last_block;
  return arrays;
}

template <class T>
void GpuCellSort<T>::begin_order(GpuCellSort const* sources) {
  content_.resize(std::size_t(columns().all_pieces()));
  sorting_ = submit_solve(runtime_, {}, {}, [&](Graph& graph) {
    keep_to_gpus<T>(graph);
    for (Part& part : parts_) {
      auto const found = SolveData::over("faults of points", &part.faults, 1);
      graph.insert<OrderCells<T>>({frame_, count(), cut_, part.cells},
                                  {part.first_block, sort_flops * count(), part.gpu}, read(handles_of(given_)),
                                  write(std::vector<Handle>{part.order, part.offset}), write(found));
      graph.solve().bring_home(found);
    }
    GpuCellSort const& from = sources != nullptr ? *sources : *this;
    auto const content = SolveData::over("content of columns", content_.data(), std::int64_t(content_.size()));
    graph.insert<CountColumns>({columns(), from.offset_arrays(), offset_arrays()},
                               {0, column_flops * double(content_.size()), parts_.front().gpu}, read(from.offsets()),
                               read(sources != nullptr ? offsets() : std::vector<Handle>()), write(content));
    graph.solve().bring_home(content);
  });
}

template <class T>
std::vector<BlockSize> GpuCellSort<T>::sizes() const {
  CellColumns const columns = this->columns();
  std::vector<BlockSize> sizes;
  auto next = content_.begin();
  for (int b = 0; b < frame_.cells.block_count(); ++b) {
    Block const block = block_at(frame_.cells, b);
    BlockSize& size = sizes.emplace_back(BlockSize{0, cells_of(frame_.cells, block)});
    for (auto const end = next + std::int64_t(columns.columns(block)) * columns.pieces; next != end; ++next)
      size.points += next->points;
  }
  return sizes;
}

template <class T>
void GpuCellSort<T>::begin_blocks(std::vector<BlockSize> sizes, std::shared_ptr<KeptRoom> room) {
  faults_.resize(sizes.size());
  points_ = BlockedPoints<T>::in_runtime(std::move(sizes), {.rough = true, .unwrapped = manner_.keep_unwrapped}, true,
                                         std::move(room));
  KeptByBlock const kept{true, manner_.keep_unwrapped, sizeof(T) > sizeof(float)};
  sorting_ = submit_solve(runtime_, {}, {}, [&](Graph& graph) {
    keep_to_gpus<T>(graph);
    auto const fill = [&](int b, int first, int first_cell, int gpu, std::vector<Handle> order) {
      int const here = points_->count(b);
      auto const found = SolveData::over("faults of points", &faults_[std::size_t(b)], 1);
      graph.insert<SortCells<T>>({frame_, b, first, first_cell, here, cut_, kept, manner_.distinct},
                                 {b, sort_flops * here, gpu}, read(handles_of(given_)), read(std::move(order)),
                                 write(points_->handles(b)), write(found));
      graph.solve().bring_home(found);
    };
    if (parts_.empty()) fill(0, 0, 0, everywhere, {});
    for (Part const& part : parts_)
      for (int b = part.first_block, first = 0; b < part.last_block; first += points_->count(b++))
        fill(b, first, cells_before_block(frame_.cells, b) - part.cells.first, part.gpu, {part.order, part.offset});
  });
}

template <class T>
void GpuCellSort<T>::expect_placed(PointFaults const& faults) const {
  if (faults.bad != PointFaults::none)
    place(frame_, rows_on_host<T>(rows_, 3, {{faults.bad}}).data(), manner_.what,
          faults.bad);  // throws with the reason
}

template <class T>
BlockedPoints<T> const& GpuCellSort<T>::counted() {
  if (!points_) {
    sorting_.wait();
    expect_placed(parts_.front().faults);  // all of them look at all points
    begin_blocks(sizes(), nullptr);
    points_->know_layers(columns(), content_);
  }
  return *points_;
}

template <class T>
BlockedPoints<T> GpuCellSort<T>::points() {
  counted();
  sorting_.wait();
  parts_.clear();
  expect_placed(faults_.front());
  points_->freeze();
  auto const twins = std::ranges::find_if(faults_, [](PointFaults const& of) { return of.twins != 0; });
  if (twins != faults_.end()) {
    points_->bring_to_host(runtime_);
    points_->expect_distinct(int(twins - faults_.begin()), frame_, manner_.what);
  }
  return std::move(*points_);
}

#define NEARFAR_INSTANTIATE(T)                                     \
  template bool sorts_on_gpu<T>(std::size_t);                      \
  template int ordering_gpus<T>(GivenArrays<T const> const&, int); \
  template class GpuCellSort<T>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
