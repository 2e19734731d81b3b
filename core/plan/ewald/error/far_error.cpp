// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far_grid.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/kernel_layers.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/error/far_model.hpp"
#include "core/plan/ewald/error/split_level.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/near_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace nearfar {

WindowShape window_shape(EwaldOptions const& options, EwaldParameters const& parameters) noexcept {
  bool const slopes = options.gradient || has_double_layer(options.kernel);
  return {options.window, parameters.window_points, parameters.window_shape, slopes};
}

namespace {

template <class T>
FarSquare far_square(EwaldOptions const& options, EwaldParameters const& parameters) {
  SplitShape const shape = make_split_shape(options.split, options.kernel, parameters.split_parameter);
  FilledGrid const grid = filled_grid(options, parameters);
  FarModel const model(grid.edge, grid.size, parameters.cutoff, options.kernel, options.gradient, shape,
                       static_cast<double>(options.count), free_directions(options.periodicity),
                       plane_spacing_of_crystal(options.box, double(options.count)));
  WindowShape const window = window_shape(options, parameters);
  double const epsilon =
      (parameters.far_in_single ? double(std::numeric_limits<float>::epsilon()) : std::numeric_limits<T>::epsilon()) /
      2;
  return model.truncation() + model.aliasing(window) + model.rounding(window, epsilon);
}

}  // namespace

template <class T>
double estimate_far_error(EwaldOptions const& options, EwaldParameters const& parameters) {
  return error_of(far_square<T>(options, parameters).announced());
}

template <class T>
std::array<double, 2> estimate_noise(EwaldOptions const& options, EwaldParameters const& p) {
  std::array<double, 2> noise = far_square<T>(options, p).noise;
  // A Gaussian split drops modes less sharply, and a crystal has a strong mode just there: 2.4 times the model was
  // measured.
  if (options.split == Split::gaussian) noise[1] *= 2.5 * 2.5;
  if (!p.near_in_single && !std::is_same_v<T, float>) return noise;
  // Rounding of pairs in single precision, assuming the points lie as in a crystal: 1 / r and 1 / r^2 summed around a
  // point.
  double const count = std::max(1.0, static_cast<double>(options.count)),
               density = count / (options.box[0] * options.box[1] * options.box[2]),
               square = single_near_error * single_near_error / count;
  bool const laplace = options.kernel == Kernel::laplace;
  noise[0] += (laplace ? 1 : 2) * square * 4 * pi<double> * density * p.cutoff;
  noise[1] += (laplace ? 1 : 5) * square * 16.5 * std::pow(density, 4.0 / 3);
  return noise;
}

template double estimate_far_error<float>(EwaldOptions const&, EwaldParameters const&);
template double estimate_far_error<double>(EwaldOptions const&, EwaldParameters const&);
template std::array<double, 2> estimate_noise<float>(EwaldOptions const&, EwaldParameters const&);
template std::array<double, 2> estimate_noise<double>(EwaldOptions const&, EwaldParameters const&);

}  // namespace nearfar
