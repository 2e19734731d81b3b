// SPDX-License-Identifier: BSD-3-Clause
#include "bench/tolerance/systems.hpp"

#include "cli/io/random.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace nearfar::bench {

namespace {

using cli::Random;
using Vector = std::array<double, 3>;

/// Calls `at(place, i, j, k)` for each point of a lattice with so many to an edge. Each is moved along each direction
/// by a normal deviate of `deviation` spacings, of which no more than three are taken.
template <class At>
void for_shaken_lattice(int edge, double deviation, Random& random, At const& at) {
  for (int i = 0; i < edge; ++i)
    for (int j = 0; j < edge; ++j)
      for (int k = 0; k < edge; ++k) {
        Vector place{i + 0.5, j + 0.5, k + 0.5};
        for (double& x : place) {
          x = (x + deviation * std::clamp(random.normal(), -3.0, 3.0)) / edge;
          x -= std::floor(x);
        }
        at(place, i, j, k);
      }
}

int edge_of(double lattice_points) { return std::max(2, int(std::lround(std::cbrt(lattice_points)))); }

void append(SimulatedSystem& s, Vector const& place) {
  for (double const x : place) s.positions.push_back(x - std::floor(x));
}

/// The distances and charges of SPC/E; molecules of liquid water have 29.9 cubic angstroms each.
void add_water(SimulatedSystem& s, std::size_t count, Random& random) {
  constexpr double bond = 1.0 / 3.104, oxygen = -0.8476;       // O-H distance in spacings of the lattice
  constexpr double along = 0.577350269, across = 0.816496581;  // cosine and sine of half the tetrahedral angle
  int const edge = edge_of(double(count) / 3);
  for_shaken_lattice(edge, 0.1, random, [&](Vector const& place, int, int, int) {
    append(s, place);
    s.strengths.push_back(oxygen);
    Vector const axis = random.direction();
    Vector normal = random.direction();
    double const part = normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2];
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) normal[d] -= part * axis[d], square += normal[d] * normal[d];
    for (double const side : {-1.0, 1.0}) {
      Vector hydrogen = place;
      for (std::size_t d = 0; d < 3; ++d)
        hydrogen[d] += bond / edge * (along * axis[d] + side * across * normal[d] / std::sqrt(square));
      append(s, hydrogen);
      s.strengths.push_back(-oxygen / 2);
    }
  });
}

void add_ions(SimulatedSystem& s, std::size_t count, Random& random) {
  int const edge = 2 * std::max(1, edge_of(double(count)) / 2);
  for_shaken_lattice(edge, 0.1, random, [&](Vector const& place, int i, int j, int k) {
    append(s, place);
    s.strengths.push_back((i + j + k) % 2 == 0 ? 1 : -1);
  });
}

void add_forces(SimulatedSystem& s, std::size_t count, Random& random) {
  for_shaken_lattice(edge_of(double(count)), 0.25, random, [&](Vector const& place, int, int, int) {
    append(s, place);
    for (int d = 0; d < 3; ++d) s.strengths.push_back(random.symmetric());
  });
}

}  // namespace

std::vector<std::string> simulated_systems() { return {"liquid", "crystal", "suspension"}; }

SimulatedSystem simulated_system(std::string const& name, std::size_t count, std::uint64_t seed) {
  Outputs const field = Output::potential | Output::gradient;
  Random random{seed};
  if (name == "liquid" || name == "crystal") {
    SimulatedSystem s{name, Kernel::laplace, field, {}, {}};
    name == "liquid" ? add_water(s, count, random) : add_ions(s, count, random);
    return s;
  }
  if (name != "suspension")
    throw Error{Fault::bad_input, "'" + name +
                                      "' is no system whose tolerances are compared; take liquid, crystal or "
                                      "suspension, or none for all three"};
  SimulatedSystem s{name, Kernel::stokeslet, Output::velocity, {}, {}};
  add_forces(s, count, random);
  return s;
}

}  // namespace nearfar::bench
