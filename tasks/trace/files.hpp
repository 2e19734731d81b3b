// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/trace/log.hpp"

#include <string>
#include <vector>

namespace nearfar::detail {

/// Makes the folder. Throws Error{bad_input} if it cannot be made or written to.
void make_trace_folder(std::string const& folder);

/// Tells a StarPU that has not started yet to write its FxT events there, if it was built with FxT.
void request_events(std::string const& folder);

/// Writes the parts of the ranks: trace.json for rank 0, trace.1.json and so on for
/// others. Without FxT, and with several ranks, also the graph of tasks of rank 0,
/// dag.dot. Removes further files of an earlier trace. Throws errors of the file system.
void write_trace(std::string const& folder, TraceContent const& content, std::vector<std::string> const& parts);

/// Converts StarPU's events, if there are any, by its own tool after it has stopped: paje.trace, dag.dot,
/// trace.html and others. Reports on stderr what could not be done; the events themselves are kept.
void convert_events(std::string const& folder) noexcept;

}  // namespace nearfar::detail
