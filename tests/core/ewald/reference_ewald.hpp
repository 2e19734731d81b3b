// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

#include <span>
#include <vector>

namespace nearfar::reference {

/// The far part as the task graph computes it, in plain loops and with a DFT by its definition: the windows' tables,
/// the multiplier's polynomial and the grid of a plan. Spreading and gathering in T. Rows as in BasicEwald.
template <class T>
std::vector<double> far_part(EwaldOptions const& options, EwaldPlanning const& parameters,
                             std::span<double const> sources, std::span<double const> targets,
                             std::span<double const> strengths);

/// The near part likewise: the layers' polynomials, over all images within the cutoff, self term included.
template <class T>
std::vector<double> near_part(EwaldOptions const& options, EwaldPlanning const& parameters,
                              std::span<double const> sources, std::span<double const> targets,
                              std::span<double const> strengths);

}  // namespace nearfar::reference
