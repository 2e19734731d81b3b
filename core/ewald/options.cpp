// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/options.hpp"

#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/tolerances.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/description/kernels_with.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/math/reject.hpp"
#include "core/spectral/smooth_length.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace nearfar {

namespace {

constexpr double largest_tolerance = 0.5, largest_ratio = 1e4;
constexpr std::size_t largest_count = std::size_t(1) << 40;

template <class T>
char const* precision() {
  return std::is_same_v<T, float> ? "single" : "double";
}

void check_kernel(EwaldOptions const& o) { check_outputs(o.kernel, o.outputs); }

/// Constants that have no meaning for a sum are refused, not ignored: whoever sets one expects an effect.
void check_constants(EwaldOptions const& o) {
  KernelDescription const& kernel = describe(o.kernel);
  check_screening(o.kernel, o.screening);
  if (o.zero_mode && !kernel.has_double_layer())
    reject("zero mode is ", name(*o.zero_mode), " with kernel ", name(o.kernel),
           " (only a double layer leaves one open). Leave it out, or use kernel ",
           kernels_with([](KernelInfo const& info) { return info.zero_mode; }));
  if (o.zero_mode && o.periodicity != Periodicity::xyz)
    reject("zero mode is ", name(*o.zero_mode), " in a box that is periodic ", name(o.periodicity),
           " (where directions are free, nothing is left open). Leave it out, or use periodic xyz");
  if (!o.gauge_length) return;
  if (periodic_directions(o.periodicity) != 1)
    reject("gauge length is ", *o.gauge_length, " in a box that is periodic ", name(o.periodicity),
           " (only with one period do fields hold a logarithm). Leave it out, or use periodic x, y or z");
  if (!kernel.has_logarithm())
    reject("gauge length is ", *o.gauge_length, " with kernel ", kernel.name,
           " (its field holds no logarithm). Leave it out, or use kernel ",
           kernels_with([](KernelInfo const& info) { return info.gauge_length; }));
  if (!(*o.gauge_length > 0) || !std::isfinite(*o.gauge_length))
    reject("gauge length is ", *o.gauge_length, " (distances are divided by it). Give a length above 0");
}

void check_influence(EwaldOptions const& o) {
  if (o.influence == Influence::table && o.periodicity != Periodicity::none)
    reject("influence is table in a box that is periodic ", name(o.periodicity),
           " (almost all modes decay fast there, so a doubled grid would gain nothing). Leave it out, or use periodic "
           "none");
  if (o.influence == Influence::table && o.window_points.value_or(0) > widest_for_table)
    reject("influence is table with a window of ", *o.window_points,
           " points (its transform is lost in rounding at the corners of the grid, where a table has modes). Leave one "
           "out, or give at most ",
           widest_for_table, " points");
}

void check_box(EwaldOptions const& o) {
  for (int d = 0; d < 3; ++d) {
    bool const periodic = is_periodic(o.periodicity, d), found_from_points = !periodic && o.box[d] == 0;
    if ((!(o.box[d] > 0) && !found_from_points) || !std::isfinite(o.box[d]))
      reject("box edge ", "xyz"[d], " is ", o.box[d],
             periodic
                 ? " (an edge is the length of a period). Give a length above 0"
                 : " (this direction is free). Give a length above 0 that holds the points, or 0 to have it found");
  }
}

/// An edge by what the caller knows of it.
std::string edge_name(EwaldOptions const& o, std::size_t d, double length) {
  bool const periodic = is_periodic(o.periodicity, int(d));
  if (o.cell && periodic) return in_words("row ", "abc"[d], " of the reduced cell is ", length, " long");
  return in_words(periodic        ? "the period"
                  : o.box[d] == 0 ? "the spread of the points"
                                  : "the box edge",
                  " along ", "xyz"[d], " is ", length);
}

template <class T>
void check_tolerance(double tolerance) {
  double const finest = finest_tolerance<T>();
  if (!(tolerance > 0))
    reject("tolerance is ", tolerance, " (it is a relative error). Give a number from ", finest, " to ",
           largest_tolerance);
  if (tolerance > largest_tolerance)
    reject("tolerance is ", tolerance, " (not even the first digit would be right). Give at most ", largest_tolerance);
  if (tolerance < finest)
    reject("tolerance is ", tolerance, " (", precision<T>(), " precision is good for ", finest, "). Give at least ",
           finest, std::is_same_v<T, float> ? ", or use double precision" : "");
}

template <class T>
void check_far_precision(EwaldOptions const& o) {
  if (std::is_same_v<T, float>) {
    if (o.far_precision == FarPrecision::double_)
      reject(
          "far precision is double in a solve in single precision (all of which is in single). Leave it out, or use "
          "double precision");
  } else if (o.far_precision == FarPrecision::single && o.tolerance < finest_for_single_far) {
    reject("far precision is single with tolerance ", o.tolerance,
           " (rounding on the grid alone may add a few 1e-6 to the error). Leave it out, or give a tolerance from ",
           finest_for_single_far, " on");
  }
}

void check_count(EwaldOptions const& o) {
  if (o.count > largest_count)
    reject("count is ", o.count, " (no memory holds so many particles). Give at most ", largest_count,
           ", or 0 to have them counted by set_points");
  if (o.vectors < 1)
    reject("vectors is ", o.vectors, " (the plan is for so many vectors of strengths at once). Give 1 or more");
}

void check_by_hand(EwaldOptions const& o) {
  double const longest = *std::max_element(o.box.begin(), o.box.end());
  bool const known = std::count(o.box.begin(), o.box.end(), 0.0) == 0;
  if (o.cutoff && !(*o.cutoff > 0 && (*o.cutoff <= longest || !known)))
    reject("cutoff is ", *o.cutoff, " (the longest box edge is ", longest,
           "). Give a length above 0 and up to that edge");
  bool const pswf = o.split == Split::pswf;
  double const low = pswf ? 2 : 0.5, high = pswf ? 45 : 7;
  if (o.split_parameter && !(*o.split_parameter >= low && *o.split_parameter <= high))
    reject("split parameter is ", *o.split_parameter, " (for the ", name(o.split), " split it is ",
           pswf ? "c of the prolate function" : "xi times the cutoff", "). Give a number from ", low, " to ", high);
  if (o.window_points && (*o.window_points < 4 || *o.window_points > max_window_points))
    reject("window points is ", *o.window_points, " (the window's width in grid points). Give a number from 4 to ",
           max_window_points);
  if (!o.grid) return;
  int const window = o.window_points.value_or(4);
  for (int d = 0; d < 3; ++d) {
    int const m = (*o.grid)[d], least = window + (is_periodic(o.periodicity, d) ? 0 : room_beside_window);
    if (m < least || m > largest_grid || m % 2 != 0)
      reject("grid has ", m, " points along ", "xyz"[d], " (it must hold the window of ", window,
             " points, and its highest mode pairs up). Give an even number from ", least + least % 2, " to ",
             largest_grid);
  }
}

}  // namespace

