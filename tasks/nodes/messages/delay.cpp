// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/messages/delay.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <starpu.h>
#include <thread>

namespace nearfar::detail {

namespace {

using Clock = std::chrono::steady_clock;

struct Held {
  Handle data;
  double seconds;
  void (*ends)(void*);
  void* what;
  Clock::time_point until{};
};

/// A thread that releases data at their due time, and uses no core in between.
class Timer {
 public:
  static Timer& one() {
    static Timer timer;
    return timer;
  }

  void add(Held held) {
    held.until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(held.seconds));
    std::lock_guard const lock(mutex_);
    queue_.push_back(held);
    changed_.notify_one();
  }

 private:
  ~Timer() {
    {
      std::lock_guard const lock(mutex_);
      ends_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || !queue_.empty(); });
      if (queue_.empty()) return;
      Held const held = queue_.front();  // all delays are equal, so the first is due first
      queue_.pop_front();
      lock.unlock();
      std::this_thread::sleep_until(held.until);
      starpu_data_release(held.data);
      held.ends(held.what);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Held> queue_;
  bool ends_ = false;
  std::thread thread_{[this] { run(); }};
};

void has_come(void* raw) {
  auto* held = static_cast<Held*>(raw);
  Timer::one().add(*held);
  delete held;
}

}  // namespace

void hold_back(Handle data, double seconds, void (*ends)(void*), void* what) {
  // This write access is ordered after the receive and before all tasks that read the data.
  starpu_data_acquire_cb(data, STARPU_RW, has_come, new Held{data, seconds, ends, what});
}

}  // namespace nearfar::detail
