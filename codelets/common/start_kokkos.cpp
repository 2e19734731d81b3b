// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/start_kokkos.hpp"

#include <Kokkos_Core.hpp>

namespace nearfar {

void start_kokkos() {
  if (Kokkos::is_initialized()) return;
#if defined(KOKKOS_VERSION) && KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(1));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = 1;
  Kokkos::initialize(arguments);
#endif
}

}  // namespace nearfar
