// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/options.hpp"

#include <nearfar/pic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nearfar::cli {

/// What `nearfar pic` is asked.
struct PicSettings {
  SolveSettings files;  ///< sources: the checkpoint to go on from; output: energies over time
  PicOptions plan;
  Precision precision = Precision::double_;
  std::string known;  ///< name of the case; empty: the checkpoint
  std::int64_t particles = 100000, seed = 42;
  std::int64_t steps = 800;
  std::int64_t every = 0;  ///< steps from one row of energies to the next; 0: a hundred rows
  std::string density;     ///< pictures; the step comes before the extension
  std::vector<std::int64_t> at;
  std::string checkpoint;
  std::int64_t checkpoint_every = 0;  ///< 0: only at the end
  std::vector<std::string> begins;    ///< options that were given and that a checkpoint decides
};

Options pic_options(PicSettings& settings);

/// Throws Error{bad_input} for what contradicts itself, and for outputs that could not be written.
void settle(PicSettings& settings);

/// "density-000400.vti"
std::string name_at(std::string const& path, std::int64_t step);

/// Runs the loop, writes what was asked for, and tells how it went; the exit code.
int run_pic(PicSettings& settings);

}  // namespace nearfar::cli
