// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "tasks/nodes/direct/courier.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <vector>

namespace nearfar::detail {

/// Messages of StarPU's data between ranks of one machine, from the memory of one to that of the other without MPI:
/// from GPU to GPU where every rank has as many, else from host to host. Which ranks it reaches it finds out by a
/// trial; the others, and all if NEARFAR_DIRECT=off, are left to StarPU-MPI. While StarPU is up.
class DirectMessages {
 public:
  /// Collective over `all` ranks; `local`: those of this machine. `failed` is called for what the system refuses later.
  DirectMessages(MPI_Comm all, MPI_Comm local, std::function<void(std::exception_ptr)> failed);
  /// Collective, after all messages.
  ~DirectMessages();
  DirectMessages(DirectMessages const&) = delete;
  DirectMessages& operator=(DirectMessages const&) = delete;

  bool reaches(int rank) const noexcept { return peer_of_[std::size_t(rank)] >= 0; }
  /// Every rank reaches all others.
  bool reaches_all() const noexcept { return reaches_all_; }
  bool between_gpus() const noexcept { return on_gpus_ && reaches_all_; }
  /// StarPU's number of the memory between which data travel.
  unsigned node() const noexcept { return node_; }

  struct Ends {
    void (*call)(void*);  ///< null: nothing
    void* what;
  };
  /// As StarPU-MPI's: ordered with the tasks on the data, `ends` when they have been sent or are there.
  void send(Handle data, int to, std::int64_t tag, int priority, Ends const& ends);
  void receive(Handle data, int from, std::int64_t tag, int priority, Ends const& ends);

  /// Sends `bytes` from `out` to each other rank, and receives as much from each, one after another in `in`; to be
  /// called where this reaches all.
  void exchange(void* in, void const* out, std::size_t bytes);

 private:
  struct Transfer;
  void submit(Handle data, int rank, std::int64_t tag, int priority, Ends const& ends, bool sent);
  void connect(MPI_Comm all, Place& place);

  MPI_Comm local_;
  MPI_Win window_ = MPI_WIN_NULL;
  unsigned node_ = 0;
  bool on_gpus_ = false, reaches_all_ = false;
  std::vector<int> peer_of_;  ///< by rank: its number on this machine, if it is reached
  std::unique_ptr<Courier> courier_;
};

}  // namespace nearfar::detail
