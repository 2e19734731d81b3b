// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/trace/trace_file.hpp"

namespace nearfar::cli {

/// The least time in which the workers of a trace can do its work, dependencies and transfers aside; see summarise().
double work_bound(Trace const& trace);

}  // namespace nearfar::cli
