// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/access.hpp"
#include "codelets/error_slot.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/solve.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace nearfar::detail {

class SolveState;

/// Microseconds of submission before workers begin, if all else is paused: many that look for tasks slow down the
/// thread that makes them, by a factor of four with 16, and a small solve is all submitted meanwhile.
inline constexpr double head_start = 2000;

/// One task of a solve: what it is, what it touches, and when it ran.
struct TaskRecord {
  SolveState* solve = nullptr;
  starpu_task* task = nullptr;
  char const* stage = "";
  int block = 0;
  double flops = 0;
  std::vector<std::pair<Handle, starpu_data_access_mode>> accesses;
  starpu_perfmodel* model = nullptr;
  std::uint32_t footprint = 0;  ///< its key in the model
  int worker = -1;
  // Microseconds of StarPU's clock, in this order.
  double submitted = 0;
  double ready = 0;         ///< all it depends on has ended
  double fetch_begins = 0;  ///< its worker asks for its data
  double fetch_ends = 0;
  double start = 0;
  double end = 0;
  double expected = 0;      ///< microseconds, by the model that the scheduler asked; 0 if it had none
  bool asks_model = false;  ///< whatever the scheduler does; only of trials
  /// Seconds, start to end, in which the worker's thread had a core; only of trials. What else runs on the machine does
  /// not count, nor does what a GPU does meanwhile.
  double own_seconds = 0;
};

/// What a solve in flight knows of itself. Its tasks hold plain pointers to it: a Solve waits before it lets go.
class SolveState {
 public:
  /// `keep_alive`: what the tasks use, beside the runtime.
  explicit SolveState(std::shared_ptr<RuntimeState> runtime, std::vector<std::shared_ptr<void const>> keep_alive = {});

  RuntimeState const& runtime() const noexcept { return *runtime_; }
  ErrorSlot& errors() noexcept { return errors_; }
  std::deque<TaskRecord> const& tasks() const noexcept { return tasks_; }
  TraceLog* trace() const noexcept { return runtime_->trace(); }
  unsigned number() const noexcept { return number_; }  ///< among the solves of this runtime, from 1

  /// For the graph, between construction and close(): a place for one more task; one that was not submitted after all;
  /// one that was.
  TaskRecord& open_task();
  void drop_task();
  void task_submitted();

  /// What the plan thinks that the solve will take once it is submitted.
  void predict(double seconds) noexcept { predicted_ = seconds; }

  /// All tasks are submitted: the solve ends when they have.
  void close();

  /// For StarPU's callbacks: a task of a trial begins; a task ends.
  static void trial_begins(void* record) noexcept;
  static void task_ended(void* record) noexcept;

  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  void then(std::function<void()> callback);
  void wait();           ///< until ended, callbacks included; throws nothing
  void rethrow() const;  ///< the first error of the tasks, else of the callbacks
  SolveReport report() const;

 private:
  void release_one();
  void finish();
  void call(std::function<void()> const& callback) noexcept;

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  std::vector<std::shared_ptr<void const>> keep_alive_;
  ErrorSlot errors_;
  std::deque<TaskRecord> tasks_;
  std::atomic<int> open_{1};  // the submission itself counts as one
  std::atomic<bool> ended_{false};
  unsigned number_ = 0;
  bool runs_ = false;  ///< workers were let run
  double submitted_ = 0, closed_submission_ = 0, end_ = 0, predicted_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::thread::id finisher_;
  std::vector<std::function<void()>> callbacks_;
  std::exception_ptr callback_error_;
};

}  // namespace nearfar::detail
