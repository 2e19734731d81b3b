// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/direct/mailboxes.hpp"
#include "tasks/nodes/direct/place.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Data that go to another rank of this machine, or come from one.
struct Parcel {
  int peer = 0;  ///< its number among the ranks of this machine
  std::int64_t tag = 0;
  void* memory = nullptr;
  std::size_t bytes = 0;
  int priority = 0;          ///< of those that can be copied, the highest goes first
  void (*ends)(void*) = {};  /// called on the courier's thread when the memory may be written again, or has been filled
  void* what = nullptr;
};

/// Exchanges data with other ranks of the machine without MPI: the sender offers them, the receiver copies them out of
/// the sender's memory and says so. A thread of its own does that, which sleeps while there is nothing to do. Parcels
/// of one tag from one rank to one other arrive in the order in which both ranks give them.
class Courier {
 public:
  /// `failed` is called on that thread, which then ends, if the system refuses something or ranks do not agree.
  Courier(Mailboxes mailboxes, std::unique_ptr<Place> place, std::function<void(std::exception_ptr)> failed);
  /// After all parcels have ended, here and elsewhere.
  ~Courier();
  Courier(Courier const&) = delete;
  Courier& operator=(Courier const&) = delete;

  /// Any thread may call them; they return at once. What is sent stays as it is until it ends.
  void send(Parcel const& parcel) { give(parcel, true); }
  void receive(Parcel const& parcel) { give(parcel, false); }

 private:
  struct Copying {
    std::unique_ptr<RemoteCopy> copy;
    Parcel parcel;
    std::uint64_t number = 0;
  };
  struct Ready {
    Parcel parcel;
    Word offer;
    std::uint64_t turn = 0;  ///< of equal priority, the first goes first
    bool operator<(Ready const& other) const noexcept {
      return parcel.priority != other.parcel.priority ? parcel.priority < other.parcel.priority : turn > other.turn;
    }
  };
  using Key = std::pair<int, std::int64_t>;  ///< sender and tag

  void give(Parcel const& parcel, bool sent);
  void run() noexcept;
  void take_parcels();
  void take_words();
  void match(Key const& key);
  bool copy_some();
  void has_copied(Parcel const& parcel, std::uint64_t number);
  void put_words();
  bool busy() const noexcept { return !copying_.empty() || !ready_.empty() || !words_.empty(); }

  Mailboxes mailboxes_;
  std::unique_ptr<Place> place_;
  std::function<void(std::exception_ptr)> failed_;

  std::mutex mutex_;
  std::vector<std::pair<Parcel, bool>> given_;  ///< and whether it is sent
  std::atomic<bool> ending_{false};

  // Only the courier's thread uses these.
  std::unordered_map<std::uint64_t, Parcel> offered_;
  std::uint64_t offers_ = 0, turns_ = 0;
  std::map<Key, std::deque<Parcel>> awaited_;
  std::map<Key, std::deque<Word>> unasked_;
  std::priority_queue<Ready> ready_;
  std::vector<Copying> copying_;
  std::deque<std::pair<int, Word>> words_;  ///< for which a mailbox has had no room yet

  std::jthread thread_;
};

}  // namespace nearfar::detail
