// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/output_files.hpp"

#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <vector>

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

/// All ranks do it; all throw what the first of them throws.
template <class Work>
void together(Runtime const& runtime, Work work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  runtime.agree(error);
}

/// Only the first of several ranks does it; all throw what it throws.
template <class Work>
void on_first(Runtime const& runtime, Work work) {
  together(runtime, [&] {
    if (runtime.rank() == 0) work();
  });
}

/// The rows that all ranks have together, in their order, as one of several files, which the first rank writes. It
/// holds one rank's rows at a time, but for a stream, which comes after all else: for that, all rows.
void write_ranks(Runtime const& runtime, OutputFiles& outputs, std::string const& path,
                 std::vector<std::string> const& columns, std::size_t all_rows, std::span<double const> mine);

/// The graph of a solve as one of several files; nothing without a path.
void write_dag(OutputFiles& outputs, std::string const& path, Solve const& solve);

}  // namespace nearfar::cli
