// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/math/happens_before.hpp"

#include <span>

namespace nearfar {

/// Surrounds the body of one CPU task, once its header may be read: tells the thread sanitizer the order that StarPU
/// promises, and no more. A task follows its submission and the last writer of what it accesses; a writer also follows
/// earlier readers. So the sanitizer finds bodies that touch what they have not declared, or what another task may
/// still write. Data are identified by their memory: their next owner is ordered after the last one.
class TaskOrder {
 public:
  TaskOrder(void** buffers, TaskHeader const& header, std::span<starpu_data_access_mode const> modes) noexcept
      : buffers_(buffers), header_(header), modes_(modes) {
    for_each([](char const* memory, bool only_reads) {
      happens_after(writers(memory));
      if (!only_reads) happens_after(readers(memory));
    });
  }
  ~TaskOrder() {
    for_each(
        [](char const* memory, bool only_reads) { happens_before(only_reads ? readers(memory) : writers(memory)); });
  }
  TaskOrder(TaskOrder const&) = delete;
  TaskOrder& operator=(TaskOrder const&) = delete;

 private:
  static char const* writers(char const* memory) noexcept { return memory; }
  static char const* readers(char const* memory) noexcept { return memory + 1; }

  template <class Tell>
  void for_each(Tell tell) const noexcept {
    for (std::size_t access = 0; access < modes_.size(); ++access)
      for (int i = header_.first[access]; i < header_.first[access + 1]; ++i) {
        auto const& vector = *static_cast<starpu_vector_interface const*>(buffers_[i]);
        if (vector.ptr != 0) tell(reinterpret_cast<char const*>(vector.ptr), modes_[access] == STARPU_R);
      }
  }

  void** buffers_;
  TaskHeader const& header_;
  std::span<starpu_data_access_mode const> modes_;
};

}  // namespace nearfar
