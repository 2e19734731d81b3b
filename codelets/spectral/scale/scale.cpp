// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/scale/scale.hpp"

#include "codelets/spectral/scale/operators.hpp"
#include "codelets/spectral/scale/scale_body.hpp"

namespace nearfar {

#define NEARFAR_INSTANTIATE(T, ...) template struct Scale<__VA_ARGS__>;
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, double)
NEARFAR_FOR_EACH_MODE_OPERATOR(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar
