// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/kept.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/ewald/window/window_function.hpp"
#include "core/geometry/axes.hpp"
#include "core/geometry/given_cell.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/error/far_model.hpp"
#include "core/plan/ewald/error/split_level.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>

namespace nearfar {

namespace {

/// All that a FarModel is made from.
struct Modelled {
  std::array<double, 3> edge;  ///< of the filled grid, periodic directions first
  std::array<int, 3> size;
  double cutoff;
  KernelDescription const* kernel;
  double screening;
  Split split;
  double split_parameter;
  double sources;
  int free;
  double mean;
  PlaneSpacing planes;

  bool operator==(Modelled const&) const = default;
};

Modelled modelled(EwaldOptions const& options, EwaldPlanning const& parameters) {
  FilledGrid const grid = filled_grid(options, parameters);
  Axes const axes = periodic_first(options.periodicity);
  return {inside(axes, grid.edge),
          inside(axes, grid.size),
          parameters.cutoff,
          &describe(options.kernel, options.outputs),
          options.screening.value_or(0),
          options.split,
          parameters.split_parameter,
          static_cast<double>(options.count) / fullness_of(options),
          free_directions(options.periodicity),
          mean_field(options),
          inside(axes, options.cell ? PlaneSpacing() : plane_spacing_of_crystal(options.box, double(options.count)))};
}

std::shared_ptr<FarModel const> far_model(Modelled const& of) {
  static Kept<Modelled, std::shared_ptr<FarModel const>> models;
  auto const shape = [&](Base base) { return *split_shape(of.split, base, of.split_parameter); };
  return models.of(of, [&] {
    return std::make_shared<FarModel const>(of.edge, of.size, of.cutoff, *of.kernel, of.screening, shape, of.sources,
                                            of.free, of.mean, of.planes);
  });
}

/// Unit roundoff of the far part.
template <class T>
double roundoff(EwaldPlanning const& p) {
  return (p.far_in_single ? double(std::numeric_limits<float>::epsilon()) : std::numeric_limits<T>::epsilon()) / 2;
}

template <class T>
FarSquare far_square(EwaldOptions const& options, EwaldPlanning const& parameters) {
  static Kept<std::tuple<Modelled, Window, int, double, int, double>, FarSquare> squares;
  Modelled const of = modelled(options, parameters);
  WindowShape const window = window_shape(options, parameters);
  double const epsilon = roundoff<T>(parameters);
  return squares.of({of, window.window, window.points, window.shape, window.slopes, epsilon}, [&] {
    auto const model = far_model(of);
    return model->truncation() + model->aliasing(window) + model->rounding(window, epsilon);
  });
}

/// The value and a third of the second slope of the smooth part at a source.
std::array<double, 2> at_source(EwaldOptions const& options, EwaldPlanning const& p) {
  static Kept<std::tuple<Split, double, double, double>, std::array<double, 2>> last;
  return last.of({options.split, p.split_parameter, p.cutoff, options.screening.value_or(0)}, [&] {
    Profile const profile = profile_of(options, p);
    return std::array{double(profile.first(0)), std::abs(double(profile.second_over_r(0))) / 3};
  });
}

/// What pairs within the cutoff, a source with itself too, have of the far part taken off, by polynomials that are off
/// by this: all that there is where no other source is close. A pair feels a fifth of what a source does of itself, in
/// square; with a Gaussian split as much, most of it just below the cutoff. Its derivatives, from the value v and the
/// second slope c at the source, are of the size of v, sqrt(v c), c and c sqrt(c / v); those of odd order are zero at
/// the source itself. In single precision a third of `single_near_error` was measured for v and c with a Gaussian
/// split, 0.41 for pswf with c = 43; the third derivative loses three times as much just below the cutoff, where
/// polynomials are worst (one dipole, its Hessian).
void add_smooth_part(FarNoise& noise, EwaldOptions const& options, EwaldPlanning const& p, double density,
                     double square) {
  bool const laplace = describe(options.kernel).base != Base::hasimoto;
  auto const [value, curvature] = at_source(options, p);
  double const neighbours = 4.0 / 3 * pi<double> * density * p.cutoff * p.cutoff * p.cutoff,
               off = square * (1 + (options.split == Split::gaussian ? 1 : 0.2) * neighbours);
  noise.field[0] += (laplace ? 1 : 2) * off * value * value;
  noise.field[1] += (laplace ? 0.25 : 1) * off * value * curvature;
  noise.field[2] += (laplace ? 3 : 20) * off * curvature * curvature;
  noise.field[3] += 0.25 * off * curvature * curvature * curvature / value;
  noise.pressure[1] += 0.25 * off * value * curvature;
  noise.pressure[2] += 20 * off * curvature * curvature;
}

/// Of pairs whose relative error has this square, assuming the points lie as in a crystal: squares of 1 / r, 1 / r^2
/// and 1 / r^3 summed around a point.
void add_rounding_of_pairs(FarNoise& noise, EwaldOptions const& options, EwaldPlanning const& p, double density,
                           double square) {
  bool const laplace = describe(options.kernel).base != Base::hasimoto;
  double const slopes = (laplace ? 1 : 5) * square * 16.5 * std::pow(density, 4.0 / 3),
               second_slopes = (laplace ? 6 : 20) * square * 8.4 * density * density;
  noise.field[0] += (laplace ? 1 : 2) * square * 4 * pi<double> * density * p.cutoff;
  noise.field[1] += slopes;
  noise.field[2] += second_slopes;
  noise.field[3] += 90 * square * 6.9 * std::pow(density, 8.0 / 3);
  noise.pressure[1] += slopes;
  noise.pressure[2] += second_slopes;
}

}  // namespace

template <class T>
double estimate_far_error(EwaldOptions const& options, EwaldPlanning const& parameters) {
  return error_of(far_square<T>(options, parameters).announced());
}

template <class T>
FarNoise estimate_noise(EwaldOptions const& options, EwaldPlanning const& p) {
  FarNoise noise = far_square<T>(options, p).noise;
  // The model's box has the edges of a skewed cell, more room and as dense points.
  double const full = fullness_of(options);
  for (std::size_t q = 0; q < FarNoise::powers; ++q) noise.field[q] /= full, noise.pressure[q] /= full;
  // A Gaussian split drops modes less sharply, and a crystal has a strong mode just there: 2.4 times the model was
  // measured.
  if (options.split == Split::gaussian)
    for (std::size_t q = 1; q < FarNoise::powers; ++q) noise.field[q] *= 2.5 * 2.5, noise.pressure[q] *= 2.5 * 2.5;
  double const count = std::max(1.0, static_cast<double>(options.count)),
               density = count / (options.box[0] * options.box[1] * options.box[2] * full),
               fit = fit_error(options.tolerance);
  bool const in_single = p.near_in_single || std::is_same_v<T, float>;
  add_smooth_part(noise, options, p, density,
                  (fit * fit + (in_single ? 0.25 * single_near_error * single_near_error : 0)) / count);
  if (in_single) add_rounding_of_pairs(noise, options, p, density, single_near_error * single_near_error / count);
  return noise;
}

double window_fit_error(EwaldOptions const& options, EwaldPlanning const& parameters) {
  // The model is for errors without a pattern, and too low for these where a window is as wide as no plan has it; and a
  // table of the influence function has modes beyond the band, where the window's transform is smaller still. Boxes
  // that may have a table have one window, with it and without, so that both give the same sums.
  double const by_hand = options.periodicity == Periodicity::none ? 1e-3 : 0.1,
               share = options.window_points ? by_hand : 1;
  // Nor has it what few sources feel of themselves, in phase: second slopes are off by 250 times the fit for two.
  constexpr double few = 100;
  double const sources = options.count > 1 ? double(options.count) : few,
               fit = fit_error(options.tolerance) * std::min(1.0, sources / few);
  FarSquare const caused = far_model(modelled(options, parameters))->rounding(window_shape(options, parameters), fit);
  return fit * std::min(1.0, share * options.tolerance / error_of(caused.random));
}

template <class T>
WrongSum estimate_wrong_sum(EwaldOptions const& options, EwaldPlanning const& p) {
  if (!options.screening || free_directions(options.periodicity) > 0) return {};
  WindowShape const window = window_shape(options, p);
  WindowFunction const function(window);
  double images = 0;
  for (int image : {1, 2, 3}) {  // windows have their width in grid spacings
    double const passed = function.transform(pi<double> * image * window.points) / function.transform(0);
    images += 3 * 2 * passed * passed;
  }
  double const volume = options.box[0] * options.box[1] * options.box[2] * fullness_of(options),
               mean = 4 * pi<double> / (*options.screening * *options.screening * volume), rounding = roundoff<T>(p),
               fit = window_fit_error(options, p);
  return {mean * mean * images, mean * mean * (rounding * rounding + fit * fit)};
}

template <class T>
std::array<double, max_derivatives + 1> estimate_slopes(EwaldOptions const& options, EwaldPlanning const& parameters) {
  std::array<double, max_derivatives + 1> slopes{};
  KernelDescription const& kernel = describe(options.kernel, options.outputs);
  if (!kernel.gathers_slopes) return slopes;
  double const epsilon = roundoff<T>(parameters) + window_fit_error(options, parameters);
  auto const model = far_model(modelled(options, parameters));
  for (int d = 1; d <= kernel.slopes(); ++d)
    slopes[std::size_t(d)] = model->slope_of_constant(window_shape(options, parameters), epsilon, d);
  return slopes;
}

template double estimate_far_error<float>(EwaldOptions const&, EwaldPlanning const&);
template double estimate_far_error<double>(EwaldOptions const&, EwaldPlanning const&);
template FarNoise estimate_noise<float>(EwaldOptions const&, EwaldPlanning const&);
template FarNoise estimate_noise<double>(EwaldOptions const&, EwaldPlanning const&);
template WrongSum estimate_wrong_sum<float>(EwaldOptions const&, EwaldPlanning const&);
template WrongSum estimate_wrong_sum<double>(EwaldOptions const&, EwaldPlanning const&);
template std::array<double, max_derivatives + 1> estimate_slopes<float>(EwaldOptions const&, EwaldPlanning const&);
template std::array<double, max_derivatives + 1> estimate_slopes<double>(EwaldOptions const&, EwaldPlanning const&);

}  // namespace nearfar
