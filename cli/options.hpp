// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/runtime.hpp>

#include <string>

namespace nearfar::cli {

enum class Precision { double_, single };

/// Files and machine: what every solve is asked.
struct SolveSettings {
  std::string sources;
  std::string targets;  ///< empty: the sources
  std::string output;
  std::string report;
  std::string dag;
  bool quiet = false;
  RuntimeOptions runtime;
};

/// What an Ewald sum is asked.
struct EwaldSettings {
  EwaldOptions plan;
  bool box_given = false;
  Precision precision = Precision::double_;
  Part part = Part::whole;
};

/// What Ewald sums can do so far.
inline constexpr char const* ewald_kernels =
    "stokeslet (columns fx,fy,fz) or laplace (q);\nstresslet and stokes are in 'nearfar direct' only, so far";

// Options that several commands share. The settings must outlive the command.
Options file_options(SolveSettings& settings);
Options runtime_options(RuntimeOptions& runtime);
// `kernels` tells, in the help, which kernels the command can do.
Options kernel_options(Kernel& kernel, bool& gradient, std::string const& kernels);
Options box_options(std::array<double, 3>& box);
Options open_box_options(EwaldSettings& settings);
Options ewald_options(EwaldSettings& settings);
Options ewald_expert_options(EwaldSettings& settings);

/// Leaves the edges along free directions to the points, where no box was given.
void settle_box(EwaldSettings& settings);

/// One table out of several.
Options join(std::initializer_list<Options> tables);

}  // namespace nearfar::cli
