// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/scale.hpp"

#include "codelets/spectral/scale/scale_body.hpp"
#include "core/ewald/far_operator.hpp"
#include "core/ewald/influence_operator.hpp"

namespace nearfar {

#define NEARFAR_INSTANTIATE(T)                                    \
  template struct Scale<FarOperator<T, Kernel::stokeslet>>;       \
  template struct Scale<FarOperator<T, Kernel::stokes>>;          \
  template struct Scale<FarOperator<T, Kernel::laplace>>;         \
  template struct Scale<InfluenceOperator<T, Kernel::stokeslet>>; \
  template struct Scale<InfluenceOperator<T, Kernel::stokes>>;    \
  template struct Scale<InfluenceOperator<T, Kernel::laplace>>;   \
  template struct Scale<PotentialOperator<T>>;                    \
  template struct Scale<FieldOperator<T>>;                        \
  template struct Scale<PotentialAndFieldOperator<T>>;
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
