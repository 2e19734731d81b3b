// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/portable.hpp"

#include "codelets/common/kokkos/loop_error.hpp"
#include "codelets/common/kokkos/portable_space.hpp"

namespace nearfar::detail {

namespace {

/// One iteration of Kokkos on the calling thread. Kokkos >= 4.2 locks an execution space instance while it works, so
/// every call uses its own.
template <class Body>
void run_alone(Body const& body) {
#if !defined(KOKKOS_ENABLE_SERIAL)
  body(0);
#elif KOKKOS_VERSION >= 40200
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial>(Kokkos::Serial(Kokkos::NewInstance{}), 0, 1), body);
#else
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial>(Kokkos::Serial(), 0, 1), body);
#endif
}

/// A loop by the threads of Kokkos, whose bodies may throw: the error of the lowest index is thrown at the end.
template <class Body>
void run_together(int count, Body const& body) {
  LoopError error;
  Kokkos::parallel_for(Kokkos::RangePolicy<PortableSpace>(0, count), [&](int i) { error.guard(i, [&] { body(i); }); });
  PortableSpace().fence();
  error.rethrow();
}

}  // namespace

void portable_ranges(int count, LoopRange run, void const* body) {
  KokkosThreads const threads;
  if (threads.count() > 1) run_together(count, [&](int i) { run(body, i, i + 1); });
  else run_alone([&](int) { run(body, 0, count); });
}

void portable_pieces(LoopPiece run, void const* body) {
  KokkosThreads const threads;
  int const count = threads.count();
  if (count > 1) run_together(count, [&](int i) { run(body, {i, count}); });
  else run_alone([&](int) { run(body, {}); });
}

}  // namespace nearfar::detail
