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

/// The kernels, as the help tells them.
inline constexpr char const* kernel_names =
    "stokeslet (columns fx,fy,fz), stresslet (qx,qy,qz,nx,ny,nz),\nstokes (both) or laplace (q)";

// Options that several commands share. The settings must outlive the command.
Options file_options(SolveSettings& settings);
Options runtime_options(RuntimeOptions& runtime);
Options kernel_options(Kernel& kernel, bool& gradient);
Options box_options(std::array<double, 3>& box);
Options open_box_options(EwaldSettings& settings);
Options ewald_options(EwaldSettings& settings);
Options ewald_expert_options(EwaldSettings& settings);

/// Leaves the edges along free directions to the points, where no box was given.
void settle_box(EwaldSettings& settings);

/// One table out of several.
Options join(std::initializer_list<Options> tables);

}  // namespace nearfar::cli
