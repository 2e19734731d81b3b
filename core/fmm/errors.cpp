// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/errors.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/near_precision.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Errors at orders 2, 4, 6, ...; beyond the last entry, each further order divides the error by `ratio`. Potentials
/// are those of fmm.md, Sec. 1.7; the others are 1.2 to 1.4 times what was measured for 4000 points in a cube at depth
/// 3 and for 30,000 at depth 4.
struct ErrorTable {
  std::array<double, 9> at;
  int entries;
  double ratio;

  double operator()(int order) const {
    double const place = order / 2.0 - 1;
    if (place <= 0) return at[0] * std::pow(at[0] / at[1], -place);
    int const last = entries - 1;
    if (place >= last) return at[std::size_t(last)] * std::pow(ratio, -2 * (place - last));
    auto const i = std::size_t(place);
    double const t = place - double(i);
    return std::pow(at[i], 1 - t) * std::pow(at[i + 1], t);
  }
};

/// Of sums of 1/r, potentials of charges and what is a derivative of these; of flows, whose terms cancel in part, those
/// of forces, of double layers, and velocity gradients of both. Further derivatives have smaller errors where points
/// are random, because the closest pairs matter more; the error of the first one holds for crystals, too.
struct ErrorTables {
  ErrorTable potential, slope, force, double_layer, flow_gradient;

  ErrorTable const& of(Layer const& layer, Field const& output, bool flow) const {
    if (!flow || output.output == Output::pressure) return layer.decay + output.derivative == 1 ? potential : slope;
    return output.derivative > 0 ? flow_gradient : layer.decay == 1 ? force : double_layer;
  }
};
constexpr ErrorTables errors[2] = {
    {{{1.2e-2, 1.3e-3, 1.8e-4, 2.7e-5, 4.8e-6, 9.9e-7, 2.3e-7, 6.4e-8, 2.0e-8}, 9, 1.80},
     {{1.0e-2, 1.5e-3, 2.7e-4, 4.9e-5, 1.0e-5, 2.2e-6, 6.3e-7, 1.8e-7, 5.1e-8}, 9, 1.66},
     {{5.4e-2, 7.0e-3, 1.1e-3, 2.2e-4, 4.4e-5, 1.0e-5, 2.8e-6, 7.4e-7, 2.5e-7}, 9, 1.58},
     {{3.6e-2, 7.6e-3, 1.9e-3, 4.4e-4, 1.1e-4, 2.9e-5, 8.0e-6, 3.2e-6, 1.4e-6}, 9, 1.51},
     {{5.4e-2, 8.5e-3, 2.1e-3, 4.5e-4, 1.2e-4, 3.0e-5, 8.8e-6, 2.9e-6, 1.0e-6}, 9, 1.55}},
    {{{2.5e-3, 9.8e-5, 4.7e-6, 2.6e-7, 1.8e-8, 1.5e-9, 1.3e-10, 1.1e-11}, 8, 3.3},
     {{2.1e-3, 1.1e-4, 6.9e-6, 4.5e-7, 3.9e-8, 3.1e-9, 2.6e-10, 2.4e-11}, 8, 3.3},
     {{1.7e-2, 7.6e-4, 4.3e-5, 3.2e-6, 2.4e-7, 2.4e-8, 1.8e-9, 1.7e-10}, 8, 3.2},
     {{8.1e-3, 6.2e-4, 5.1e-5, 4.1e-6, 3.9e-7, 3.5e-8, 3.7e-9, 3.5e-10}, 8, 3.1},
     {{1.9e-2, 1.1e-3, 9.2e-5, 8.0e-6, 8.0e-7, 7.0e-8, 7.0e-9, 6.8e-10}, 8, 3.0}}};

/// The factor by which errors grow where boxes are not cubes: a power of their convergence ratio over that of cubes. It
/// covers cells from 1 : 1 : 0.58 to 1 : 1 : 2.2 with 200 to 2000 random charges, at orders 4 to 30.
double oblong_factor(double ratio, int order, int separation) {
  double const cube = std::sqrt(3.0) / (separation + 1), beyond = ratio - cube;
  double const power = separation == 1 ? 1.7 + 5.5 * beyond : std::min(1.6, 0.6 + 3.8 * beyond);
  return std::pow(ratio / cube, power * order);
}

}  // namespace

