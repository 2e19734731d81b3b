// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/options.hpp"

#include <nearfar/pic.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nearfar::cli {

/// A state of a particle-in-cell loop from which it goes on, and how.
struct PicStart {
  PicOptions options;
  Precision precision = Precision::double_;
  std::int64_t step = 0;
  std::vector<double> positions, velocities, charges;  ///< three numbers per particle, three, one; only on rank 0
};

/// The bunch in a Penning trap that ALPINE measures loops with: a Gaussian of 3 x 1 x 4 in a box of 20, and velocities
/// of variance 1. Sets box and fields of the options, and leaves the rest.
void fill_penning_trap(PicStart& start, std::int64_t particles, std::int64_t seed);

/// Time of a step in that case: 400 steps are a time of 1.95.
inline constexpr double penning_trap_step = 0.0048828125;

/// Write to this very path, which may be left half-written by a failure; `name` is what messages call it.
void write_checkpoint(std::string const& path, std::string const& name, PicStart const& state);

/// Throws Error{bad_input} for what is no checkpoint, or not a whole one.
PicStart read_checkpoint(std::string const& path);
/// The same without particles.
PicStart read_checkpoint_head(std::string const& path);

}  // namespace nearfar::cli
