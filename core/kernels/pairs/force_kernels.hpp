// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"

/// X(..., K) for the smallest description of each kernel whose results tell the forces on its strengths.
#define NEARFAR_FORCE_KERNELS(X, ...) \
  X(__VA_ARGS__, LaplaceGradient)     \
  X(__VA_ARGS__, YukawaGradient) X(__VA_ARGS__, DipoleHessian) X(__VA_ARGS__, ChargeDipoleHessian)
/// X(T, A, K), as NEARFAR_EACH_NEAR_SUM.
#define NEARFAR_EACH_FORCE_SUM(X)          \
  NEARFAR_FORCE_KERNELS(X, double, double) \
  NEARFAR_FORCE_KERNELS(X, double, float) NEARFAR_FORCE_KERNELS(X, float, float)
