// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/hunt/problem.hpp"

namespace nearfar::hunt {

/// Numbers from here on are of problems that are unusual as well; those before are what they always were.
inline constexpr std::uint64_t first_unusual = 10000;

/// Makes the box long, puts targets far away and everything far from the origin, and sets parameters by hand: each now
/// and then.
void make_unusual(std::uint64_t number, Problem& problem);

/// Numbers from here on are of problems in skewed cells, by Ewald's method.
inline constexpr std::uint64_t first_skewed = 30000;

/// Numbers from here on are of problems of any kernel by both methods, with several vectors of strengths at once, half
/// of those by Ewald's method in skewed cells.
inline constexpr std::uint64_t first_several = 40000;

/// Numbers from here on are of problems of charges, dipoles, both, and screened charges, by both methods, in cells of
/// both kinds, whose energies are judged, too, and the virials of most.
inline constexpr std::uint64_t first_of_energies = 70000;

/// Whether the problem of this number is in a skewed cell.
bool is_skewed(std::uint64_t number, Problem const& problem);

/// Shears the box, its points and their offset along the periodic directions, of which there are two at least.
void skew(std::uint64_t number, Problem& problem);

}  // namespace nearfar::hunt
