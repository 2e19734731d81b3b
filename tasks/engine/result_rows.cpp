// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/result_rows.hpp"

#include "tasks/engine/runtime/gpu_workers.hpp"

namespace nearfar::detail {

bool runs_in_one_memory(starpu_codelet const& writer, bool stays_with_cpus) {
  return starpu_memory_nodes_get_numa_count() == 1 && (stays_with_cpus || gpu_workers(writer).empty());
}

ResultRows::~ResultRows() {
  if (shared_ && here_) solve_.bring_home(data_.front(), home_);
}

}  // namespace nearfar::detail
