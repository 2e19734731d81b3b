// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/gantt.hpp"

#include "cli/text.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::cli {

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (c == '"') result += "&quot;";
    else result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

Axis axis_for(double seconds, int ticks) {
  Axis axis;
  double const wanted = std::max(seconds, 1e-9) / ticks, power = std::pow(10, std::floor(std::log10(wanted)));
  axis.step = 10 * power;
  for (double const digit : {5.0, 2.0, 1.0})
    if (digit * power >= 0.999 * wanted) axis.step = digit * power;
  if (seconds < 2e-3) axis.unit = "\u00b5s", axis.scale = 1e6;
  else if (seconds < 2) axis.unit = "ms", axis.scale = 1e3;
  return axis;
}

std::string gantt_caption(Trace const& trace, TraceSummary const& summary) {
  double idle = 0;
  for (std::size_t i = 0; i < trace.workers.size(); ++i) idle += summary.idle(i);
  double const room = summary.seconds * static_cast<double>(trace.workers.size());
  auto line = counted(trace.solves.size(), "solve") + ", " + counted(trace.tasks.size(), "task") + ", " +
              counted(trace.workers.size(), "worker") +
              (trace.ranks > 1 ? " on " + counted(std::size_t(trace.ranks), "rank") : "") + " (" + trace.scheduler +
              "), " + text("%.4g s, idle %.0f %%", summary.seconds, room > 0 ? 100 * idle / room : 0);
  if (summary.far > 0) line += text(", near beside far work %.0f %%", 100 * summary.overlap / summary.far);
  if (summary.seconds > 0) line += text(", %.0f %% of the bound", 100 * summary.bound() / summary.seconds);
  return line;
}

}  // namespace nearfar::cli
