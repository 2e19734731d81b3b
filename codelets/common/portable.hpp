// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// What one thread of portable_parts does of a loop over items: those whose number it `has`.
struct LoopPart {
  int index = 0, count = 1;

  bool has(int item) const noexcept { return item % count == index; }
};

namespace detail {

// The loops as Kokkos runs them (kokkos/portable.cpp): bodies behind pointers, so that nothing else of the stages is
// compiled with Kokkos, whose headers take long, and a compiler for GPUs where it was built for one.
using LoopRange = void (*)(void const* body, int first, int last);
using LoopPiece = void (*)(void const* body, LoopPart part);
void portable_ranges(int count, LoopRange run, void const* body);
void portable_pieces(LoopPiece run, void const* body);

}  // namespace detail

/// Runs body(i) for i in [0, count), on all threads of Kokkos if it has several and they are free, else on
/// the calling thread in order: how portable bodies are launched. Calls may be concurrent and in any order,
/// so a body must not change what another index reads or changes; then results do not depend on the threads.
/// Errors are rethrown, of several that of the lowest index. Allocates nothing. Must not be nested.
template <class Body>
void portable_for(int count, Body const& body) {
  detail::portable_ranges(
      count,
      [](void const* raw, int first, int last) {
        for (int i = first; i < last; ++i) (*static_cast<Body const*>(raw))(i);
      },
      &body);
}

/// Runs body(part) once on each thread that portable_for would use: for bodies that need work space of their
/// own, or divide up what they write. Which values are written must not depend on the number of parts.
template <class Body>
void portable_parts(Body const& body) {
  detail::portable_pieces([](void const* raw, LoopPart part) { (*static_cast<Body const*>(raw))(part); }, &body);
}

}  // namespace nearfar
