// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/output_files.hpp"

#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <exception>
#include <string>
#include <sys/stat.h>
#include <tuple>

namespace nearfar::cli {

/// The trace that a folder holds, as far as it takes to tell whether this run has written one there.
class TraceFolder {
 public:
  explicit TraceFolder(std::string const& folder) : folder_(folder), before_(look()) {}

  /// Once StarPU has ended, which writes it; nothing without a folder. Throws Error{bad_input}.
  void expect_new_trace() const;

 private:
  using Look = std::tuple<ino_t, time_t, long>;
  Look look() const;

  std::string folder_;
  Look before_;
};

/// Only the first of several ranks does it; all throw what it throws.
template <class Work>
void on_first(Runtime const& runtime, Work work) {
  std::exception_ptr error;
  try {
    if (runtime.rank() == 0) work();
  } catch (...) {
    error = std::current_exception();
  }
  runtime.agree(error);
}

/// The graph of a solve as one of several files; nothing without a path.
void write_dag(OutputFiles& outputs, std::string const& path, Solve const& solve);

}  // namespace nearfar::cli
