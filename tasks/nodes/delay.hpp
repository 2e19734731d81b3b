// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

namespace nearfar::detail {

/// For tests: data that are being received, which nobody has before so many seconds have passed since they came. Then
/// `ends(what)`. All that are held back at a time are so for as long: messages on their way together are late together,
/// as on a wire with that latency.
void hold_back(Handle data, double seconds, void (*ends)(void*), void* what);

}  // namespace nearfar::detail
