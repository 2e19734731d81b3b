// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/kokkos/start_kokkos.hpp"

#include "codelets/common/kokkos/launches.hpp"

#include <nearfar/error.hpp>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <type_traits>

extern char** environ;

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
  constexpr char const* variable = "KOKKOS_NUM_THREADS";
  constexpr int most = 65536;
  char const* const text = std::getenv(variable);
  if (text == nullptr) return 1;
  char* end = nullptr;
  long const number = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || number < 1 || number > most)
    throw Error(Fault::bad_input, std::string("the environment has ") + variable + "=" + text +
                                      ", which is no number of threads (Kokkos would not start); set it to a whole "
                                      "number from 1 to " +
                                      std::to_string(most) + ", or unset it");
  return int(number);
}

/// "KOKKOS_DEVICE_ID=x, KOKKOS_NUMA=2"
std::string variables_of_kokkos() {
  std::string all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string(*entry).starts_with("KOKKOS_")) all += (all.empty() ? "" : ", ") + std::string(*entry);
  return all;
}

}  // namespace

void start_kokkos() {
  if (Kokkos::is_initialized()) return;
  int const threads = wanted_threads();
  try {
#if defined(KOKKOS_VERSION) && KOKKOS_VERSION >= 30700
    Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(threads));
#else
    Kokkos::InitArguments arguments;
    arguments.num_threads = threads;
    Kokkos::initialize(arguments);
#endif
  } catch (std::exception const& error) {
    auto const variables = variables_of_kokkos();
    if (variables.empty()) throw;
    throw Error(Fault::bad_input, "the environment has " + variables + ", with which Kokkos does not start (" +
                                      error.what() + "); correct what it complains of, or unset it");
  }
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
