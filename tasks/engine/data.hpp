// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"
#include "tasks/nodes/owners.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace nearfar::detail {

/// Where the memory of data is at home, by StarPU's number of the memory node.
struct Home {
  int node;

  static constexpr Home runtime() noexcept { return {-1}; }  ///< StarPU places, moves and evicts it
  static constexpr Home host() noexcept { return {STARPU_MAIN_RAM}; }
  static constexpr Home device(unsigned node) noexcept { return {int(node)}; }
};

/// What is known of registered data, beside their content.
struct DataTraits {
  Home home = Home::runtime();
  bool constant = false;   ///< no task may write them
  int owner = everywhere;  ///< rank that holds them
  std::int64_t tag = -1;   ///< of messages that carry what one rank owns; the same on all, which register in one order
};

/// Until when data live: with a plan, its points or its work space; or until the tasks of one solve have ended.
enum class Lifetime { plan, solve };

/// `count` elements of `element` bytes. Every handle of nearfar is registered here, and gets its tag. Throws Error{bug}
/// for a negative count.
Handle register_data(char const* name, DataTraits& traits, Lifetime lifetime, void const* memory, std::int64_t count,
                     std::size_t element);

/// The next tag: also for owned data that are not registered on this rank.
std::int64_t number_data() noexcept;

/// Plan: waits for the tasks that use the data; not on a worker. Solve: returns at once, and the data go when the tasks
/// submitted so far have ended.
void release_data(Handle handle, Lifetime lifetime) noexcept;

/// What a handle stands for, to be read in the host's memory until release_on_host; waits for tasks that write it. Not
/// on a worker.
void const* acquire_on_host(Handle handle);
void release_on_host(Handle handle) noexcept;

/// From now on no task writes it.
void freeze_data(Handle handle, Lifetime lifetime) noexcept;

/// Whether tasks may not write what this handle stands for.
bool is_constant(Handle handle) noexcept;

/// A vector registered with StarPU, owned.
template <Lifetime lifetime>
class BasicData {
 public:
  BasicData() noexcept = default;
  BasicData(BasicData&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), traits_(other.traits_) {}
  BasicData& operator=(BasicData&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(traits_, other.traits_);
    return *this;
  }
  ~BasicData() {
    if (handle_ != nullptr) release_data(handle_, lifetime);
  }

  /// `count` elements in the runtime's memory; their content before the first write is not defined. `here`: no on a
  /// rank that has no task for what another one owns; they have no handle then, and are but numbered, as on all ranks.
  template <class T>
  static BasicData temporary(char const* name, std::int64_t count, int owner = everywhere, bool here = true) {
    if (!here) {
      number_data();
      return {};
    }
    return BasicData(name, {.owner = owner}, nullptr, count, sizeof(T));
  }
  /// `count` elements at `memory`, which outlives this.
  template <class T>
  static BasicData over(char const* name, T* memory, std::int64_t count, Home home = Home::host(),
                        int owner = everywhere) {
    return BasicData(name, {.home = home, .owner = owner}, memory, count, sizeof(T));
  }
  /// The same, never written.
  template <class T>
  static BasicData constant(char const* name, T const* memory, std::int64_t count, Home home = Home::host()) {
    return BasicData(name, {.home = home, .constant = true}, memory, count, sizeof(T));
  }

  /// After the tasks that write it have ended.
  void freeze() noexcept {
    traits_.constant = true;
    freeze_data(handle_, lifetime);
  }

  operator Handle() const noexcept { return handle_; }
  DataTraits const& traits() const noexcept { return traits_; }

 private:
  BasicData(char const* name, DataTraits const& traits, void const* memory, std::int64_t count, std::size_t element)
      : traits_(traits) {
    handle_ = register_data(name, traits_, lifetime, memory, count, element);
  }

  Handle handle_ = nullptr;
  DataTraits traits_;
};

using Data = BasicData<Lifetime::plan>;
using SolveData = BasicData<Lifetime::solve>;

}  // namespace nearfar::detail
