// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "codelets/common/error_slot.hpp"
#include "codelets/common/stage.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/kept_temporaries.hpp"
#include "tasks/engine/progress/progress.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <nearfar/solve.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace nearfar {
class GpuEvent;
}

namespace nearfar::detail {

class Chain;
class SolveState;
struct DataMessage;

/// Errors of a solve, as far as known.
struct FoundErrors {
  double of_result = 0;  ///< relative l2 error
  double of_energy = 0;  ///< what its energy is off by; 0: unknown, or it has none
  double of_virial = 0;  ///< and its virial
};

/// What to find out about a solve whose tasks have ended well, before it ends.
struct Review {
  std::function<FoundErrors()> errors;  ///< cheap, called on a worker
  double allowed = 0;                   ///< with a larger error of the result the solve is done again
  /// Submits the same solve with a finer plan, after it had this error; none if
  /// there is no finer plan. Called on a thread of its own, and may take long.
  std::function<Solve(double error)> again;
  bool together = false;  ///< collectively, when all ranks wait: it takes messages between them
};

/// Microseconds of submission before workers are woken, if nothing else is in flight: many idle workers slow
/// down the thread that submits, by a factor of four with 16, and a small solve is fully submitted meanwhile.
inline constexpr double head_start = 2000;

using Accesses = std::vector<std::pair<Handle, starpu_data_access_mode>>;

/// One task of a solve: what it is, what it accesses, and when it ran.
struct TaskRecord {
  SolveState* solve = nullptr;
  starpu_task* task = nullptr;
  char const* stage = "";
  int block = 0;
  double flops = 0;
  Accesses accesses;
  std::vector<unsigned> next_nodes;  ///< memory nodes to which its results are sent when it ends
  starpu_perfmodel* model = nullptr;
  std::uint32_t footprint = 0;  ///< its key in the model
  int worker = -1;
  Implementation wanted = Implementation::tuned;
  unsigned implementation = 0;         ///< StarPU's number of the implementation that ran
  AnyStage const* variants = nullptr;  ///< knows the name of that
  std::shared_ptr<Chain> chain;        ///< if it is several tasks in one
  // Microseconds of StarPU's clock, in this order.
  double submitted = 0;
  double ready = 0;         ///< all its dependencies have ended
  double fetch_begins = 0;  ///< its worker requests its data
  double fetch_ends = 0;
  double start = 0;
  double end = 0;
  double expected = 0;      ///< microseconds, by the scheduler's model; 0 if it had none
  bool asks_model = false;  ///< whatever the scheduler does; only in trials
  /// Seconds of CPU time of the worker's thread from start to end; only in
  /// trials. Excludes other programs on the machine, and work on a GPU.
  double own_seconds = 0;
};

/// A message of a solve, as one of its two ranks knows it. The n-th that a solve sends from one rank to
/// another is the n-th that the other receives from there: all ranks insert the same tasks in the same order.
struct MessageRecord {
  SolveState* solve = nullptr;
  Handle data = nullptr;
  int peer = 0;
  bool sent = false;
  std::uint64_t bytes = 0;
  int task = 0;        ///< number of the solve's tasks inserted on this rank before it
  double asked = 0;    ///< microseconds of StarPU's clock; the data may be ready later
  double arrived = 0;  ///< or gone
};

/// The state of a solve in flight. Its tasks hold plain pointers to it: a Solve waits before letting go.
class SolveState : public std::enable_shared_from_this<SolveState> {
 public:
  /// `keep_alive`: what the tasks use, beside the runtime.
  /// `ranks`: those that solve it together; null, or one: this process alone.
  explicit SolveState(std::shared_ptr<RuntimeState> runtime, std::vector<std::shared_ptr<void const>> keep_alive = {},
                      Ranks const* ranks = nullptr);
  ~SolveState();

  RuntimeState const& runtime() const noexcept { return *runtime_; }
  /// The ranks that solve it together; null if this process is alone.
  Ranks const* ranks() const noexcept { return ranks_; }
  ErrorSlot& errors() noexcept { return errors_; }
  bool failed() const noexcept { return errors_.failed(); }
  std::deque<TaskRecord> const& tasks() const noexcept { return tasks_; }
  unsigned number() const noexcept { return number_; }  ///< among the solves of this runtime, from 1

  /// For the graph, between construction and close(): a record for one
  /// more task; one that was not submitted after all; one that was.
  TaskRecord& open_task();
  void drop_task();
  void task_submitted(WorkFor work);

  /// When the caller asked for it, before which it was made.
  void set_begun(double microseconds) noexcept { begun_ = microseconds; }
  /// The plan's prediction of the time that the solve takes once it is submitted.
  void predict(double seconds) noexcept { predicted_ = seconds; }

  /// A solve whose tasks end before those of this one that need them: its error becomes that of this one.
  void build_on(std::shared_ptr<SolveState const> other) noexcept { basis_ = std::move(other); }

  /// To be called between construction and close().
  void set_review(Review review) { review_ = std::move(review); }
  /// Likewise: what to do with the result before the solve ends, unless it has failed.
  void set_finally(std::function<void()> finally) { finally_ = std::move(finally); }

  /// Likewise: what tasks on GPUs begin after, or null.
  void set_after(std::shared_ptr<GpuEvent const> event) { after_ = std::move(event); }
  bool begins_after_event() const noexcept { return after_ != nullptr; }