std::array<double, 3> cell_aspect(FmmOptions const& options) noexcept {
  double const longest = *std::max_element(options.box.begin(), options.box.end());
  if (options.periodicity != Periodicity::xyz || longest <= 0) return {1, 1, 1};
  return {options.box[0] / longest, options.box[1] / longest, options.box[2] / longest};
}

double worst_ratio(FmmOptions const& options, int separation) noexcept {
  auto const a = cell_aspect(options);
  return std::hypot(a[0], a[1], a[2]) / ((separation + 1) * *std::min_element(a.begin(), a.end()));
}

bool converges(FmmOptions const& options, int separation) noexcept {
  constexpr double farthest[2] = {0.975, 0.88};
  return worst_ratio(options, separation) <= farthest[separation - 1];
}

double fmm_error(FmmOptions const& options, int order, int separation) {
  ErrorTables const& table = errors[separation - 1];
  KernelDescription const& kernel = describe(options.kernel, options.outputs);
  if (options.periodicity == Periodicity::xyz) {
    order -= order % 2;  // lattice sums of odd degree vanish, so an odd order improves its part little
    double const larger = std::max(table.potential(order), table.slope(order));
    // Where all charges have one sign, the neutralizing background cancels most of the potential: relative errors grow.
    double const few_terms = order < 4 ? 10 : 1;
    return 3 * few_terms * larger * oblong_factor(worst_ratio(options, separation), order, separation);
  }
  double largest = 0;
  for (auto const& asked : asked_results(kernel, options.outputs).fields)
    for (Layer const& layer : kernel.layers)
      largest = std::max(largest, table.of(layer, asked.field, kernel.base == Base::hasimoto)(order));
  return largest;
}

double sparse_leaves(double crowd) noexcept {
  constexpr double of_tables = 8.8;  // points in a leaf: 4000 in 512 boxes, and the point itself
  return std::max(1.0, std::pow(of_tables / std::max(1.0, crowd), 0.35));
}

namespace {

/// Growth of relative errors where n, of targets or of sources that carry the sum, is smaller than in the tables.
/// Squares of a field that falls like 1 / r^(1 + power) add up to n^(2 (1 + power) / 3) over n targets, most of it from
/// the closest pairs; if it falls like 1 / r, all pairs contribute. From the second power on, errors for 4000 points
/// are at most half of those that the tables have.
double growth(FmmOptions const& options, double n) noexcept {
  constexpr double of_tables = 4000, of_higher = 0.5;
  int const power = describe(options.kernel, options.outputs).last_power();
  double const fewer = of_tables / std::max(1.0, n);
  double growth = power == 0 ? 1 : std::max(1.0, std::pow(fewer, 1.0 / 6));
  for (int p = 2; p <= power; ++p) growth = std::max(growth, of_higher * std::pow(fewer, (2 * p - 1) / 6.0));
  return growth;
}

}  // namespace

double few_targets(FmmOptions const& options, double targets) noexcept { return growth(options, targets); }

double few_sources(FmmOptions const& options, double participation, double sources) noexcept {
  constexpr double small_part = 0.125;
  bool const falls_slowly = describe(options.kernel, options.outputs).last_power() == 0;
  if (falls_slowly || participation > small_part * sources) return 1;
  constexpr double chance = 3;  // the remaining scatter, seen with 1 to 1000 of 20000 charges and 30 to 4000 targets
  return chance * growth(options, participation);
}

template <class T>
int order_for(FmmOptions const& options, int separation, bool near_in_single) {
  double const rounding = near_in_single ? single_near_error : 0;
  for (int order = 1; order <= highest_fmm_order<T>(); ++order)
    if (std::hypot(fmm_error(options, order, separation), rounding) <= options.tolerance) return order;
  return 0;
}

template int order_for<float>(FmmOptions const&, int, bool);
template int order_for<double>(FmmOptions const&, int, bool);

}  // namespace nearfar
