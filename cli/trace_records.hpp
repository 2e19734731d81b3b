// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace nearfar::cli {

/// A task that ran, as starpu_fxt_tool tells it in tasks.rec. Seconds from the start of the trace.
struct TaskRecord {
  std::string stage;  ///< the first word of its name
  int worker = 0;
  double start = 0;
  double end = 0;
};

/// The tasks that ran. Throws Error{bad_input} when there is no such file, or no task in it.
std::vector<TaskRecord> read_task_records(std::string const& path);

/// What the tables of `nearfar trace` show.
struct TraceSummary {
  struct Share {
    std::size_t tasks = 0;
    double seconds = 0;
    double longest = 0;  ///< of one task
  };
  std::map<std::string, Share> stages;
  std::map<int, Share> workers;
  double seconds = 0;           ///< from the first start to the last end
  double far_seconds = 0;       ///< while at least one far-field task ran
  double overlap_fraction = 0;  ///< the share of far_seconds in which a p2p task ran too
};

TraceSummary summarise(std::vector<TaskRecord> const& tasks);

}  // namespace nearfar::cli
