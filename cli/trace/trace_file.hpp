// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nearfar::cli {

/// A trace as `--trace DIR` writes it (DIR/trace.json, see docs/tracing.md). Times are seconds from the first
/// submission.
struct Trace {
  struct Worker {
    std::string name, kind;
    int rank = 0;
  };
  struct Stage {
    std::string name;
    std::string color;   ///< "#rrggbb"
    std::string branch;  ///< "near", "far" or "shared"
  };
  struct Transfers {
    std::string from, to;
    double count = 0, bytes = 0;
  };
  struct Task {
    std::size_t stage = 0, worker = 0;
    int block = 0, solve = 0;
    double start = 0, end = 0;
    double submitted = 0, ready = 0;  ///< ready: all it depends on had ended
    std::vector<std::size_t> after;   ///< the tasks it depends on, all before it in the list
  };
  struct Wait {
    std::size_t task = 0;
    double start = 0, end = 0;
  };
  struct Solve {
    int number = 0;
    double submitted = 0, end = 0;
    double submission = 0;  ///< how long submitting its tasks took
    std::size_t track = 0;  ///< solves in flight together have different ones
  };
  /// Data on their way from one rank to another: from when they could go until they were there.
  struct Message {
    int from = 0, to = 0, solve = 0;
    double start = 0, end = 0, bytes = 0;
  };
  struct Mark {
    double time = 0;
    std::string text;
  };

  std::string runtime, scheduler;
  double starpu_bound = 0;  ///< seconds; 0 where StarPU had none, and of several ranks
  int ranks = 1;
  std::vector<Worker> workers;
  std::vector<Stage> stages;
  std::vector<Transfers> transfers;
  std::vector<Task> tasks;
  std::vector<Wait> waits;
  std::vector<Solve> solves;
  std::vector<Mark> marks;
  std::vector<Message> messages;
};

/// Reads FOLDER/trace.json, and the parts of the other ranks beside it: all in one time line, by the clock of rank 0.
/// Throws Error{bad_input} when there is no such folder, no trace in it, no task in the trace, or the file is damaged.
Trace read_trace(std::string const& folder);

}  // namespace nearfar::cli
