// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/chain/captured_chains.hpp"
#include "tasks/engine/kept_temporaries.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace nearfar::detail {

/// Rooms of a plan's points that are gone, in the runtime's memory, for points that come: where points move, their data
/// are in two rooms in turn, so that captured solves (tasks/engine/chain) find them there. Thread-safe.
class SpareRooms {
 public:
  /// One that nobody has, for so many points. It returns with its last owner, or goes if this is gone. Null where there
  /// are so many that solves are not captured.
  std::shared_ptr<KeptRoom> take(std::size_t points) {
    if (!suits_capture(false, points)) return nullptr;
    auto room = rooms_->take();
    room->begin();
    return {room.release(), [from = std::weak_ptr(rooms_)](KeptRoom* returned) {
              std::unique_ptr<KeptRoom> gone(returned);
              if (auto const rooms = from.lock()) rooms->keep(std::move(gone));
            }};
  }

 private:
  class Rooms {
   public:
    std::unique_ptr<KeptRoom> take() {
      std::lock_guard const lock(mutex_);
      if (spare_.empty()) return std::make_unique<KeptRoom>();
      auto room = std::move(spare_.front());
      spare_.pop_front();
      return room;
    }
    void keep(std::unique_ptr<KeptRoom> room) {
      std::lock_guard const lock(mutex_);
      if (spare_.size() < most) spare_.push_back(std::move(room));
    }

   private:
    static constexpr std::size_t most = 2;
    std::mutex mutex_;
    std::deque<std::unique_ptr<KeptRoom>> spare_;
  };

  std::shared_ptr<Rooms> rooms_ = std::make_shared<Rooms>();
};

/// Those for sources, and for targets that are others.
struct PointRooms {
  SpareRooms sources, targets;
};

}  // namespace nearfar::detail
