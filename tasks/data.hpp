// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/access.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace nearfar::detail {

/// A vector registered with StarPU, owned. Destroying it waits for the tasks that use it and must not happen on a
/// worker.
class Data {
 public:
  Data() noexcept = default;
  Data(Data&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Data& operator=(Data&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Data() {
    if (handle_ != nullptr) starpu_data_unregister_no_coherency(handle_);
  }

  /// `count` elements that StarPU places and evicts as it likes.
  template <class T>
  static Data temporary(char const* name, std::int64_t count) {
    return Data(name, -1, nullptr, count, sizeof(T));
  }
  /// `count` elements at `memory`, which outlives this.
  template <class T>
  static Data over(char const* name, T const* memory, std::int64_t count) {
    return Data(name, STARPU_MAIN_RAM, memory, count, sizeof(T));
  }

  /// As `over`, for memory that no task writes to. StarPU then keeps no account of who reads it: with FxT compiled in,
  /// that list would grow with every task, for as long as nobody writes.
  template <class T>
  static Data constant(char const* name, T const* memory, std::int64_t count) {
    Data data = over(name, memory, count);
    starpu_data_set_sequential_consistency_flag(data, 0);
    return data;
  }

  operator Handle() const noexcept { return handle_; }

  /// Gives the handle up: it goes when the tasks submitted so far have ended.
  void release_after_use() noexcept {
    if (handle_ != nullptr) starpu_data_unregister_submit(std::exchange(handle_, nullptr));
  }

 private:
  Data(char const* name, int home, void const* memory, std::int64_t count, std::size_t size) {
    starpu_vector_data_register(&handle_, home, reinterpret_cast<std::uintptr_t>(memory), std::uint32_t(count), size);
    starpu_data_set_name(handle_, name);
  }
  Handle handle_ = nullptr;
};

}  // namespace nearfar::detail
