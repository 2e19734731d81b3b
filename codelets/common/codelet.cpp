// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/codelet.hpp"

#include "codelets/common/capture/on_stream.hpp"

#include <nearfar/error.hpp>

#include <cmath>
#include <new>

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

std::string current_worker() {
  int const id = starpu_worker_get_id();
  if (id < 0) return "none";
  char name[64];
  starpu_worker_get_name(id, name, sizeof name);
  try {
    return name;
  } catch (std::bad_alloc const&) {  // this is called to report an error: that one must get through
    return "?";
  }
}

std::uint32_t cost_bucket(starpu_task* task) {
  happens_after(task);
  auto const& header = *static_cast<TaskHeader const*>(task->cl_arg);
  return header.cost > 1 ? std::uint32_t(std::lround(8 * std::log2(header.cost))) : 0;
}

std::size_t cost_size(starpu_task* task, unsigned) {
  happens_after(task);
  auto const& header = *static_cast<TaskHeader const*>(task->cl_arg);
  return header.cost > 1 ? std::size_t(header.cost) : 1;
}

bool implementation_allowed(Implementation wanted, bool is_cpu, unsigned number) noexcept {
  if (wanted == Implementation::any) return true;
  return number == 0 && (is_cpu || suits_gpus(wanted));
}

void* worker_stream() noexcept {
  if (void* const other = OnStream::current()) return other;
#if defined(NEARFAR_WITH_CUDA) && defined(STARPU_USE_CUDA)
  return static_cast<void*>(starpu_cuda_get_local_stream());
#elif defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
  return static_cast<void*>(starpu_hip_get_local_stream());
#else
  return nullptr;
#endif
}

}  // namespace nearfar
