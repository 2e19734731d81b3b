// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bessel_k.hpp"
#include "core/math/constants.hpp"
#include "core/math/function.hpp"

#include <nearfar/poisson.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace nearfar {

/// The Green's function of -Laplace(phi) = rho on a grid, as a table of real multipliers: phi is the inverse transform
/// of table x transform of rho, where rho is followed by zeros up to twice the grid along directions that are open.
///
/// Samples of the kernel are real and even along every direction, so that one octant of them holds all, and so does one
/// octant of the table: modes 0 .. transform / 2 of each direction. The table is the product of one linear map per
/// direction (GreenAxis) applied to the samples; the maps of different directions commute.
///
/// Sources: Hockney and Eastwood, Computer Simulation Using Particles (1988), Sec. 6-5; Vico, Greengard, Ferrando,
/// J. Comput. Phys. 323 (2016) 191. Along a direction that repeats, the modes of the box are the samples, and the
/// kernel in the others is that of -Laplace + kappa^2, kappa being the length of the wave vector along all that repeat.

/// How samples along one direction become multipliers.
struct GreenAxis {
  int size = 1;        ///< cells of the box
  double spacing = 1;  ///< of cells
  bool open = false;
  int cut = 0;  ///< open, kernels cut in space: points of the transform that takes samples over modes to space
  NEARFAR_FUNCTION int transform() const { return open ? 2 * size : size; }
  /// Of the octant: over modes where the kernel is cut or the direction repeats, over space else.
  NEARFAR_FUNCTION int samples() const { return cut > 0 ? cut / 2 + 1 : modes(); }
  NEARFAR_FUNCTION int modes() const { return transform() / 2 + 1; }
  /// Between samples: a distance, or over modes a wave number.
  NEARFAR_FUNCTION double unit() const {
    if (open && cut == 0) return spacing;
    return 2 * pi<double> / (spacing * (cut > 0 ? cut : transform()));
  }
};

/// The maps are, along open directions: [samples over modes -> space, by a cosine transform (DCT-I) of cut / 2 + 1
/// values; the first size + 1 of them kept;] space -> modes, by one of size + 1 values. The identity where it repeats.
/// Plain data: it travels inside task arguments.
struct GreenFunction {
  GreenAxis axis[3];
  PoissonMethod method = PoissonMethod::vico_dct;
  HockneyGreen green = HockneyGreen::cell_average;
  double radius = 0;  ///< where the kernel is cut; 0: it is not
  double scale = 1;   ///< of the samples: the volume of a cell, or what makes the transform to space an inverse

  NEARFAR_FUNCTION int open() const { return int(axis[0].open) + int(axis[1].open) + int(axis[2].open); }
};

/// What the samples share that lie at one mode of the directions that repeat.
struct SharedTerms {
  double central = 0;  ///< the sample at distance 0, where samples are over space
  BesselK edge;        ///< where the kernel is cut and two directions are open: of radius x wave number
};

/// A Green's function for a box of given grid. Kernels are cut at 1.1 times the diagonal of the open directions
/// (fewer would do for cubes, but long boxes need as many points along their short edges: a fixed factor of 4 is wrong
/// by tens of percent for boxes of 1 x 1 x 3).
GreenFunction make_green_function(PoissonMethod method, HockneyGreen green, std::array<int, 3> const& grid,
                                  std::array<double, 3> const& box, std::array<bool, 3> const& periodic);

/// For every mode [first][second] of the directions that repeat, 0 .. transform / 2 of each; where all do, nothing is
/// shared, and there is one, of zeros. Thread-safe.
std::vector<SharedTerms> shared_terms(GreenFunction const& green);

}  // namespace nearfar
