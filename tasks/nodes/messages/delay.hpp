// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

namespace nearfar::detail {

/// For tests: delays received data by so many seconds after they came; then
/// `ends(what)` is called. All data that are held back at a time are delayed alike:
/// messages sent together are late together, as on a wire with that latency.
void hold_back(Handle data, double seconds, void (*ends)(void*), void* what);

}  // namespace nearfar::detail
