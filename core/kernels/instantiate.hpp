// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

/// \file
/// The cases for which the templates of stages are instantiated, listed once: X is a macro
/// that instantiates one case. visit_kernel (visit_kernel.hpp) chooses among them at run time.

// clang-format off
#define NEARFAR_KERNELS_IN(X, T)  X(T, Kernel::laplace) X(T, Kernel::stokeslet) X(T, Kernel::stresslet) X(T, Kernel::stokes)
#define NEARFAR_SUMS_IN(X, T)     X(T, Kernel::laplace, false) X(T, Kernel::laplace, true) \
                                  X(T, Kernel::stokeslet, false) X(T, Kernel::stresslet, false) X(T, Kernel::stokes, false)
#define NEARFAR_NEAR_IN(X, T, A)  X(T, Kernel::laplace, false, A) X(T, Kernel::laplace, true, A) \
                                  X(T, Kernel::stokeslet, false, A) X(T, Kernel::stresslet, false, A) X(T, Kernel::stokes, false, A)
#define NEARFAR_GATHERED_IN(X, T) X(T, Kernel::laplace, false) X(T, Kernel::laplace, true) X(T, Kernel::stokeslet, false)
// clang-format on

/// X(T, K): precision and kernel.
#define NEARFAR_EACH_KERNEL(X) NEARFAR_KERNELS_IN(X, double) NEARFAR_KERNELS_IN(X, float)

/// X(T, K, G): precision, kernel, and whether the gradient is wanted.
#define NEARFAR_EACH_SUM(X) NEARFAR_SUMS_IN(X, double) NEARFAR_SUMS_IN(X, float)

/// X(T, K, G, A): the same, and the precision of the summation, which may be single inside a double solve.
#define NEARFAR_EACH_NEAR_SUM(X) \
  NEARFAR_NEAR_IN(X, double, double) NEARFAR_NEAR_IN(X, double, float) NEARFAR_NEAR_IN(X, float, float)

/// X(T, K, G): what is gathered from a grid: a potential or, for every Stokes kernel, a velocity.
#define NEARFAR_EACH_GATHERED(X) NEARFAR_GATHERED_IN(X, double) NEARFAR_GATHERED_IN(X, float)
