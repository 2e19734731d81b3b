// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/table.hpp"

#include <nearfar/kernel.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace nearfar::cli {

enum class Distribution {
  uniform,  ///< anywhere in the box
  normal,   ///< around the centre, sigma = shortest edge / 8
  sphere,   ///< on a sphere around the centre, radius = 0.4 shortest edge
  corner,   ///< anywhere in a cube at the origin, its edge a tenth of the shortest
  nacl,     ///< rock salt: two face-centred lattices of charges +1 and -1
  cscl      ///< caesium chloride: two simple cubic lattices of charges +1 and -1
};

/// Throws Error{bad_input} with the names known.
Distribution distribution_from_name(std::string const& text);

char const* name_of(Distribution distribution) noexcept;

struct GenerateOptions {
  Distribution distribution = Distribution::uniform;
  std::size_t count = 1000;
  std::uint64_t seed = 1;
  Kernel kernel = Kernel::stokeslet;
  std::array<double, 3> box{1, 1, 1};
};

bool is_lattice(Distribution distribution) noexcept;

/// Positions and strengths; the same bits for the same options on every machine.
/// Throws Error{bad_input} for a lattice that does not fit: its count, its box or its kernel.
Table generate(GenerateOptions const& options);

/// Of a lattice that generate has accepted: a charge's potential times this distance is minus or plus its Madelung
/// constant.
double nearest_neighbour_distance(GenerateOptions const& options);

}  // namespace nearfar::cli
