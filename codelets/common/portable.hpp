// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Kokkos_Core.hpp>

namespace nearfar {

/// Runs body(i) for i in [0, count) on the calling CPU worker's own Kokkos instance: how portable bodies are launched.
/// Serial only, nothing allocated, no fence: a worker owns its core, and Serial returns when it is done.
template <class Body>
void portable_for(int count, Body const& body) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Serial>(Kokkos::Serial(), 0, count), body);
}

}  // namespace nearfar
