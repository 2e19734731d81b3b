// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/trace/trace_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What the tables of `nearfar trace` show, in seconds.
struct TraceSummary {
  struct Share {
    std::size_t tasks = 0;
    double busy = 0;
    double longest = 0;   ///< of one task
    double waiting = 0;   ///< its workers ran nothing, for data of its tasks were on their way
    double critical = 0;  ///< on the critical path
    std::map<std::string, double> busy_by_kind;
  };
  struct Solve {
    std::size_t tasks = 0;
    double busy = 0;
    double critical = 0;  ///< longest chain of its own tasks
  };
  std::vector<Share> stages;   ///< as in the trace
  std::vector<Share> workers;  ///< as in the trace
  std::vector<Solve> solves;   ///< as in the trace

  double seconds = 0;  ///< with a solve in flight: submission of the first task to the end of the last
  double between = 0;  ///< after the first submission, with none in flight
  double far = 0;      ///< while at least one far-field task ran
  double overlap = 0;  ///< while a near task ran beside it

  double critical_path = 0;           ///< the longest chain of tasks, each waiting for the one before it
  std::vector<std::size_t> critical;  ///< its tasks, first to last
  double work_bound = 0;              ///< the work, spread over all workers without a gap
  double bound() const noexcept;      ///< no order of these tasks is faster
  double idle(std::size_t worker) const noexcept;
};

/// Work bound: with one kind of workers, the sum of all times over their number. With two, stages that ran on both
/// kinds are given, by their mean times, to the kind that is better at them until both are full (the optimum of the
/// linear program); stages seen on one kind stay there.
TraceSummary summarise(Trace const& trace);

}  // namespace nearfar::cli
