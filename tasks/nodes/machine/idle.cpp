// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"

#include <chrono>
#include <sched.h>
#include <starpu.h>
#include <starpu_expert.h>
#include <thread>

namespace nearfar::detail {

namespace {

unsigned rest(void*) {
  using namespace std::chrono_literals;
  std::this_thread::sleep_for(20us);  // to which Linux adds 50
  return 1;
}

}  // namespace

RestingWorkers::RestingWorkers() : hook_(starpu_idle_hook_register(rest, nullptr)) {}

RestingWorkers::~RestingWorkers() {
  if (hook_ >= 0) starpu_idle_hook_deregister(hook_);
}

bool is_real_time() noexcept {
  int const policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  return policy == SCHED_FIFO || policy == SCHED_RR;
}

}  // namespace nearfar::detail
