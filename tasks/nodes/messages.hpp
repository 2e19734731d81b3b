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

/// Lets data have an owner, and of several ranks travel: every rank registers the same data in the same order, with the
/// same tag and owner. `lasts`: they outlive the solve that uses them, and so would copies on other ranks.
void register_owned(Handle handle, int owner, std::int64_t tag, bool lasts);

/// Data that go from this rank to another, or come from there.
struct DataMessage {
  Handle handle = nullptr;
  int peer = 0;
  bool sent = false;
};

/// The messages of one solve. Every rank goes through the same tasks in the same order, and so knows who holds what,
/// and who is to send it to whom: nobody asks. A rank that neither runs a task nor holds what it needs does nothing for
/// it, and has no handle (null) for what it has no task for: of a thousand ranks each has but a few of all data.
class Messages {
 public:
  /// Whom to tell that a message is under way, and that one has gone or arrived; the latter on StarPU's own thread.
  struct Listener {
    void* (*begins)(void* who, DataMessage const& message);  ///< gives what `ends` is called with
    void (*ends)(void* message);
    void* who;
  };

  /// `recording`: gets the messages between all ranks, none of which goes.
  Messages(Ranks const& ranks, Listener const& listener, Recording* recording = nullptr)
      : ranks_(ranks), listener_(listener), recording_(recording) {}

  /// The rank of a task: `wanted`, or if that is `everywhere`, the owner of what it writes, which all ranks
  /// have a handle for then; this one if nobody owns that, for then all run it.
  int rank_of(Accesses const& accesses, int wanted) const;

  /// Before and after the place where a task of `rank` is submitted, on all ranks: what it reads goes to that rank, if
  /// it is not there yet, and what it writes to the owner.
  void before(Accesses const& accesses, int rank, int priority);
  void after(Accesses const& accesses, int rank, int priority);

  /// All tasks are inserted: copies of what others own go when the tasks that use them have ended. Those of the solve's
  /// own data went when they were given up.
  void flush();

  std::uint64_t sent_bytes() const noexcept { return sent_bytes_; }

 private:
  /// What is owned: the ranks with its latest content.
  struct Held {
    std::vector<int> ranks;
    int owner = everywhere;
    bool lasts = false;

    bool by(int rank) const { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }
  };

  Held& held(Handle handle, int owner);
  void move(Handle handle, int from, int to, int priority);
  void pretend(Handle handle, int from, int to);  ///< that a message goes, where there is nobody to talk to

  Ranks const& ranks_;
  Listener listener_;
  Recording* recording_;
  std::unordered_map<Handle, Held> held_;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace nearfar::detail
