// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/io/particles/particles.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"

#include <nearfar/ewald.hpp>

#include <vector>

namespace nearfar::cli {

struct EwaldOutcome {
  Solve solve;  ///< has ended
  EwaldPlanning parameters;
  std::vector<double> result;
};

/// Plans and solves once in precision T.
template <class T>
EwaldOutcome run_ewald(Runtime const& runtime, EwaldOptions const& options, Part part, Particles const& particles,
                       Progress& progress);

extern template EwaldOutcome run_ewald<double>(Runtime const&, EwaldOptions const&, Part, Particles const&, Progress&);
extern template EwaldOutcome run_ewald<float>(Runtime const&, EwaldOptions const&, Part, Particles const&, Progress&);

/// The differences of `outcome` to a solve in double precision with a tenth of the tolerance and another cutoff, hence
/// another grid: what the two do not share shows.
CheckErrors difference_to_other_parameters(Runtime const& runtime, EwaldOptions const& options,
                                           Particles const& particles, EwaldOutcome& outcome);

}  // namespace nearfar::cli
