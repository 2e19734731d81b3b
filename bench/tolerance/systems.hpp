// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nearfar::bench {

/// Particles in the unit cell, periodic along all directions, as simulations have them: kept apart by what they are.
struct SimulatedSystem {
  std::string name;
  Kernel kernel;
  Outputs outputs;
  std::vector<double> positions, strengths;
};

/// What there is, by name.
std::vector<std::string> simulated_systems();

/// The one by that name with about `count` particles:
/// liquid: molecules of water, three charges each, turned at random, at the points of a shaken lattice;
/// crystal: ions of rock salt, each moved by about a tenth of the distance to its neighbours;
/// suspension: points with random forces (Stokeslets), at those of a lattice shaken so much that no order is left.
/// Throws Error{bad_input} for other names.
SimulatedSystem simulated_system(std::string const& name, std::size_t count, std::uint64_t seed);

}  // namespace nearfar::bench
