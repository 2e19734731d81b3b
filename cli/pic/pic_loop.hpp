// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/output_files.hpp"
#include "cli/pic/settings.hpp"
#include "cli/pic/start.hpp"
#include "cli/progress.hpp"

#include <nearfar/pic.hpp>

#include <deque>
#include <functional>
#include <string>

namespace nearfar::cli {

/// What a run has found.
struct PicHistory {
  struct Row {
    std::int64_t step;
    PicTotals totals;
  };
  std::deque<Row> rows;  ///< places stay: reads are under way into them
  SolveReport all;       ///< of all solves together; seconds: of the loop
  std::int64_t first_step = 0, last_step = 0;
  double charge = 0;  ///< of the particles
};

/// Steps and reads of a loop as they are due, some of them in flight, and files of one moment as soon as it is there.
/// Of several ranks all do the same; the first one gives the particles, gets what is read and writes.
template <class T>
class PicLoop {
 public:
  PicLoop(Runtime const& runtime, PicSettings const& settings, PicStart start, OutputFiles& outputs,
          Progress& progress);
  PicHistory run();

 private:
  struct Pending {
    std::int64_t step = 0;
    std::function<void()> then;  ///< and what it writes from
    Solve solve;                 ///< ends first
  };

  void submit_due(std::int64_t step);
  void submit_steps(int steps);
  void submit_totals(std::int64_t step);
  void submit_picture(std::int64_t step);
  void submit_checkpoint(std::int64_t step);
  void finish_first();
  std::int64_t next_due(std::int64_t step) const;
  bool wants_picture(std::int64_t step) const;
  bool wants_checkpoint(std::int64_t step) const;

  Runtime const& runtime_;
  PicSettings const& settings_;
  bool first_;      ///< rank
  PicStart start_;  ///< of which positions and velocities go, once the loop has them
  OutputFiles& outputs_;
  Progress& progress_;
  BasicPic<T> pic_;
  std::int64_t end_, every_;
  PicHistory history_;
  std::deque<Pending> pending_;  // goes first
};

extern template class PicLoop<double>;
extern template class PicLoop<float>;

}  // namespace nearfar::cli
