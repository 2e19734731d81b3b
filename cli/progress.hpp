// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/solve.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::cli {

/// The steps of a command: one line on stderr that changes, when stderr is a terminal; and how long each step took.
class Progress {
 public:
  explicit Progress(bool quiet);
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;
  ~Progress();

  void step(std::string const& name);
  /// Of the step that runs, so much is done: shown with the time that the rest will take.
  void share(std::string const& done, double fraction);
  /// Waits for a solve, which is the step that runs, and shows how far it is.
  void wait(Solve& solve);
  void end();

  std::vector<std::pair<std::string, double>> const& seconds() const noexcept { return steps_; }

 private:
  std::chrono::steady_clock::time_point start_;
  std::vector<std::pair<std::string, double>> steps_;
  std::chrono::steady_clock::time_point shown_last_{};
  bool shown_;
  bool running_ = false;
};

}  // namespace nearfar::cli
