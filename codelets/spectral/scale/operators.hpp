// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/far_virial_operator.hpp"
#include "core/ewald/far/influence_operator.hpp"
#include "core/spectral/mode_operators.hpp"

#define NEARFAR_FOR_FAR_OPERATORS(DO, T, Far) DO(T, FarOperator<T, Far>) DO(T, InfluenceOperator<T, Far>)

/// DO(T, operator) for each mode operator that columns are multiplied
/// by, with numbers T: each is compiled for all kinds of workers.
#define NEARFAR_FOR_EACH_MODE_OPERATOR(DO, T)    \
  NEARFAR_FARS(NEARFAR_FOR_FAR_OPERATORS, DO, T) \
  DO(T, FarVirialOperator<T>)                    \
  DO(T, PotentialOperator<T>)                    \
  DO(T, FieldOperator<T>)                        \
  DO(T, PotentialAndFieldOperator<T>)
