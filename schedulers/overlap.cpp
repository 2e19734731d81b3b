// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/overlap.hpp"

#include "core/math/happens_before.hpp"
#include "schedulers/priorities.hpp"
#include "schedulers/ready_queue.hpp"
#include "schedulers/work_balance.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <starpu_scheduler.h>
#include <utility>

namespace nearfar {

namespace {

using Kind = WorkBalance::Kind;

Kind kind_of(unsigned worker) {
  return starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER ? Kind::cpu : Kind::gpu;
}

/// State of one StarPU context. One mutex guards the queues: tasks take milliseconds, decisions microseconds. The
/// balance of remaining work has its own, held briefly, because every task is counted three times.
struct Overlap {
  std::mutex mutex;
  Queue far, filler;
  starpu_task_list unsorted;  // tasks that found no memory for a queue entry: taken first
  std::atomic<bool> any_unsorted{false};
  // Idle workers read these before they take the mutex.
  std::atomic<int> ready[2]{};          // far, filler
  std::atomic<bool> left_to_gpus[2]{};  // a CPU left all of them, and none came or ended since
  std::atomic<bool> has_gpus{false};
  std::atomic<int> opening{0};  // workers in an opening stage: both parts of a solve wait for it
  std::mutex balance_mutex;
  WorkBalance balance;  // kept only where there are GPUs
  std::uint64_t arrivals = 0;
  double usual_flops = 0;  // flops of the first task when the filler queue was last empty
  struct Running {
    std::deque<double> begins;  // microseconds; a GPU worker has several tasks in flight
    double last_end = 0;
    bool opens = false;           // whether its last task was an opening one
  } running[STARPU_NMAXWORKERS];  // each entry is used by its worker only
};

Overlap& overlap_of(unsigned context) { return *static_cast<Overlap*>(starpu_sched_ctx_get_policy_data(context)); }

/// StarPU requires that a worker waiting for a mutex lets others inspect it meanwhile. The queues' mutex is usually
/// free again sooner than a thread falls asleep, so try for a while first.
std::unique_lock<std::mutex> lock(Overlap& overlap) {
  constexpr int tries = 1000;
  std::unique_lock quick(overlap.mutex, std::try_to_lock);
  for (int i = 0; i < tries && !quick; ++i) quick.try_lock();
  if (quick) return quick;
  starpu_worker_relax_on();
  std::unique_lock held(overlap.mutex);
  starpu_worker_relax_off();
  return held;
}

/// For a worker that looks for a task. A polling worker does not wait: it comes again at once, and if many slept at the
/// mutex they would wake each other one by one.
std::unique_lock<std::mutex> lock_to_look(Overlap& overlap) {
#ifdef STARPU_NON_BLOCKING_DRIVERS
  return std::unique_lock(overlap.mutex, std::try_to_lock);
#else
  return lock(overlap);
#endif
}

void init(unsigned context) noexcept {
  auto* overlap = new Overlap;
  starpu_task_list_init(&overlap->unsorted);
  starpu_sched_ctx_set_policy_data(context, overlap);
  // Otherwise StarPU clamps all priorities to two values.
  starpu_sched_ctx_set_min_priority(context, INT_MIN);
  starpu_sched_ctx_set_max_priority(context, INT_MAX);
}
void deinit(unsigned context) noexcept { delete &overlap_of(context); }

void add_workers(unsigned context, int* workers, unsigned count) noexcept {
  auto& overlap = overlap_of(context);
  for (unsigned i = 0; i < count; ++i) {
    overlap.balance.add_worker(kind_of(unsigned(workers[i])));
    overlap.has_gpus = overlap.balance.has_gpus();
    if (workers[i] != starpu_worker_get_id()) starpu_wake_worker_locked(workers[i]);
    starpu_sched_ctx_worker_shares_tasks_lists(workers[i], int(context));
  }
}

void remove_workers(unsigned context, int* workers, unsigned count) noexcept {
  auto& overlap = overlap_of(context);
  for (unsigned i = 0; i < count; ++i) {
    overlap.balance.remove_worker(kind_of(unsigned(workers[i])));
    if (std::exchange(overlap.running[workers[i]].opens, false)) --overlap.opening;
  }
  overlap.has_gpus = overlap.balance.has_gpus();
}

void submit_hook(starpu_task* task) noexcept {
  auto& overlap = overlap_of(task->sched_ctx);
  if (task->cl == nullptr || !overlap.has_gpus) return;
  std::lock_guard const held(overlap.balance_mutex);
  overlap.balance.submitted(task->cl, is_filler(task->priority), task->flops);
  overlap.left_to_gpus[is_filler(task->priority)] = false;
}

/// Size classes, a factor of four apart: tasks of similar size stay in their order of submission, which follows space
/// and so suits the caches.
int size_class(double flops, double usual) { return int(std::lround(0.5 * std::log2((1 + flops) / (1 + usual)))); }

/// Calls visit(worker) for those that can run the task, until one returns true.
template <class Visit>
bool any_able(starpu_task* task, Visit const& visit) {
  auto* workers = starpu_sched_ctx_get_worker_collection(task->sched_ctx);
  starpu_sched_ctx_iterator it;
  workers->init_iterator_for_parallel_tasks(workers, &it, task);
  while (workers->has_next(workers, &it)) {
    unsigned const worker = unsigned(workers->get_next(workers, &it));
    if (starpu_worker_can_execute_task_first_impl(worker, task, nullptr) && visit(worker)) return true;
  }
  return false;
}

bool can_run_on_gpus(starpu_task* task) {
  bool const has_body = task->cl != nullptr && (task->cl->where & ~STARPU_CPU) != 0;
  return has_body && any_able(task, [](unsigned worker) { return kind_of(worker) == Kind::gpu; });
}

int push(starpu_task* task) noexcept {
  happens_after(task);  // its submission
  auto& overlap = overlap_of(task->sched_ctx);
  bool const shared = overlap.has_gpus;
  // Among CPUs, the end of the far part serves as filler that evens out the end of the solve. Beside GPUs, filler that
  // GPUs cannot run is queued with the far part, which is the CPUs' work.
  bool filler = is_filler(task->priority) || (!shared && ends_the_far_part(task->priority));
  bool const on_gpus = shared && can_run_on_gpus(task);
  if (shared) {
    filler = filler && on_gpus;
    std::lock_guard const held(overlap.balance_mutex);
    if (on_gpus) overlap.balance.runs_on_gpus(task->cl, filler || suits_gpus(task->priority));
  }
  {
    auto const held = lock(overlap);
    if (overlap.filler.empty()) overlap.usual_flops = task->flops;
    int const sort_key = filler ? size_class(task->flops, overlap.usual_flops) : task->priority;
    starpu_tag_t const solve = filler && !shared ? task->tag_id : 0;
    try {
      (filler ? overlap.filler : overlap.far)
          .insert({solve, sort_key, overlap.arrivals++, starpu_worker_get_id(), task, on_gpus});
      ++overlap.ready[filler];
    } catch (std::bad_alloc const&) {
      starpu_task_list_push_back(&overlap.unsorted, task);
      overlap.any_unsorted = true;
    }
    overlap.left_to_gpus[filler] = false;
    starpu_push_task_end(task);
  }
#ifndef STARPU_NON_BLOCKING_DRIVERS
  any_able(task, [](unsigned worker) { return starpu_wake_worker_relax_light(int(worker)) != 0; });
#endif
  return 0;
}

starpu_task* take(Overlap& overlap, bool filler, Queue::iterator i) {
  Queue& queue = filler ? overlap.filler : overlap.far;
  if (i == queue.end()) return nullptr;
  starpu_task* task = i->task;
  queue.erase(i);
  --overlap.ready[filler];
  return task;
}

/// Counts workers in opening stages. While there are any, CPUs begin no filler, which would keep them from the far part
/// for long: opening tasks are short and worth waiting for. A worker counts until it asks for its next task, since by
/// then all that its last task made ready is in the queues.
void count_opening(Overlap& overlap, unsigned worker, starpu_task const* task) {
  bool const opens = task != nullptr && opens_both_parts(task->priority);
  bool& before = overlap.running[worker].opens;
  if (opens == before) return;  // idle workers, which all read the counter, come here constantly
  overlap.opening += opens ? 1 : -1;
  before = opens;
}

/// Of stages that suit GPUs, CPUs only take what the GPUs would not get to in time.
starpu_task* take_far(Overlap& overlap, unsigned worker) {
  auto i = pick(overlap.far, worker);
  if (kind_of(worker) == Kind::gpu || !overlap.has_gpus) return take(overlap, false, i);
  std::lock_guard const counting(overlap.balance_mutex);
  while (i != overlap.far.end() && i->on_gpus && overlap.balance.leave_to_gpus(i->task->cl, i->task->flops))
    i = pick_after(overlap.far, i, worker);
  overlap.left_to_gpus[false] = i == overlap.far.end();
  if (i != overlap.far.end()) overlap.balance.begun_on_cpu(i->task->cl, i->task->flops);
  return take(overlap, false, i);
}

starpu_task* take_filler(Overlap& overlap, unsigned worker) {
  if (kind_of(worker) == Kind::gpu || !overlap.has_gpus) return take(overlap, true, pick(overlap.filler, worker));
  auto const i = pick_small(overlap.filler, worker);
  if (i == overlap.filler.end()) return nullptr;
  std::lock_guard const counting(overlap.balance_mutex);
  overlap.left_to_gpus[true] = overlap.balance.leave_to_gpus(i->task->cl, i->task->flops);
  if (overlap.left_to_gpus[true]) return nullptr;
  overlap.balance.begun_on_cpu(i->task->cl, i->task->flops);
  return take(overlap, true, i);
}

#ifndef STARPU_NON_BLOCKING_DRIVERS
/// Wakes workers that held back and went to sleep.
void wake_all(unsigned context) {
  auto* workers = starpu_sched_ctx_get_worker_collection(context);
  starpu_sched_ctx_iterator it;
  workers->init_iterator(workers, &it);
  while (workers->has_next(workers, &it))
    if (int const worker = workers->get_next(workers, &it); worker != starpu_worker_get_id())
      starpu_wake_worker_relax_light(worker);
}
#endif

starpu_task* take_unsorted(Overlap& overlap, unsigned worker) {
  auto& list = overlap.unsorted;
  for (auto* task = starpu_task_list_begin(&list); task != nullptr; task = starpu_task_list_next(task)) {
    unsigned implementation = 0;
    if (!starpu_worker_can_execute_task_first_impl(worker, task, &implementation)) continue;
    starpu_task_list_erase(&list, task);
    overlap.any_unsorted = !starpu_task_list_empty(&list);
    starpu_task_set_implementation(task, implementation);
    return task;
  }
  return nullptr;
}

/// Call with the queues locked.
starpu_task* choose(Overlap& overlap, unsigned worker) {
  if (overlap.any_unsorted)
    if (auto* task = take_unsorted(overlap, worker)) return task;
  bool const gpu = kind_of(worker) == Kind::gpu;
  auto const filler_first = [&] {
    std::lock_guard const counting(overlap.balance_mutex);
    return overlap.balance.gpus_keep_to_filler();
  };
  if (gpu && filler_first())
    if (auto* task = take_filler(overlap, worker)) return task;
  if (auto* task = take_far(overlap, worker)) return task;
  return gpu || overlap.opening == 0 ? take_filler(overlap, worker) : nullptr;
}

starpu_task* pop(unsigned context) noexcept {
  auto& overlap = overlap_of(context);
  unsigned const worker = unsigned(starpu_worker_get_id());
#ifndef STARPU_NON_BLOCKING_DRIVERS
  int const opening = overlap.opening;
#endif
  count_opening(overlap, worker, nullptr);
#ifndef STARPU_NON_BLOCKING_DRIVERS
  if (opening > 0 && overlap.opening == 0) wake_all(context);
#endif
  bool const gpu = kind_of(worker) == Kind::gpu;
  auto const looks_at = [&](bool filler) {
    return overlap.ready[filler] > 0 && (gpu || (!overlap.left_to_gpus[filler] && (!filler || overlap.opening == 0)));
  };
  if (!looks_at(false) && !looks_at(true) && !overlap.any_unsorted) return nullptr;
  auto const held = lock_to_look(overlap);
  if (!held) return nullptr;
  starpu_task* task = choose(overlap, worker);
  count_opening(overlap, worker, task);
  return task;
}

void pre_exec(starpu_task*, unsigned context) noexcept {
  auto& overlap = overlap_of(context);
  if (!overlap.has_gpus) return;
  overlap.running[starpu_worker_get_id()].begins.push_back(starpu_timing_now());
}

void post_exec(starpu_task* task, unsigned context) noexcept {
  auto& overlap = overlap_of(context);
  if (!overlap.has_gpus) return;
  int const worker = starpu_worker_get_id();
  double const now = starpu_timing_now();
  auto& running = overlap.running[worker];
  double const begin = running.begins.empty() ? now : std::max(running.begins.front(), running.last_end);
  if (!running.begins.empty()) running.begins.pop_front();
  running.last_end = now;
  std::lock_guard const held(overlap.balance_mutex);
  overlap.balance.ended(task->cl, kind_of(unsigned(worker)), task->flops, 1e-6 * (now - begin));
  overlap.left_to_gpus[is_filler(task->priority)] = false;
}

}  // namespace

starpu_sched_policy& overlap_policy() {
  static starpu_sched_policy policy = [] {
    starpu_sched_policy p{};
    p.init_sched = init;
    p.deinit_sched = deinit;
    p.push_task = push;
    p.pop_task = pop;
    p.submit_hook = submit_hook;
    p.pre_exec_hook = pre_exec;
    p.post_exec_hook = post_exec;
    p.add_workers = add_workers;
    p.remove_workers = remove_workers;
    p.policy_name = "overlap";
    p.policy_description = "far field by priority, near field where that leaves a gap, and on GPUs";
    p.worker_type = STARPU_WORKER_LIST;
    return p;
  }();
  return policy;
}

}  // namespace nearfar
