// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

namespace nearfar::detail {

/// For tests: milliseconds by which the data of every message come late, as NEARFAR_MESSAGE_DELAY says, else 0.
/// Messages on their way together are late together, as on a wire with that latency. Throws Error{bad_input} for what
/// is no time.
double message_delay();

/// Data that are being received: nobody has them before the delay has passed since they came. Then `ends(what)`.
void hold_back(Handle data, void (*ends)(void*), void* what);

}  // namespace nearfar::detail
