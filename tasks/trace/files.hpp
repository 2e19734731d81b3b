// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/trace/log.hpp"

#include <string>
#include <vector>

namespace nearfar::detail {

/// Makes the folder. Throws Error{bad_input} when it cannot be made, or not be written to.
void make_trace_folder(std::string const& folder);

/// Tells a StarPU that is yet to start to write its FxT events there, if it was built with FxT.
void request_events(std::string const& folder);

/// Writes the parts of the ranks: trace.json is rank 0's, trace.1.json and so on those of the others. Without FxT, and
/// of several ranks, the graph of tasks of rank 0, dag.dot, too. What an earlier trace has more goes. Throws what the
/// file system has to say.
void write_trace(std::string const& folder, TraceContent const& content, std::vector<std::string> const& parts);

/// Converts StarPU's events, if there are any, after it has stopped, by its own tool: paje.trace, dag.dot, trace.html
/// and others. Says on stderr what could not be done; the events themselves are kept.
void convert_events(std::string const& folder) noexcept;

}  // namespace nearfar::detail
