// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <array>
#include <functional>
#include <span>
#include <vector>

/// Slow and sure sums to test the library against. Written from the formulas (reference ewald.md, Secs. 0 to 2) and
/// sharing nothing with core/ but the names of the kernels, so that an error would have to be made twice.
/// Rows as in BasicEwald: 3 numbers per point, f | q,n | f,q,n | q per source, u | phi[, gradient] per target.
/// A pair at distance zero adds only its images.
namespace nearfar::oracle {

using Box = std::array<double, 3>;
using Radial = std::function<long double(long double)>;

/// The mode k = 0 of the periodic stresslet.
enum class ZeroMode {
  zero_face_flux,  ///< u -= (8 pi / V) sum_n (x - y_n)(q_n . n_n): closed surfaces give 8 pi q inside and 0 outside
  zero_mean_flow   ///< nothing
};

/// The sum over all images in three periodic directions, by Ewald's and Hasimoto's split with erf. Laplace has a
/// neutralising background. `accuracy` is the relative l2 error where both parts are cut; rounding adds about 1e-15.
/// `cutoff` is the radius of the part summed in real space, 0: by cost; the result does not depend on it.
std::vector<double> ewald(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                          std::span<double const> targets, std::span<double const> strengths, double accuracy = 1e-14,
                          double cutoff = 0, ZeroMode zero_mode = ZeroMode::zero_face_flux);

/// The sum over all images of a box that is periodic along x, or along x and y (ewald.md, Sec. 4), pair by pair: for a
/// few dozen points. Gauges as in BasicEwald. The result does not depend on `cutoff`.
std::vector<double> mixed_ewald(Kernel kernel, bool gradient, Periodicity periodicity, Box const& box,
                                std::span<double const> sources, std::span<double const> targets,
                                std::span<double const> strengths, double cutoff);

/// A box that repeats like `box` along its periodic directions, and is so long along the others that no image of one of
/// the points is within the cutoff of another: for `near_part`, which knows of no free directions.
Box without_images(Periodicity periodicity, Box box, std::span<double const> points, double cutoff);

/// The near kernel of the profile Phi ((1 - Phi) / r for Laplace) summed over all images within `cutoff`, the self term
/// -Phi'(0) q or -2 Phi'(0) f included where target and source coincide: `ewald` minus this is the exact far part.
/// Takes Phi, Phi' and, for a stresslet, Phi''.
std::vector<double> near_part(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                              std::span<double const> targets, std::span<double const> strengths, double cutoff,
                              Radial const& phi, Radial const& phi1, Radial const& phi2 = {});

/// The sum in free space; terms and sums in long double.
std::vector<double> free_space(Kernel kernel, bool gradient, std::span<double const> sources,
                               std::span<double const> targets, std::span<double const> strengths);

/// sqrt(sum (a - b)^2 / sum b^2) over the columns [first, first + count) of rows of `width` numbers; count 0: all.
double relative_error(std::span<double const> a, std::span<double const> b, int width = 1, int first = 0,
                      int count = 0);

}  // namespace nearfar::oracle
