// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/options.hpp"

#include "core/fmm/errors.hpp"
#include "core/fmm/packed.hpp"
#include "core/fmm/softening.hpp"
#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"
#include "core/math/reject.hpp"
#include "core/tree/morton.hpp"

#include <nearfar/kernels.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace nearfar {

namespace {

constexpr double largest_tolerance = 0.5;
constexpr std::size_t largest_count = std::numeric_limits<std::uint32_t>::max();

void check_kernel(FmmOptions const& o) {
  check_outputs(o.kernel, o.outputs);
  if (describe(o.kernel).rhs == 0)
    reject("kernel ", name(o.kernel),
           " is asked for (the multipole method has no expansions of it). Use Ewald's method, or direct sums");
  if (describe(o.kernel, o.outputs).rhs == 0)
    reject(
        "outputs are ", name(o.outputs), " with kernel ", name(o.kernel),
        " (the multipole method does not evaluate all of them). Use Ewald's method, or direct sums, or ask for less");
  if (o.periodicity != Periodicity::none && o.periodicity != Periodicity::xyz)
    reject("periodicity is ", name(o.periodicity),
           " (the multipole method repeats the cell in all directions or in none). Use none or xyz, or Ewald's method");
  if (o.periodicity == Periodicity::xyz && !describe(o.kernel).repeats_by_multipoles())
    reject("kernel ", name(o.kernel),
           " is asked for in a periodic cell (the multipole method repeats charges and dipoles only). Use Ewald's "
           "method, or periodicity none");
  if (o.boundary == Boundary::vacuum && o.periodicity == Periodicity::none)
    reject(
        "boundary vacuum is asked for in free space (it is about what surrounds a periodic cell). Leave it out, or "
        "use periodicity xyz");
}

void check_virial(FmmOptions const& o) {
  if (kernel_info(o.kernel).virial_outputs.empty()) {
    std::string having;
    for (KernelInfo const& k : kernel_list())
      if (!k.virial_outputs.empty() && !k.fmm_outputs.empty())
        having.append(having.empty() ? "" : ", ").append(name(k.kernel));
    reject("virial is wanted with kernel ", name(o.kernel), " (which has none). Leave it out, or use one of ", having);
  }
  check_virial_of(o.kernel, o.outputs);
}

void check_box(FmmOptions const& o) {
  bool const periodic = o.periodicity == Periodicity::xyz;
  for (std::size_t d = 0; d < 3; ++d)
    if (!std::isfinite(o.box[d]) || (periodic ? !(o.box[d] > 0) : !(o.box[d] >= 0)))
      reject("box edge ", "xyz"[d], " is ", o.box[d],
             periodic ? " (an edge is the length of a period). Give a length above 0"
                      : " (this direction is free). Give a length above 0 that holds the points, or 0");
  if (!periodic) return;
  auto const [shortest, longest] = std::minmax_element(o.box.begin(), o.box.end());
  if (!converges(o, 2))
    reject("box edges go from ", *shortest, " to ", *longest,
           " (boxes of the tree have the cell's shape, and expansions about oblong ones converge too slowly). Give "
           "edges nearer to each other (1 : 1 : 2 and 1 : 1 : 0.6 are possible), or use Ewald's method");
}

template <class T>
void check_tolerance(FmmOptions const& o) {
  double const finest = finest_fmm_tolerance<T>();
  if (!(o.tolerance > 0))
    reject("tolerance is ", o.tolerance, " (it is a relative error). Give a number from ", finest, " to ",
           largest_tolerance);
  if (o.tolerance > largest_tolerance)
    reject("tolerance is ", o.tolerance, " (not even the first digit would be right). Give at most ",
           largest_tolerance);
  if (o.tolerance < finest)
    reject("tolerance is ", o.tolerance, " (", std::is_same_v<T, float> ? "single" : "double",
           " precision is good for ", finest, " here). Give at least ", finest,
           std::is_same_v<T, float> ? ", or use double precision" : ", or use Ewald's method");
}

void check_count(FmmOptions const& o) {
  if (o.count > largest_count)
    reject("count is ", o.count, " (particles are numbered with 32 bits). Give at most ", largest_count,
           ", or 0 to have them counted by set_points");
}

/// Rejects tolerances out of reach: in a cell far from a cube even the highest order may not be enough.
template <class T>
void check_reach(FmmOptions const& o) {
  if (o.order || o.well_separation || o.periodicity == Periodicity::none) return;
  for (int separation : {1, 2})
    if (converges(o, separation) && order_for<T>(o, separation) > 0) return;
  double const error = fmm_error(o, highest_fmm_order<T>(), 2),
               one_digit = std::pow(10, -std::floor(std::log10(error)));
  auto const [shortest, longest] = std::minmax_element(o.box.begin(), o.box.end());
  reject("tolerance is ", o.tolerance, " (with box edges from ", *shortest, " to ", *longest,
         ", expansions converge too slowly for it). Give at least ", std::ceil(error * one_digit) / one_digit,
         ", edges nearer to each other, or use Ewald's method");
}

template <class T>
void check_by_hand(FmmOptions const& o) {
  int const highest = highest_fmm_order<T>();
  if (o.order && (*o.order < 1 || *o.order > highest))
    reject("order is ", *o.order, " (the highest degree of the expansions). Give a number from 1 to ", highest);
  if (o.depth && (*o.depth < 0 || *o.depth > deepest_level))
    reject("depth is ", *o.depth, " (the last level of the tree, the root being 0). Give a number from 0 to ",
           deepest_level);
  if (o.capacity && *o.capacity < 0)
    reject("capacity is ", *o.capacity, " (the points that a box may hold undivided). Give 0 or more");
  if (o.well_separation && *o.well_separation != 1 && *o.well_separation != 2)
    reject("well separation is ", *o.well_separation,
           " (boxes closer than this many boxes interact directly). Give 1 or 2");
  if (o.well_separation && !converges(o, *o.well_separation))
    reject("well separation is ", *o.well_separation,
           " (in a cell that is far from a cube, expansions of boxes so close converge too slowly). Give 2, or leave "
           "it out");
}

}  // namespace

template <>
double finest_fmm_tolerance<float>() noexcept {
  return 1e-5;
}
template <>
double finest_fmm_tolerance<double>() noexcept {
  return 1e-10;
}
template <>
int highest_fmm_order<float>() noexcept {
  return 20;
}
template <>
int highest_fmm_order<double>() noexcept {
  return max_fmm_order;
}

template <class T>
void check_options(FmmOptions const& options) {
  check_kernel(options);
  if (options.virial) check_virial(options);
  check_box(options);
  if (!options.order) check_tolerance<T>(options);
  check_near_precision<T>(options.near_precision, options.order ? finest_for_single_near : options.tolerance);
  check_count(options);
  check_by_hand<T>(options);
  check_reach<T>(options);
  check_softening(options);
}

template void check_options<float>(FmmOptions const&);
template void check_options<double>(FmmOptions const&);

}  // namespace nearfar
