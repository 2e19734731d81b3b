// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/trace/tracer.hpp"

namespace nearfar {

Runtime::Runtime(RuntimeOptions const& options) : state_(detail::RuntimeState::get(options, detail::make_tracer)) {}

std::vector<Worker> Runtime::workers() const { return detail::worker_list(); }

std::string Runtime::scheduler() const { return state_->scheduler(); }

std::string Runtime::version() const { return detail::version_text(); }

int Runtime::rank() const noexcept { return state_->ranks().rank(); }

int Runtime::ranks() const noexcept { return state_->ranks().count(); }

void Runtime::agree(std::exception_ptr error) const { state_->ranks().agree(error); }

void Runtime::mark(std::string const& text) const {
  if (auto* observer = state_->observer(); observer != nullptr) observer->mark(text);
}

}  // namespace nearfar
