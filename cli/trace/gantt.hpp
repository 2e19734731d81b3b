// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/trace/trace_summary.hpp"

#include <string>

namespace nearfar::cli {

/// A chart of the tasks over time, one row per worker, as SVG. Tasks too narrow to see are joined with their
/// neighbours, so the size is bounded by the number of workers.
std::string gantt_svg(Trace const& trace, TraceSummary const& summary);

/// The same as one HTML page that needs nothing else: zoom, pan, what a task is under the pointer.
std::string gantt_html(Trace const& trace, TraceSummary const& summary);

/// One line under both: "2 workers (lws), 0.0181 s, idle 53 %, ..."
std::string gantt_caption(Trace const& trace, TraceSummary const& summary);

/// For text between tags, or in attributes.
std::string escaped(std::string const& text);

/// Round steps for an axis: about `ticks` of them in `seconds`, with their unit.
struct Axis {
  double step = 1;         ///< seconds
  char const* unit = "s";  ///< "s", "ms" or "µs"
  double scale = 1;        ///< units per second
};
Axis axis_for(double seconds, int ticks);

}  // namespace nearfar::cli
