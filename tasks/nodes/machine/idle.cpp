// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/idle.hpp"

#include <chrono>
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

}  // namespace nearfar::detail
