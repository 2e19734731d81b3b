// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Starts Kokkos with one thread per instance unless it is up. It cannot be started twice, so one that we start stays up
/// to the end of the process.
void start_kokkos();

}  // namespace nearfar
