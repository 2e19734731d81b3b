// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/data.hpp"

#include "tasks/engine/reused_room.hpp"
#include "tasks/engine/runtime/process.hpp"
#include "tasks/nodes/messages/messages.hpp"

#include <nearfar/error.hpp>

#include <atomic>
#include <limits>
#include <string>

namespace nearfar::detail {

namespace {

std::atomic<std::int64_t> next_tag{0};

/// The user data of handles that no task may write.
int constant_mark = 0;

}  // namespace

std::int64_t number_data() noexcept { return next_tag++; }

Handle register_data(char const* name, DataTraits& traits, Lifetime lifetime, void const* memory, std::int64_t count,
                     std::size_t element) {
  expect_own_process();
  if (count < 0 || std::uint64_t(count) > std::numeric_limits<std::size_t>::max() / element)
    throw Error(Fault::bug, std::string("data '") + name + "' would have " + std::to_string(count) + " elements of " +
                                std::to_string(element) + " bytes (a size is computed wrongly); please report it");
  // StarPU counts the elements of a vector in 32 bits and their bytes in 64: a longer array becomes a single element.
  bool const counted = count <= std::int64_t(std::numeric_limits<std::uint32_t>::max());
  Handle handle = nullptr;
  std::size_t const bytes = std::size_t(count) * element;
  auto const begin = reinterpret_cast<std::uintptr_t>(memory);
  auto const elements = counted ? std::uint32_t(count) : 1;
  std::size_t const of_each = counted ? element : bytes;
  bool const on_gpus_too = starpu_memory_nodes_get_count() > 1;
  std::size_t const room = traits.home.node < 0 && on_gpus_too ? reused_room(bytes) : bytes;
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
  starpu_vector_data_register_allocsize(&handle, traits.home.node, begin, elements, of_each, room);
#else
  (void)room;
  starpu_vector_data_register(&handle, traits.home.node, begin, elements, of_each);
#endif
  starpu_data_set_name(handle, name);
  if (traits.owner != everywhere) {
    traits.tag = number_data();
    register_owned(handle, traits.owner, traits.tag, lifetime == Lifetime::plan);
  }
  if (traits.constant) freeze_data(handle, lifetime);
  return handle;
}

void freeze_data(Handle handle, Lifetime lifetime) noexcept {
  starpu_data_set_user_data(handle, &constant_mark);
  // StarPU then keeps no list of readers. With FxT compiled in, that list would grow with every task as long as nobody
  // writes. Data of a solve need the list, because their release is ordered by it.
  if (lifetime == Lifetime::plan) starpu_data_set_sequential_consistency_flag(handle, 0);
}

void thaw_data(Handle handle) noexcept {
  starpu_data_set_user_data(handle, nullptr);
  starpu_data_set_sequential_consistency_flag(handle, 1);
}

void const* acquire_on_host(Handle handle) {
  if (int const status = starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, STARPU_R); status != 0)
    throw Error(Fault::bug, "data cannot be read in the memory of the host (StarPU says " + std::to_string(status) +
                                "); please report it");
  auto const* const vector =
      static_cast<starpu_vector_interface const*>(starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM));
  return reinterpret_cast<void const*>(vector->ptr);
}

void release_on_host(Handle handle) noexcept { starpu_data_release_on_node(handle, STARPU_MAIN_RAM); }

void release_data(Handle handle, Lifetime lifetime) noexcept {
  if (forked()) return;  // StarPU would wait for workers
  if (lifetime == Lifetime::plan) starpu_data_unregister_no_coherency(handle);
  else starpu_data_unregister_submit(handle);
}

bool is_constant(Handle handle) noexcept { return starpu_data_get_user_data(handle) == &constant_mark; }

}  // namespace nearfar::detail
