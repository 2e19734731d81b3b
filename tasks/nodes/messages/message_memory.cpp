// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/messages/message_memory.hpp"

#include <cstdlib>
#include <mpi.h>
#include <new>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace nearfar::detail {

namespace {

/// As StarPU-MPI decides it.
bool mpi_sends_from_gpus() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && defined(STARPU_USE_CUDA)
  char const* const wanted = std::getenv("STARPU_MPI_GPUDIRECT");
  return (wanted == nullptr || std::atoi(wanted) != 0) && MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace

unsigned message_node(Ranks const& ranks) {
  bool const mine = mpi_sends_from_gpus() && starpu_cuda_worker_get_count() == 1;
  if (ranks.sum(std::uint64_t(mine)) < std::uint64_t(ranks.count())) return STARPU_MAIN_RAM;
  return starpu_worker_get_memory_node(unsigned(starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0)));
}

MessageMemory::MessageMemory(unsigned node, std::size_t bytes)
    : node_(node), bytes_(bytes), data_(starpu_malloc_on_node(node, bytes)) {
  if (data_ == 0) throw std::bad_alloc();
}

MessageMemory::~MessageMemory() { starpu_free_on_node(node_, data_, bytes_); }

}  // namespace nearfar::detail
