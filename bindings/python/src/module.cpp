// SPDX-License-Identifier: BSD-3-Clause
// The module nearfar._native: the C API as objects. The package around it is what users see.
#include "bindings/python/src/handles.hpp"

namespace nb = nanobind;

namespace nearfar::python {

namespace {
Owner* newest = nullptr;
}

Owner::Owner() : before_(newest) {
  if (newest != nullptr) newest->after_ = this;
  newest = this;
}

Owner::~Owner() {
  (after_ != nullptr ? after_->before_ : newest) = before_;
  if (before_ != nullptr) before_->after_ = after_;
}

void Owner::release_all() noexcept {
  for (Owner* owner = newest; owner != nullptr; owner = owner->before_) owner->release();
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
  module.def("release_all", &Owner::release_all, "Waits for all solves, and ends all plans and the runtime.");
}
