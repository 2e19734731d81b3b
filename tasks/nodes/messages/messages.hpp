// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "tasks/nodes/owners.hpp"
#include "tasks/nodes/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nearfar::detail {

class Recording;

using Accesses = std::vector<std::pair<Handle, starpu_data_access_mode>>;

/// Gives data an owner, so that they are sent between ranks: every rank registers the same data in the same order, with
/// the same tag and owner. `lasts`: the data outlive the solve that uses them, and so would copies on other ranks.
void register_owned(Handle handle, int owner, std::int64_t tag, bool lasts);

/// Data that this rank sends to another, or receives.
struct DataMessage {
  Handle handle = nullptr;
  int peer = 0;
  bool sent = false;
};

/// The messages of one solve. Every rank goes through the same tasks in the same order, and so knows who holds what,
/// and who has to send it to whom, without asking. A rank that neither runs a task nor holds what it needs does nothing
/// for it, and has no handles (null) for data of tasks elsewhere: each of a thousand ranks has only few of all data.
class Messages {
 public:
  /// Who is told that a message is under way, and that one was sent or has arrived; the latter on StarPU's own thread.
  struct Listener {
    void* (*begins)(void* who, DataMessage const& message);  ///< returns the argument for `ends`
    void (*ends)(void* message);
    void* who;
  };

  /// `recording`: receives the messages between all ranks, none of which is sent.
  Messages(Ranks const& ranks, Listener const& listener, Recording* recording = nullptr)
      : ranks_(ranks), listener_(listener), recording_(recording) {}

  /// The rank of a task: `wanted`, or if that is `everywhere`, the owner of what it writes, for
  /// which all ranks then have a handle; this rank if nobody owns that, since then all ranks run it.
  int rank_of(Accesses const& accesses, int wanted) const;

  /// To be called on all ranks before and after the submission of a task of `rank`: sends
  /// what it reads to that rank, unless it is there, and what it writes to the owner.
  void before(Accesses const& accesses, int rank, int priority);
  void after(Accesses const& accesses, int rank, int priority);

  /// After the last task: copies of data of other owners are released when the tasks
  /// that use them have ended. Those of the solve's own data were released with these.
  void flush();

  std::uint64_t sent_bytes() const noexcept { return sent_bytes_; }

 private:
  /// For owned data: the ranks that have the latest content.
  struct Held {
    std::vector<int> ranks;
    int owner = everywhere;
    bool lasts = false;

    bool by(int rank) const { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }
  };

  Held& held(Handle handle, int owner);
  void move(Handle handle, int from, int to, int priority);
  void pretend(Handle handle, int from, int to);  ///< pretends to send a message, if there is no other rank

  Ranks const& ranks_;
  Listener listener_;
  Recording* recording_;
  std::unordered_map<Handle, Held> held_;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace nearfar::detail
