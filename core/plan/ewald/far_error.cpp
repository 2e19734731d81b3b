// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far_grid.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/kernel_layers.hpp"
#include "core/plan/ewald/far_model.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/split_level.hpp"

#include <limits>

namespace nearfar {

WindowShape window_shape(EwaldOptions const& options, EwaldParameters const& parameters) noexcept {
  bool const slopes = options.gradient || has_double_layer(options.kernel);
  return {options.window, parameters.window_points, parameters.window_shape, slopes};
}

template <class T>
double estimate_far_error(EwaldOptions const& options, EwaldParameters const& parameters) {
  SplitShape const shape = make_split_shape(options.split, options.kernel, parameters.split_parameter);
  FilledGrid const grid = filled_grid(options, parameters);
  FarModel const model(grid.edge, grid.size, parameters.cutoff, options.kernel, options.gradient, shape,
                       static_cast<double>(options.count), free_directions(options.periodicity));
  WindowShape const window = window_shape(options, parameters);
  double const epsilon = std::numeric_limits<T>::epsilon() / 2;
  return error_of((model.truncation() + model.aliasing(window) + model.rounding(window, epsilon)).announced());
}

template double estimate_far_error<float>(EwaldOptions const&, EwaldParameters const&);
template double estimate_far_error<double>(EwaldOptions const&, EwaldParameters const&);

}  // namespace nearfar
