// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/direct_messages.hpp"

#include "tasks/nodes/direct/trial.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <starpu.h>
#include <string_view>
#include <thread>
#include <utility>

namespace nearfar::detail {

namespace {

/// The first GPU worker of this process, or -1, and how many there are. With several, messages go by way of the first:
/// StarPU copies from GPU to GPU of a process as fast as that goes.
std::pair<int, int> gpu_workers_here() {
  int first = -1, count = 0;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
    if (starpu_worker_get_type(int(w)) != STARPU_CPU_WORKER && count++ == 0) first = int(w);
  return {first, count};
}

bool is_off() {
  char const* const text = std::getenv("NEARFAR_DIRECT");
  return text != nullptr && std::string_view(text) == "off";
}

int smallest(int mine, MPI_Comm ranks) {
  int of_all = 0;
  MPI_Allreduce(&mine, &of_all, 1, MPI_INT, MPI_MIN, ranks);
  return of_all;
}

/// Memory that all ranks of this machine share, with a part for each.
std::vector<void*> shared_parts(MPI_Comm local, std::size_t bytes, MPI_Win* window) {
  int count = 0;
  MPI_Comm_size(local, &count);
  void* mine = nullptr;
  MPI_Win_allocate_shared(MPI_Aint(bytes), 1, MPI_INFO_NULL, local, &mine, window);
  std::vector<void*> parts(static_cast<std::size_t>(count));
  for (int rank = 0; rank < count; ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(*window, rank, &size, &unit, &parts[std::size_t(rank)]);
  }
  return parts;
}

/// Memory of vectors, which all data are.
void* memory_of(Handle data, unsigned node) {
  auto const* const vector = static_cast<starpu_vector_interface const*>(starpu_data_get_interface_on_node(data, node));
  return reinterpret_cast<void*>(vector->ptr);
}

}  // namespace

/// One message, from its submission until it has ended.
struct DirectMessages::Transfer {
  DirectMessages& messages;
  Handle data;
  Parcel parcel;
  bool sent;
  Ends ends;

  /// StarPU has what is sent ready, or memory for what is received.
  static void begin(void* raw) {
    auto& transfer = *static_cast<Transfer*>(raw);
    transfer.parcel.memory = memory_of(transfer.data, transfer.messages.node_);
    if (transfer.sent) transfer.messages.courier_->send(transfer.parcel);
    else transfer.messages.courier_->receive(transfer.parcel);
  }

  static void end(void* raw) {
    std::unique_ptr<Transfer> const transfer(static_cast<Transfer*>(raw));
    starpu_data_release_on_node(transfer->data, int(transfer->messages.node_));
    if (transfer->ends.call != nullptr) transfer->ends.call(transfer->ends.what);
  }
};

DirectMessages::DirectMessages(MPI_Comm all, MPI_Comm local, std::function<void(std::exception_ptr)> failed)
    : local_(local) {
  auto const [worker, gpus] = gpu_workers_here();
  on_gpus_ = smallest(gpus, all) > 0 && smallest(gpus, all) == -smallest(-gpus, all);  // else CPUs run most stages
  node_ = on_gpus_ ? starpu_worker_get_memory_node(unsigned(worker)) : unsigned(STARPU_MAIN_RAM);
  auto place = on_gpus_ ? gpu_place(starpu_worker_get_devid(worker)) : std::make_unique<HostPlace>();
  connect(all, *place);
  bool const reaches_none = std::ranges::all_of(peer_of_, [](int peer) { return peer < 0; });
  if (smallest(reaches_none ? 1 : 0, local) == 1) return;

  int rank = 0, count = 0;
  MPI_Comm_rank(local, &rank);
  MPI_Comm_size(local, &count);
  auto parts = shared_parts(local, Mailboxes::bytes(count), &window_);
  Mailboxes::make(parts[std::size_t(rank)], count);
  MPI_Barrier(local);
  courier_ = std::make_unique<Courier>(Mailboxes(std::move(parts), rank), std::move(place), std::move(failed));
}

void DirectMessages::connect(MPI_Comm all, Place& place) {
  auto const reached = reached_ranks(local_, place, node_, !is_off());
  int count = 0, local_count = int(reached.size());
  MPI_Comm_size(all, &count);
  std::vector<int> numbers(reached.size()), ranks(reached.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  MPI_Group group = MPI_GROUP_NULL, local_group = MPI_GROUP_NULL;
  MPI_Comm_group(all, &group);
  MPI_Comm_group(local_, &local_group);
  MPI_Group_translate_ranks(local_group, local_count, numbers.data(), group, ranks.data());
  MPI_Group_free(&group);
  MPI_Group_free(&local_group);
  peer_of_.assign(std::size_t(count), -1);
  for (std::size_t peer = 0; peer < reached.size(); ++peer)
    if (reached[peer] != 0) peer_of_[std::size_t(ranks[peer])] = int(peer);
  bool const reaches = std::ranges::count_if(peer_of_, [](int peer) { return peer >= 0; }) == count - 1;
  reaches_all_ = smallest(reaches ? 1 : 0, all) == 1;
}

DirectMessages::~DirectMessages() {
  courier_.reset();  // closes what this rank has opened, before others free it
  MPI_Barrier(local_);
  if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
}

void DirectMessages::submit(Handle data, int rank, std::int64_t tag, int priority, Ends const& ends, bool sent) {
  Parcel const parcel{.peer = peer_of_[std::size_t(rank)],
                      .tag = tag,
                      .bytes = starpu_data_get_size(data),
                      .priority = priority,
                      .ends = Transfer::end};
  auto transfer = std::make_unique<Transfer>(Transfer{*this, data, parcel, sent, ends});
  transfer->parcel.what = transfer.get();
  constexpr int in_order = 1, at_once = 1;  // with the tasks submitted before; for those after, without a task between
  starpu_data_acquire_on_node_cb_sequential_consistency_sync_jobids(data, int(node_), sent ? STARPU_R : STARPU_W,
                                                                    nullptr, Transfer::begin, transfer.release(),
                                                                    in_order, at_once, nullptr, nullptr, priority);
}

void DirectMessages::send(Handle data, int to, std::int64_t tag, int priority, Ends const& ends) {
  submit(data, to, tag, priority, ends, true);
}

void DirectMessages::receive(Handle data, int from, std::int64_t tag, int priority, Ends const& ends) {
  submit(data, from, tag, priority, ends, false);
}

void DirectMessages::exchange(void* in, void const* out, std::size_t bytes) {
  constexpr std::int64_t tag = -1;  // data have others
  std::atomic<int> open = 0;
  auto const ended = [](void* count) { static_cast<std::atomic<int>*>(count)->fetch_sub(1); };
  auto* to = static_cast<char*>(in);
  for (int const peer : peer_of_) {
    if (peer < 0) continue;
    open += 2;
    courier_->send(
        {.peer = peer, .tag = tag, .memory = const_cast<void*>(out), .bytes = bytes, .ends = ended, .what = &open});
    courier_->receive({.peer = peer, .tag = tag, .memory = to, .bytes = bytes, .ends = ended, .what = &open});
    to += bytes;
  }
  while (open.load() > 0) std::this_thread::yield();
}

}  // namespace nearfar::detail
