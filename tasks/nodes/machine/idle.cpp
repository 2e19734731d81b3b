// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"

#include <algorithm>
#include <sched.h>
#include <starpu.h>
#include <starpu_expert.h>
#include <thread>

namespace nearfar::detail {

namespace {

using Clock = std::chrono::steady_clock;

/// The number of the calling worker among those of CPUs.
unsigned number_among_cpus() {
  static thread_local unsigned const number = [] {
    unsigned before = 0;
    for (int w = 0; w < starpu_worker_get_id(); ++w) before += starpu_worker_get_type(w) == STARPU_CPU_WORKER ? 1 : 0;
    return before;
  }();
  return number;
}

unsigned pause(void* raw) {
  using namespace std::chrono_literals;
  auto const& rest = *static_cast<Rest const*>(raw);
  if (rest.watchful > 0 && number_among_cpus() < rest.watchful) return 0;
  constexpr auto between_looks = 200us;  // at most; who comes later has had a task
  static thread_local Clock::time_point last;
  static thread_local std::chrono::microseconds now = rest.first;
  now = Clock::now() - last > between_looks ? rest.first : std::min(2 * now, rest.longest);
  std::this_thread::sleep_for(now);
  last = Clock::now();
  return 1;
}

}  // namespace

RestingWorkers::RestingWorkers(Rest const& rest) : hook_(starpu_idle_hook_register(pause, const_cast<Rest*>(&rest))) {}

RestingWorkers::~RestingWorkers() {
  if (hook_ >= 0) starpu_idle_hook_deregister(hook_);
}

bool is_real_time() noexcept {
  int const policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  return policy == SCHED_FIFO || policy == SCHED_RR;
}

}  // namespace nearfar::detail
