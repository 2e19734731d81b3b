// SPDX-License-Identifier: BSD-3-Clause
// The module nearfar._native: the C API as objects. The package around it is what users see.
#include "bindings/python/src/handles.hpp"

#include <atomic>
#include <utility>

namespace nb = nanobind;

namespace nearfar::python {

namespace {

Owner* newest = nullptr;
bool ending = false;  // as the list, under the interpreter's lock
std::atomic<int> calls{0};

void wait_for_calls() {
  nb::gil_scoped_release const released;
  for (int now = calls; now > 0; now = calls) calls.wait(now);
}

}  // namespace

InCall::InCall() noexcept { ++calls; }
InCall::~InCall() {
  --calls;
  calls.notify_all();
}

Unlocked::Unlocked() {
  Owner::expect_open();
  released_.emplace();
}

Owner::Owner() : before_(newest) {
  if (newest != nullptr) newest->after_ = this;
  newest = this;
}

Owner::~Owner() { unlink(); }

void Owner::unlink() noexcept {
  if (!std::exchange(linked_, false)) return;
  (after_ != nullptr ? after_->before_ : newest) = before_;
  if (before_ != nullptr) before_->after_ = after_;
}

void Owner::expect_open() {
  if (ending) ended();
}

void Owner::ended() {
  value_error(
      "this was called when the interpreter was about to end, which has released all plans; "
      "let threads that use them end before");
}

void Owner::release_all() noexcept {
  ending = true;
  wait_for_calls();
  while (newest != nullptr) {
    Owner* const owner = newest;  // may go while it is released, by another thread
    owner->unlink();
    owner->release();
  }
  wait_for_calls();
}

}  // namespace nearfar::python

NB_MODULE(_native, module) {
  using namespace nearfar::python;
  nb::set_leak_warnings(false);  // whatever a program still holds at its end was released by release_all
  bind_runtime(module);
  bind_columns(module);
  bind_plan(module);
  bind_job(module);
  bind_poisson(module);
  module.def(
      "forget_calls", [] { calls = 0; }, "In a child of fork, which has none of the other threads.");
  module.def("release_all", &Owner::release_all, "Waits for all solves, and ends all plans and the runtime.");
}
