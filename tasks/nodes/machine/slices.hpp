// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace nearfar::detail {

/// Asks Linux (6.12 or later) to give this process's threads of that name short slices of time, a tenth of a
/// millisecond: they have the same share of a core as before, but do not wait long for it where a busy thread has the
/// core too. Returns how many accepted; elsewhere nothing happens. Threads of a real-time priority become ordinary
/// ones: the one for messages looks for them without a pause, and gives workers no chance to tell it of new ones.
int shorten_slices(std::string_view thread) noexcept;

}  // namespace nearfar::detail
