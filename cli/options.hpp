// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/commands/command.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>
#include <nearfar/kernels.hpp>
#include <nearfar/runtime.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

enum class Precision { double_, single };

char const* name_of(Precision precision) noexcept;
Precision precision_from_name(std::string const& text);  ///< throws Error{bad_input}

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

/// What a sum by the multipole method is asked.
struct FmmSettings {
  FmmOptions plan;
  bool tolerance_given = false;
  Precision precision = Precision::double_;
};

/// Of runtime_options; run_program looks for it before all others, because it decides whether MPI is asked.
inline constexpr char const* independent_flag = "--independent";

/// Kernels as a help lists them, in lines of 70 letters: with the columns of their strengths, or without.
std::string kernel_names(std::vector<KernelInfo> const& kernels, bool columns);
/// Those that the multipole method sums.
std::vector<KernelInfo> multipole_kernels();

// Options that several commands share. The settings must outlive the command.
Options file_options(SolveSettings& settings);
Options runtime_options(RuntimeOptions& runtime);
Options network_options(RuntimeOptions& runtime);  ///< for what plans by it
Options kernel_options(Kernel& kernel, Outputs& outputs, std::vector<KernelInfo> const& kernels = kernel_list());
Options virial_option(bool& virial);
/// Adds the outputs that a virial is made from, where nobody has named any.
template <class PlanOptions>
void settle_virial(PlanOptions& plan) {
  if (plan.virial && plan.outputs.empty()) plan.outputs = kernel_info(plan.kernel).virial_outputs;
}
Options screening_options(std::optional<double>& screening);
/// `which`: what lengths there may be.
Options softening_options(std::optional<double>& softening, std::string const& which);
Options box_options(std::array<double, 3>& box);
Options open_box_options(EwaldSettings& settings);
Options ewald_options(EwaldSettings& settings);
Options ewald_expert_options(EwaldSettings& settings);
Options fmm_options(FmmSettings& settings);
Options fmm_expert_options(FmmSettings& settings);

/// Leaves the edges along free directions to the points, where no box was given.
void settle_box(EwaldSettings& settings);

/// A periodic cell is the unit cube, where no box was given. Throws Error{bad_input} for a tolerance beside an order.
void settle_box(FmmSettings& settings);

/// One table out of several.
Options join(std::initializer_list<Options> tables);

}  // namespace nearfar::cli
