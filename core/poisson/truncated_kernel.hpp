// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Fourier transforms of Green's functions of -Laplace + kappa^2 that are cut at `radius`, where `open` directions are
/// open. Inside the radius the kernels are
///   open 3   1 / (4 pi r)                                   (kappa = 0)
///   open 2   K_0(kappa r) / (2 pi), or -ln(r) / (2 pi)      for kappa = 0
///   open 1   exp(-kappa |z|) / (2 kappa), or -|z| / 2       for kappa = 0
///   open 0   the transform is 1 / kappa^2; 0 for kappa = 0: the mean of the density has no effect
/// `k` is the length of the wave vector along the open directions. Vico, Greengard, Ferrando (2016) give the first; the
/// others are the same integral in two dimensions and one.
double truncated_kernel(int open, double radius, double k, double kappa);

}  // namespace nearfar
