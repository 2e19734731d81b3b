// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/row_shape.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Factors on one vector of strengths on its way in, and on its results on their way out: powers of two, such
/// that the largest strengths are about 1 inside and no product of them overflows. Plain data that tasks read.
struct StrengthUnit {
  std::int32_t strength[max_strength_fields] = {};  ///< exponent for each field of strengths
  std::int32_t result[max_derivatives + 1] = {};    ///< exponents for the kernel's first result and its derivatives
};

/// The unit for strengths whose largest |component| in each field is between 2^exponent[field] and twice that, or 0
/// where `present` is not set; `length` is the exponent of the unit of length. A layer scales as the product of its
/// fields over length^decay. If there are several, the largest one decides, since they are added.
NEARFAR_FUNCTION StrengthUnit strength_unit(UnitShape const& shape, int const* exponent, bool const* present,
                                            int length) {
  StrengthUnit unit;
  int result = 0, of_layer = 0;
  bool any = false;
  auto const is_present = [&](auto const& layer) {
    bool all = true;
    for (int i = 0; i < layer.fields; ++i) all = all && present[layer.first + i];
    return all;
  };
  for (int l = 0; l < shape.layers; ++l) {
    auto const& layer = shape.layer[l];
    of_layer = -layer.decay * length;
    for (int i = 0; i < layer.fields; ++i) of_layer += exponent[layer.first + i];
    if (!is_present(layer)) continue;
    result = any && result > of_layer ? result : of_layer;
    any = true;
  }
  if (!any) result = of_layer;
  for (int d = 0; d <= max_derivatives; ++d) unit.result[d] = result - d * length;
  for (int l = 0; l < shape.layers; ++l) {
    auto const& layer = shape.layer[l];
    // The first field of a layer takes up what the layer lacks to the unit of the results.
    int rest = result + layer.decay * length;
    for (int i = 1; i < layer.fields; ++i) {
      unit.strength[layer.first + i] = -exponent[layer.first + i];
      rest -= exponent[layer.first + i];
    }
    unit.strength[layer.first] = -(layer.fields == 1 || is_present(layer) ? rest : exponent[layer.first]);
  }
  return unit;
}

}  // namespace nearfar