template <>
double finest_tolerance<float>() noexcept {
  return 1e-5;
}
template <>
double finest_tolerance<double>() noexcept {
  return 1e-12;
}

WindowShape window_shape(EwaldOptions const& options, EwaldPlanning const& parameters) noexcept {
  KernelDescription const& kernel = describe(options.kernel, options.outputs);
  int const slopes = kernel.gathers_slopes ? kernel.slopes() : kernel.spreads_slopes;
  return {options.window, parameters.window_points, parameters.window_shape, slopes};
}

template <class T>
void check_options(EwaldOptions const& options) {
  check_kernel(options);
  check_constants(options);
  if (options.virial) check_virial_of(options.kernel, options.outputs);
  check_influence(options);
  check_box(options);
  check_tolerance<T>(options.tolerance);
  check_near_precision<T>(options.near_precision, options.tolerance);
  check_far_precision<T>(options);
  check_count(options);
  check_by_hand(options);
}

void check_proportions(EwaldOptions const& o, std::array<double, 3> const& lengths) {
  auto const longest = std::size_t(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
  if (o.cutoff && lengths[longest] > 0 && *o.cutoff > lengths[longest])
    reject("cutoff is ", *o.cutoff, " (", edge_name(o, longest, lengths[longest]),
           ", and nothing is longer). Give a length above 0 and up to that");
  for (std::size_t d = 0; d < 3; ++d)
    if (o.box[d] > 0 && lengths[longest] > largest_ratio * lengths[d])
      reject(edge_name(o, longest, lengths[longest]), " and ", edge_name(o, d, lengths[d]),
             " (one cutoff serves all directions, and would span so many periods that summing their images takes "
             "minutes). Keep within 1 : ",
             largest_ratio,
             is_periodic(o.periodicity, int(d)) ? "; a short period can be summed as several copies of it in one"
                                                : "; leave the short edge out, so that it follows from the points");
}

template void check_options<float>(EwaldOptions const&);
template void check_options<double>(EwaldOptions const&);

}  // namespace nearfar
