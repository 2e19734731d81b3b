// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/grids/poisson_case.hpp"
#include "cli/options.hpp"

#include <nearfar/poisson.hpp>

#include <optional>

namespace nearfar::cli {

/// What `nearfar poisson` is asked.
struct PoissonSettings {
  SolveSettings files;  ///< sources: the file with the density
  PoissonOptions plan;
  std::optional<PoissonCase> known;
  bool grid_given = false, box_given = false;
  Precision precision = Precision::double_;
};

Options poisson_options(PoissonSettings& settings);

/// Fills in what the case or the file says; throws Error{bad_input} for what contradicts it, and for outputs that could
/// not be written.
void settle(PoissonSettings& settings);

/// Solves, writes what was asked for, and tells how it went; the exit code.
template <class T>
int run_poisson(PoissonSettings const& settings);

extern template int run_poisson<double>(PoissonSettings const&);
extern template int run_poisson<float>(PoissonSettings const&);

}  // namespace nearfar::cli
