// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nearfar::detail {

/// Makes the folder and tells StarPU, before it starts, to write its FxT events there. Throws Error{bad_input} when the
/// folder cannot be made, Error{no_resource} when this StarPU was built without FxT.
void prepare_trace(std::string const& folder);

/// Converts the events after StarPU has stopped, by StarPU's own tool: paje.trace, dag.dot, tasks.rec, trace.html.
/// Says on stderr what could not be done; the events themselves are kept.
void convert_trace(std::string const& folder) noexcept;

}  // namespace nearfar::detail
