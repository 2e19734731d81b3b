// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/error_slot.hpp"

#include <nearfar/error.hpp>

#include <new>
#include <string>

namespace nearfar {

void ErrorSlot::rethrow_if_failed() const {
  if (!failed()) return;
  std::string const where =
      " (stage " + std::string(stage_) + ", block " + std::to_string(block_) + ", worker " + worker_ + ")";
  try {
    std::rethrow_exception(error_);
  } catch (Error const& e) {
    throw Error(e.fault(), e.what() + where);
  } catch (std::bad_alloc const&) {
    throw Error(Fault::no_resource, "a task could not get memory" + where);
  } catch (std::exception const& e) {
    throw Error(Fault::bug, e.what() + where);
  } catch (...) {
    throw Error(Fault::bug, "a task threw something that is no std::exception" + where);
  }
}

}  // namespace nearfar