  /// Likewise, before it has any: takes its temporary data from these, which outlive it. Only for one rank.
  void keep_temporaries(KeptTemporaries& in) noexcept {
    in.begin();
    kept_ = &in;
  }
  bool keeps_temporaries() const noexcept { return kept_ != nullptr; }
  /// Data of this solve, as SolveData::temporary makes them.
  template <class T>
  SolveData temporary(char const* name, std::int64_t count, int owner = everywhere, bool here = true) {
    return kept_ != nullptr ? kept_->next<T>(name, count, owner) : SolveData::temporary<T>(name, count, owner, here);
  }

  /// Where tasks of rank 0 write the energy and, if it is wanted, the virial; the others keep zeros.
  double* energy_memory(bool virial) noexcept {
    has_energy_ = true, has_virial_ = virial;
    return energy_.data();
  }

  /// The solve ends no sooner than what the tasks submitted so far write there is in that memory of the caller.
  void bring_home(Handle data, Home home = Home::host());
  /// The same for energies that are in temporary data, which energy_memory gets a copy of.
  void copy_energies_home(Handle data);

  /// All tasks are submitted: the solve ends when they have ended.
  void close();

  // For StarPU's callbacks.
  static void trial_begins(void* record) noexcept;             ///< a task of a trial begins
  static void task_begins_after_event(void* record) noexcept;  ///< a task begins whose solve waits for an event
  static void task_sends(void* record) noexcept;   ///< a task is done; nobody has begun to read what it is to send
  static void chain_ended(void* record) noexcept;  ///< a chain of tasks is done; what waits for it has not begun
  static void task_ended(void* record) noexcept;   ///< a task is done, and its data are released

  /// For its messages, all of which it waits for.
  static void* message_begins(void* solve, DataMessage const& message);
  static void message_ended(void* record) noexcept;
  /// `direct`: of these, without MPI.
  void count_sent(std::uint64_t bytes, std::uint64_t direct = 0) noexcept {
    sent_bytes_ += bytes;
    direct_bytes_ += direct;
  }
  std::uint64_t sent_bytes() const noexcept { return sent_bytes_; }  ///< by this rank; after wait, by all

  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Whether another solve may use this one's work space: it has ended, or with
  /// several ranks, all have waited for it, which is the same moment for all of them.
  bool released() const noexcept { return ranks_ == nullptr ? ended() : agreed_.load(std::memory_order_acquire); }
  void then(std::function<void()> callback);
  void on_progress(std::function<void(double)> callback);
  void cancel() noexcept;  ///< an error of the caller's own, unless it has ended
  void wait();             ///< until ended, callbacks included, on all ranks; does not throw
  /// As wait, of this rank's part, for at most so long. Returns whether it has ended.
  bool wait_for(double seconds);
  void rethrow() const;  ///< the first error of the tasks or of the progress callback, else of the others
  SolveReport report() const;

 private:
  static void is_home(void* homecoming) noexcept;
  void release_one();
  void tell_progress(Progress& progress) noexcept;
  double failed_at() const noexcept;
  bool is_earliest(bool failed) const;
  void review() noexcept;
  void review_together();
  void repeat() noexcept;
  void call_finally() noexcept;
  void finish();
  void look_for_end(double at_most = 1000) const noexcept;  ///< microseconds
  bool may_go_on() const noexcept;
  void agree();
  void call(std::function<void()> const& callback) noexcept;

  std::shared_ptr<RuntimeState> runtime_;  // first, so that StarPU outlives the handles
  Ranks const* ranks_;
  std::vector<std::shared_ptr<void const>> keep_alive_;
  std::shared_ptr<SolveState const> basis_;
  ErrorSlot errors_;
  std::shared_ptr<ErrorSlot const> errors_of_chain_;  ///< the first of them, if it was found in a captured chain
  std::deque<TaskRecord> tasks_;
  std::deque<MessageRecord> messages_;
  struct Homecoming {
    SolveState* solve;
    Handle data;
    int node;
    bool energies = false;  ///< to be copied to energy_
  };
  std::deque<Homecoming> homecomings_;
  std::atomic<int> open_{1};  // tasks and homecomings under way; the submission itself counts as one
  std::atomic<bool> ended_{false};
  unsigned number_ = 0;
  bool runs_ = false;  ///< workers were woken
  WorkFor work_ = WorkFor::gpus;
  double begun_ = 0, submitted_ = 0, closed_submission_ = 0, end_ = 0, predicted_ = 0;
  Review review_;
  std::function<void()> finally_;
  std::shared_ptr<GpuEvent const> after_;
  std::atomic<double> failed_at_{0};  ///< by StarPU's clock, when the first error was seen; 0: none was
  FoundErrors found_;                 ///< by the review
  bool has_energy_ = false, has_virial_ = false;
  std::array<double, 7> energy_{};     ///< and its virial: of this rank, of all once they have agreed
  std::shared_ptr<SolveState> again_;  ///< this solve, done again
  std::thread repeating_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> finished_ = false;  ///< set with mutex_ locked
  std::thread::id finisher_;
  std::vector<std::function<void()>> callbacks_;
  std::exception_ptr callback_error_;
  std::unique_ptr<Progress> progress_;
  std::atomic<Progress*> telling_{nullptr};  ///< the same, for workers
  std::exception_ptr progress_error_;        ///< of its callback, which ended the solve
  std::atomic<bool> agreed_{false};
  std::exception_ptr agreed_error_;  ///< the earliest one of all ranks
  std::uint64_t sent_bytes_ = 0;     ///< by this rank, by all once they have agreed
  std::uint64_t direct_bytes_ = 0;   ///< of these, without MPI
  KeptTemporaries* kept_ = nullptr;  ///< null: its temporary data end with it
};

}  // namespace nearfar::detail
