// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/start_kokkos.hpp"

#include <Kokkos_Core.hpp>

namespace nearfar {

/// Where portable bodies run on hosts: Kokkos's parallel backend if it was built with one, else Serial.
using PortableSpace = Kokkos::DefaultHostExecutionSpace;

}  // namespace nearfar
