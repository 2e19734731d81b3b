// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/parameters.hpp"

namespace nearfar::detail {

/// What the stages cost on this machine, on one CPU worker: measured on the first call ever (about a tenth of a second),
/// then read from the user's folder, so that the same request gives the same plan. Thread-safe.
template <class T>
Rates const& measured_rates();

}  // namespace nearfar::detail
