// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/run_outputs.hpp"

#include "cli/io/output_path.hpp"

#include <nearfar/error.hpp>

namespace nearfar::cli {

TraceFolder::Look TraceFolder::look() const {
  struct stat found {};
  if (stat((folder_ + "/trace.json").c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

void TraceFolder::expect_new_trace() const {
  if (folder_.empty() || look() != before_) return;
  throw Error{Fault::bad_input, folder_ +
                                    ": the trace could not be written (a line above says why), so this run writes no "
                                    "result either; choose another folder, or leave --trace out"};
}

void write_dag(OutputFiles& outputs, std::string const& path, Solve const& solve) {
  if (path.empty()) return;
  auto const write = [&path, &solve](std::string const& file) {
    try {
      solve.write_dag(file);
    } catch (Error const&) {
      throw Error{Fault::bad_input,
                  path + ": the graph of tasks could not be written; choose a place with enough room"};
    }
  };
  if (!is_stream(path)) return outputs.write(path, write);
  write(path == "-" ? "/dev/stdout" : path);  // while there is a solve
}

}  // namespace nearfar::cli
