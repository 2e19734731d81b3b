// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <sched.h>
#include <shared_mutex>
#include <starpu.h>
#include <starpu_expert.h>
#include <thread>
#include <utility>

namespace nearfar::detail {

namespace {

using Clock = std::chrono::steady_clock;

/// What resting workers share. It outlives them: StarPU may still call a hook that was just deregistered.
struct Resting {
  std::shared_mutex settings;
  std::optional<Rest> rest;  ///< none: nobody is to rest
  RestingWorkers::AtWork at_work;
  std::mutex mutex;
  std::condition_variable woken;
  unsigned wakes = 0;
};

Resting& resting() {
  static Resting shared;
  return shared;
}

/// The number of the calling worker among those of CPUs.
unsigned number_among_cpus() {
  static thread_local unsigned const number = [] {
    unsigned before = 0;
    for (int w = 0; w < starpu_worker_get_id(); ++w) before += starpu_worker_get_type(w) == STARPU_CPU_WORKER ? 1 : 0;
    return before;
  }();
  return number;
}

/// A worker has looked for a task and found none.
unsigned rest_a_while(void*) {
  using namespace std::chrono_literals;
  constexpr auto between_looks = 200us;  // at most; who comes later has had a task
  static thread_local Clock::time_point last;
  static thread_local std::chrono::microseconds now{};
  static thread_local unsigned wakes = 0;
  Resting& shared = resting();
  unsigned const number = number_among_cpus();
  Rest rest;
  {
    std::shared_lock const settings(shared.settings);
    if (!shared.rest) return 0;
    rest = *shared.rest;
    bool const working = !shared.at_work || shared.at_work();
    if (working && number < rest.watchful) return 0;
  }
  bool const helps = number<rest.helpers, had_task = Clock::now() - last> between_looks;
  unsigned const times = rest.watchful > 0 ? std::max(1u, number / rest.watchful) : 1;
  auto const begin = [&](bool new_work) {
    now = new_work ? rest.first : std::min(std::max(rest.first, 2 * now), times * rest.longest);
  };
  if (helps) {
    std::unique_lock lock(shared.mutex);
    begin(std::exchange(wakes, shared.wakes) != shared.wakes || had_task);
    shared.woken.wait_for(lock, now, [&] { return shared.wakes != wakes; });
  } else {  // who is not woken does not wait for the same lock either, and wakes of others are no work for it
    begin(had_task);
    std::this_thread::sleep_for(now);
  }
  last = Clock::now();
  return 1;
}

}  // namespace

RestingWorkers::RestingWorkers(Rest const& rest, AtWork at_work) {
  {
    Resting& shared = resting();
    std::lock_guard const lock(shared.settings);
    shared.rest = rest;
    shared.at_work = std::move(at_work);
  }
  hook_ = starpu_idle_hook_register(rest_a_while, nullptr);
}

RestingWorkers::~RestingWorkers() {
  if (hook_ >= 0) starpu_idle_hook_deregister(hook_);
  Resting& shared = resting();
  std::lock_guard const lock(shared.settings);
  shared.rest.reset();
  shared.at_work = {};
}

void RestingWorkers::wake() noexcept {
  Resting& shared = resting();
  {
    std::lock_guard const lock(shared.mutex);
    ++shared.wakes;
  }
  shared.woken.notify_all();
}

bool is_real_time() noexcept {
  int const policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  return policy == SCHED_FIFO || policy == SCHED_RR;
}

}  // namespace nearfar::detail
