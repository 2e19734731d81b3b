// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/solve/solve_state.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/common/gpu/gpu_pointer.hpp"
#include "core/math/floating_point.hpp"
#include "tasks/engine/chain/chain.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/runtime/process.hpp"
#include "tasks/engine/solve/observer.hpp"
#include "tasks/nodes/messages/messages.hpp"
#include "tasks/nodes/owners.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <starpu_profiling.h>

namespace nearfar::detail {

namespace {

/// If this variable is set, StarPU makes the submission of tasks wait until others end.
constexpr char const* throttle = "STARPU_LIMIT_MAX_SUBMITTED_TASKS";

/// CPU time of the calling thread.
double thread_seconds() noexcept {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace

SolveState::SolveState(std::shared_ptr<RuntimeState> runtime, std::vector<std::shared_ptr<void const>> keep_alive,
                       Ranks const* ranks)
    : runtime_(std::move(runtime)), ranks_(ranks != nullptr && ranks->several() ? ranks : nullptr),
      keep_alive_(std::move(keep_alive)), begun_(starpu_timing_now()), submitted_(begun_) {
  number_ = runtime_->solve_begins();
}

SolveState::~SolveState() {
  if (!repeating_.joinable()) return;
  if (repeating_.get_id() == std::this_thread::get_id()) repeating_.detach();  // in a callback of this solve
  else repeating_.join();
}

TaskRecord& SolveState::open_task() {
  tasks_.emplace_back();  // first: it may throw
  open_.fetch_add(1, std::memory_order_relaxed);
  tasks_.back().solve = this;
  return tasks_.back();
}

void SolveState::drop_task() {
  tasks_.pop_back();
  open_.fetch_sub(1, std::memory_order_relaxed);
}

void SolveState::task_submitted(WorkFor work) {
  if (work == WorkFor::all) work_ = work;
  if (runs_ || (starpu_timing_now() < submitted_ + head_start && std::getenv(throttle) == nullptr)) return;
  runs_ = true;
  runtime_->let_run(work_);
}

void SolveState::bring_home(Handle data, Home home) {
  if (starpu_memory_nodes_get_count() == 1) return;
  if (ranks_ != nullptr && owner_of(data) != ranks_->rank() && owner_of(data) != everywhere) return;
  homecomings_.push_back({this, data, home.node});
  open_.fetch_add(1, std::memory_order_relaxed);
  starpu_data_acquire_on_node_cb(data, home.node, STARPU_R, is_home, &homecomings_.back());
}

void SolveState::copy_energies_home(Handle data) {
  homecomings_.push_back({this, data, STARPU_MAIN_RAM, true});
  open_.fetch_add(1, std::memory_order_relaxed);
  starpu_data_acquire_on_node_cb(data, STARPU_MAIN_RAM, STARPU_R, is_home, &homecomings_.back());
}

void SolveState::is_home(void* raw) noexcept {
  auto const homecoming = *static_cast<Homecoming*>(raw);
  if (homecoming.energies) {
    auto const* const home = static_cast<starpu_vector_interface const*>(
        starpu_data_get_interface_on_node(homecoming.data, unsigned(homecoming.node)));
    auto& energy = homecoming.solve->energy_;
    std::copy_n(reinterpret_cast<double const*>(home->ptr), std::min<std::size_t>(energy.size(), home->nx),
                energy.begin());
  }
  starpu_data_release_on_node(homecoming.data, homecoming.node);
  homecoming.solve->release_one();
}

void SolveState::close() {
  closed_submission_ = starpu_timing_now();
  runtime_->let_run(work_);
  release_one();
}

void SolveState::task_begins_after_event([[maybe_unused]] void* raw) noexcept {
#if defined(NEARFAR_WITH_GPUS)
  if (starpu_worker_get_type(starpu_worker_get_id()) == STARPU_CPU_WORKER) return;
  auto const& record = *static_cast<TaskRecord const*>(raw);
  try {
    record.solve->after_->hold(worker_stream());
  } catch (...) {
    record.solve->errors_.store(record.stage, record.block, current_worker(), std::current_exception());
  }
#endif
}

void SolveState::trial_begins(void* raw) noexcept {
  auto& record = *static_cast<TaskRecord*>(raw);
  if (record.asks_model) {
    double const length =
        starpu_task_worker_expected_length(record.task, unsigned(starpu_worker_get_id()), record.task->sched_ctx, 0);
    record.expected = length > 0 ? length : 0;  // NaN if the model has too few measurements
  }
  record.own_seconds = -thread_seconds();
}

void SolveState::task_ended(void* raw) noexcept {
  auto& record = *static_cast<TaskRecord*>(raw);
  if (record.own_seconds < 0) record.own_seconds += thread_seconds();
  record.implementation = starpu_task_get_implementation(record.task);
  if (auto const* info = record.task->profiling_info; info != nullptr) {
    auto const microseconds = [](timespec time) { return starpu_timing_timespec_to_us(&time); };
    record.worker = info->workerid;
    record.submitted = microseconds(info->submit_time);
    record.ready = microseconds(info->push_start_time);
    record.fetch_begins = microseconds(info->acquire_data_start_time);
    record.fetch_ends = microseconds(info->acquire_data_end_time);
    record.start = microseconds(info->start_time);
    record.end = microseconds(info->end_time);
  }
  if (!record.asks_model && record.task->predicted > 0) record.expected = record.task->predicted;
  record.solve->release_one();
}

void SolveState::task_sends(void* raw) noexcept {
  auto const& record = *static_cast<TaskRecord const*>(raw);
  for (unsigned const node : record.next_nodes)
    for (auto const& [handle, mode] : record.accesses)
      if ((mode & STARPU_W) != 0) starpu_data_prefetch_on_node(handle, node, 1);
}

void SolveState::chain_ended(void* raw) noexcept {
  auto const& record = *static_cast<TaskRecord const*>(raw);
  auto found = record.chain->ended();
  SolveState& solve = *record.solve;
  if (!found || solve.errors_.failed()) return;
  solve.errors_of_chain_ = std::move(found);
  solve.errors_.store(Chain::name, 0, "none", nullptr);
}

void* SolveState::message_begins(void* raw, DataMessage const& message) {
  auto& solve = *static_cast<SolveState*>(raw);
  solve.messages_.push_back({&solve, message.handle, message.peer, message.sent, starpu_data_get_size(message.handle),
                             int(solve.tasks_.size()), starpu_timing_now(), 0});
  solve.open_.fetch_add(1, std::memory_order_relaxed);
  return &solve.messages_.back();
}

void SolveState::message_ended(void* raw) noexcept {
  auto& record = *static_cast<MessageRecord*>(raw);
  record.arrived = starpu_timing_now();
  record.solve->release_one();
}

void SolveState::release_one() {
  if (auto* const progress = telling_.load(std::memory_order_acquire); progress != nullptr) tell_progress(*progress);
  if (errors_.failed() && failed_at_ == 0) {
    double none = 0;
    failed_at_.compare_exchange_strong(none, starpu_timing_now());
  }
  if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1) review();
}

/// Before the calling task counts as ended, so that the solve outlasts the call.
void SolveState::tell_progress(Progress& progress) noexcept {
  if (errors_.failed()) return;
  try {
    progress.tasks_left(open_.load(std::memory_order_relaxed) - 1);
  } catch (...) {
    progress_error_ = std::current_exception();
    errors_.store("progress", 0, current_worker(), progress_error_);
  }
}

/// All tasks have ended. So has the solve, unless it missed its tolerance and is repeated.
void SolveState::review() noexcept {
  if (!review_.errors || review_.together || errors_.failed()) return finish();
  try {
    found_ = review_.errors();
    if (found_.of_result <= review_.allowed || !review_.again) return finish();
    std::lock_guard const lock(mutex_);  // the thread waits until it is stored in repeating_
    repeating_ = std::thread([this] {
      { std::lock_guard const kept(mutex_); }
      repeat();
      finish();
    });
  } catch (...) {
    errors_.store("check", 0, "none", std::current_exception());
    finish();
  }
}

/// All tasks of all ranks have ended without error.
void SolveState::review_together() {
  found_ = review_.errors();
  if (found_.of_result <= review_.allowed) return;
  repeat();
  errors_.rethrow_if_failed();
  if (again_ && finally_) call_finally();
  ranks_->together([&] { errors_.rethrow_if_failed(); });
  end_ = starpu_timing_now();
}

void SolveState::repeat() noexcept {
  try {
    Solve again = review_.again(found_.of_result);
    again_ = again.state();
    if (!again_) return;
    again.wait();
    found_ = again_->found_;
  } catch (...) {
    errors_.store("check", 0, "none", std::current_exception());
  }
}

void SolveState::call_finally() noexcept {
  try {
    finally_();
  } catch (...) {
    errors_.store("copy_results", 0, "none", std::current_exception());
  }
}

void SolveState::finish() {
  std::vector<std::function<void()>> callbacks;
  std::unique_ptr<Progress> progress;
  if (finally_ && !errors_.failed()) call_finally();
  if (!review_.together) finally_ = nullptr;  // releases all that it captured
  double const end = starpu_timing_now();
  if (auto* observer = runtime_->observer(); observer != nullptr)
    observer->solve_ended({number_, begun_, closed_submission_, end, ranks_ != nullptr}, tasks_, messages_);
  {
    std::lock_guard const lock(mutex_);
    end_ = end;
    finisher_ = std::this_thread::get_id();
    ended_.store(true, std::memory_order_release);
    callbacks.swap(callbacks_);
    progress.swap(progress_);
    telling_.store(nullptr, std::memory_order_relaxed);
  }
  runtime_->solve_ends();
  if (progress && !errors_.failed()) call([&progress] { progress->complete(); });
  for (auto const& callback : callbacks) call(callback);
  progress.reset();
  callbacks.clear();
  // Notified under the lock: once it is released a waiter may destroy this object.
  std::lock_guard const lock(mutex_);
  finished_.store(true, std::memory_order_release);
  changed_.notify_all();
}

void SolveState::call(std::function<void()> const& callback) noexcept {
  try {
    callback();
  } catch (...) {
    std::lock_guard const lock(mutex_);
    if (!callback_error_) callback_error_ = std::current_exception();
  }
}

void SolveState::then(std::function<void()> callback) {
  {
    std::lock_guard const lock(mutex_);
    if (!ended()) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  call(callback);
}

void SolveState::on_progress(std::function<void(double)> callback) {
  {
    std::lock_guard const lock(mutex_);
    if (!ended()) {
      if (progress_)
        throw Error(Fault::bad_input,
                    "this solve tells its progress to a callback already, and there is one for each "
                    "solve; let that one pass it on");
      auto const tasks = tasks_.size() + homecomings_.size() + messages_.size();
      progress_ = std::make_unique<Progress>(std::move(callback), int(tasks));
      telling_.store(progress_.get(), std::memory_order_release);
      return;
    }
  }
  if (!failed()) call([&callback] { callback(1); });
}

void SolveState::cancel() noexcept {
  if (ended()) return;
  errors_.store("cancel", 0, "none",
                std::make_exception_ptr(Error(Fault::bad_input,
                                              "this solve was cancelled by its caller, so its result "
                                              "is not complete; submit it again")));
}

}  // namespace nearfar::detail
