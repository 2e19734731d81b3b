// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far_operator.hpp"
#include "core/ewald/influence_operator.hpp"
#include "core/spectral/mode_operators.hpp"

/// DO(T, operator) for each mode operator that columns are multiplied
/// by, with numbers T: each is compiled for all kinds of workers.
#define NEARFAR_FOR_EACH_MODE_OPERATOR(DO, T)    \
  DO(T, FarOperator<T, Kernel::stokeslet>)       \
  DO(T, FarOperator<T, Kernel::stokes>)          \
  DO(T, FarOperator<T, Kernel::laplace>)         \
  DO(T, InfluenceOperator<T, Kernel::stokeslet>) \
  DO(T, InfluenceOperator<T, Kernel::stokes>)    \
  DO(T, InfluenceOperator<T, Kernel::laplace>)   \
  DO(T, PotentialOperator<T>)                    \
  DO(T, FieldOperator<T>)                        \
  DO(T, PotentialAndFieldOperator<T>)
