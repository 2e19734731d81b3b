// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/trace/content.hpp"

#include <ostream>

namespace nearfar::detail {

/// The trace in the JSON that chrome://tracing and ui.perfetto.dev read ("Trace Event Format"); what `nearfar
/// trace` needs besides is in `otherData` and in the arguments of each task. Described in docs/tracing.md.
void write_trace_json(std::ostream& out, TraceContent const& content);

}  // namespace nearfar::detail
