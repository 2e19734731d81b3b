// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <cstddef>
#include <starpu.h>

namespace nearfar::detail {

/// Memory nodes of StarPU between which the data of solves travel, on all ranks: of their GPUs, if MPI sends from GPU
/// to GPU and each rank has one; else of the hosts. Collective.
unsigned message_node(Ranks const& ranks);

/// Memory on a node, for messages. Throws std::bad_alloc.
class MessageMemory {
 public:
  MessageMemory(unsigned node, std::size_t bytes);
  ~MessageMemory();
  MessageMemory(MessageMemory const&) = delete;
  MessageMemory& operator=(MessageMemory const&) = delete;

  void* data() const noexcept { return reinterpret_cast<void*>(data_); }

 private:
  unsigned node_;
  std::size_t bytes_;
  std::uintptr_t data_;
};

}  // namespace nearfar::detail
