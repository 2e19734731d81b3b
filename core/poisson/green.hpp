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

/// The Green's function of -Laplace(phi) = rho on a grid, as a table of real multipliers: phi is the inverse
/// transform of table x transform of rho, where rho is zero-padded to twice the grid along open directions.
///
/// Samples of the kernel are real and even along every direction, so one octant of them holds all, and
/// likewise of the table: modes 0 .. transform / 2 of each direction. The table is a product of linear
/// maps (GreenAxis), one per direction, applied to the samples; maps of different directions commute.
///
/// Sources: Hockney and Eastwood, Computer Simulation Using Particles (1988), Sec. 6-5; Vico, Greengard, Ferrando,
/// J. Comput. Phys. 323 (2016) 191. Along a direction that repeats, the samples are over the modes of the box; the
/// kernel in the others is that of -Laplace + kappa^2, kappa the length of the wave vector along all that repeat.

/// How samples along one direction become multipliers.
struct GreenAxis {
  int size = 1;        ///< cells of the box
  double spacing = 1;  ///< of cells
  bool open = false;
  int cut = 0;  ///< open, kernel cut in space: points of the transform of samples from modes to space
  NEARFAR_FUNCTION int transform() const { return open ? 2 * size : size; }
  /// Samples in the octant: over modes if the kernel is cut or the direction repeats, else over space.
  NEARFAR_FUNCTION int samples() const { return cut > 0 ? cut / 2 + 1 : modes(); }
  NEARFAR_FUNCTION int modes() const { return transform() / 2 + 1; }
  /// Distance between samples: a length, or over modes a wave number.
  NEARFAR_FUNCTION double unit() const {
    if (open && cut == 0) return spacing;
    return 2 * pi<double> / (spacing * (cut > 0 ? cut : transform()));
  }
};

/// The maps along open directions are: [samples over modes -> space, by a cosine transform (DCT-I)
/// of cut / 2 + 1 values, of which the first size + 1 are kept;] space -> modes, by one of size + 1
/// values. The identity where a direction repeats. Plain data that travels inside task arguments.
struct GreenFunction {
  GreenAxis axis[3];
  PoissonMethod method = PoissonMethod::vico_dct;
  HockneyGreen green = HockneyGreen::cell_average;
  double radius = 0;  ///< where the kernel is cut; 0: nowhere
  double scale = 1;   ///< of the samples: the volume of a cell, or the normalisation of the transform to space

  NEARFAR_FUNCTION int open() const { return int(axis[0].open) + int(axis[1].open) + int(axis[2].open); }
};

/// Terms shared by the samples at one mode of the directions that repeat.
struct SharedTerms {
  double central = 0;  ///< the sample at distance 0, if samples are over space
  BesselK edge;        ///< where the kernel is cut and two directions are open: of radius x wave number
};

/// A Green's function for a box with a given grid. Kernels are cut at 1.1 times the diagonal of
/// the open directions (cubes need less, but long boxes need as many points along their short
/// edges: with a fixed factor of 4, results are wrong by tens of percent for boxes of 1 x 1 x 3).
GreenFunction make_green_function(PoissonMethod method, HockneyGreen green, std::array<int, 3> const& grid,
                                  std::array<double, 3> const& box, std::array<bool, 3> const& periodic);

/// For every mode [first][second] of the directions that repeat, 0 .. transform / 2 of
/// each; if all three do, nothing is shared, and there is one entry of zeros. Thread-safe.
std::vector<SharedTerms> shared_terms(GreenFunction const& green);

}  // namespace nearfar
