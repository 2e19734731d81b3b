// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/kokkos/start_kokkos.hpp"

#include "codelets/common/kokkos/launches.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <thread>
#include <type_traits>

namespace nearfar {

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

#if defined(KOKKOS_ENABLE_SERIAL)
constexpr bool parallel = !std::is_same_v<Space, Kokkos::Serial>;
#else
constexpr bool parallel = true;
#endif

// The OpenMP backend of Kokkos >= 4.4 serves any calling thread; the others only the thread that initialized Kokkos.
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION >= 40400
constexpr bool any_thread = true;
#else
constexpr bool any_thread = false;
#endif

std::mutex& threads_taken() {
  static std::mutex mutex;
  return mutex;
}

std::thread::id& starter() {
  static std::thread::id id;
  return id;
}

int wanted_threads() {
  char const* const text = std::getenv("KOKKOS_NUM_THREADS");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

}  // namespace

void start_kokkos() {
  if (Kokkos::is_initialized()) return;
#if defined(KOKKOS_VERSION) && KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(wanted_threads()));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = wanted_threads();
  Kokkos::initialize(arguments);
#endif
  // A Kokkos with a GPU backend complains if the process ends without finalize().
  if constexpr (kokkos_has_gpus) std::atexit([] { Kokkos::finalize(); });
  starter() = std::this_thread::get_id();
}

KokkosThreads::KokkosThreads() {
  if (!parallel || (!any_thread && std::this_thread::get_id() != starter())) return;
  taken_ = std::unique_lock(threads_taken(), std::try_to_lock);
  if (taken_) count_ = Space().concurrency();
}

}  // namespace nearfar
