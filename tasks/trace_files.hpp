// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/trace_log.hpp"

#include <string>

namespace nearfar::detail {

/// Makes the folder. Throws Error{bad_input} when it cannot be made, or not be written to.
void make_trace_folder(std::string const& folder);

/// Tells a StarPU that is yet to start to write its FxT events there, if it was built with FxT.
void request_events(std::string const& folder);

/// Writes trace.json; without FxT the graph of tasks, dag.dot, too. Pictures of an earlier trace go. Throws what the
/// file system has to say.
void write_trace(std::string const& folder, TraceContent const& content);

/// Converts StarPU's events, if there are any, after it has stopped, by its own tool: paje.trace, dag.dot, trace.html
/// and others. Says on stderr what could not be done; the events themselves are kept.
void convert_events(std::string const& folder) noexcept;

}  // namespace nearfar::detail
