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

/// What is known about registered data, apart from their content.
struct DataTraits {
  Home home = Home::runtime();
  bool constant = false;   ///< no task may write them
  bool borrowed = false;   ///< somebody else lets them go
  int owner = everywhere;  ///< rank that holds them
  std::int64_t tag = -1;   ///< of messages with owned data; equal on all ranks, which register in the same order
};

/// How long data live: as long as a plan, its points or its work space; or until the tasks of one solve have ended.
enum class Lifetime { plan, solve };

/// Registers `count` elements of `element` bytes. Every handle of nearfar
/// is made here, and gets its tag. Throws Error{bug} for a negative count.
Handle register_data(char const* name, DataTraits& traits, Lifetime lifetime, void const* memory, std::int64_t count,
                     std::size_t element);

/// Takes the next tag: also done for owned data that are not registered on this rank.
std::int64_t number_data() noexcept;

/// Plan: waits for the tasks that use the data; not on a worker. Solve: returns
/// at once, and the data are released when the tasks submitted so far have ended.
void release_data(Handle handle, Lifetime lifetime) noexcept;

/// The content of a handle in host memory, readable until
/// release_on_host; waits for tasks that write it. Not on a worker.
void const* acquire_on_host(Handle handle);
void release_on_host(Handle handle) noexcept;

/// Declares that no task writes it from now on; and that tasks may again, now that all that read it have ended.
void freeze_data(Handle handle, Lifetime lifetime) noexcept;
void thaw_data(Handle handle) noexcept;

/// Whether tasks may not write the data of this handle.
bool is_constant(Handle handle) noexcept;

/// A vector registered with StarPU, owned by this object.
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
    if (handle_ != nullptr && !traits_.borrowed) release_data(handle_, lifetime);
  }

  /// `count` elements in the runtime's memory, undefined before the first write. `here` is false on a rank
  /// without tasks for data of another rank: there is no handle then, only a number, as on all ranks.
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
  /// The same for data that are never written.
  template <class T>
  static BasicData constant(char const* name, T const* memory, std::int64_t count, Home home = Home::host()) {
    return BasicData(name, {.home = home, .constant = true}, memory, count, sizeof(T));
  }

  /// To be called after the tasks that write it have ended.
  void freeze() noexcept {
    traits_.constant = true;
    freeze_data(handle_, lifetime);
  }

  /// Undoes freeze, of this or of what was lent, when the tasks that read it have ended.
  void thaw() noexcept {
    traits_.constant = false;
    if (is_constant(handle_)) thaw_data(handle_);
  }

  /// The same data, of which this remains the owner, and outlives it.
  BasicData lent() const noexcept {
    BasicData same;
    same.handle_ = handle_;
    same.traits_ = traits_;
    same.traits_.borrowed = true;
    return same;
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
