// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <vector>

namespace nearfar::test {

/// The buffers of a task made of plain memory: runs a stage's body without a runtime.
class LocalBuffers {
 public:
  /// Begins the next access of the stage.
  LocalBuffers& access() {
    header_.first[++accesses_] = int(interfaces_.size());
    return *this;
  }
  template <class T>
  LocalBuffers& add(T* memory, std::size_t count) {
    starpu_vector_interface v{};
    v.id = STARPU_VECTOR_INTERFACE_ID;
    v.ptr = reinterpret_cast<std::uintptr_t>(memory);
    v.nx = std::uint32_t(count);
    v.elemsize = sizeof(T);
    interfaces_.push_back(v);
    header_.first[accesses_ + 1] = int(interfaces_.size());
    return *this;
  }
  template <class V>
  LocalBuffers& add(V& vector) {
    return add(vector.data(), vector.size());
  }
  Buffers view() {
    raw_.clear();
    for (auto& v : interfaces_) raw_.push_back(&v);
    return Buffers(raw_.data(), header_);
  }

 private:
  int accesses_ = -1;
  TaskHeader header_;
  std::vector<starpu_vector_interface> interfaces_;
  std::vector<void*> raw_;
};

}  // namespace nearfar::test
