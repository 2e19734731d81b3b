// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/loop_error.hpp"
#include "codelets/common/kokkos/start_kokkos.hpp"

#include <Kokkos_Core.hpp>

namespace nearfar {

/// Where portable bodies run on hosts: Kokkos's parallel backend if it was built with one, else Serial.
using PortableSpace = Kokkos::DefaultHostExecutionSpace;

/// What one thread of portable_parts does of a loop over items: those whose number it `has`.
struct LoopPart {
  int index = 0, count = 1;

  bool has(int item) const noexcept { return item % count == index; }
};

namespace detail {

/// All of a loop by the calling thread. Kokkos >= 4.2 locks an instance while it works: every call has its own.
template <class Body>
void serial_for(int count, Body const& body) {
#if !defined(KOKKOS_ENABLE_SERIAL)
  for (int i = 0; i < count; ++i) body(i);
#elif KOKKOS_VERSION >= 40200
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial>(Kokkos::Serial(Kokkos::NewInstance{}), 0, count), body);
#else
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial>(Kokkos::Serial(), 0, count), body);
#endif
}

/// A loop by the threads of Kokkos, whose bodies may throw: the error of the lowest index is thrown at the end.
template <class Body>
void parallel_for(int count, Body const& body) {
  LoopError error;
  Kokkos::parallel_for(Kokkos::RangePolicy<PortableSpace>(0, count), [&](int i) { error.guard(i, [&] { body(i); }); });
  PortableSpace().fence();
  error.rethrow();
}

}  // namespace detail

/// Runs body(i) for i in [0, count), by all threads of Kokkos where it has several and they are free, else by the
/// calling thread, in order: how portable bodies are launched. Calls may come at the same time and in any order, so the
/// body changes nothing that another index reads or changes; then results do not depend on the threads. What the body
/// throws comes out: of several errors that of the lowest index. Nothing is allocated. Not within another such loop.
template <class Body>
void portable_for(int count, Body const& body) {
  if (KokkosThreads const threads; threads.count() > 1) detail::parallel_for(count, body);
  else detail::serial_for(count, body);
}

/// Runs body(part) once on every thread that portable_for would have: for bodies that need work space of their own, or
/// share out what they write. What is written where must not depend on the number of parts.
template <class Body>
void portable_parts(Body const& body) {
  KokkosThreads const threads;
  int const count = threads.count();
  if (count > 1) detail::parallel_for(count, [&](int i) { body(LoopPart{i, count}); });
  else detail::serial_for(1, [&](int) { body(LoopPart{}); });
}

}  // namespace nearfar
