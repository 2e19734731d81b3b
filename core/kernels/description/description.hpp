// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"
#include "core/kernels/pairs/force.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace nearfar {

/// Whether the energy of a kernel's strengths follows from its results, E = (1/2) sum of q phi + p.grad phi, and
/// whether the forces do, too, and with them how E changes with strain: the virial W_ab = -dE / d eps_ab of points and
/// cell (ewald.md, Sec. 8).
template <class K>
inline constexpr bool has_energy = K::outputs.has(Output::potential) &&
                                   (energy_strengths_of<K>.moment < 0 || K::outputs.has(Output::gradient));
template <class K>
inline constexpr bool has_virial = has_energy<K>&& K::outputs.has(Output::gradient) &&
                                   (energy_strengths_of<K>.moment < 0 || K::outputs.has(Output::hessian));

/// What is known of a kernel with these outputs when it is chosen at run time.
struct KernelDescription {
  Kernel kernel;
  Outputs outputs;  ///< all that are computed, perhaps more than asked for
  std::string_view name, symbol;
  std::span<Field const> strength_fields, result_fields;
  std::span<Layer const> layers;
  int strengths, results;  ///< numbers of a source and a target
  Base base;
  std::span<Radial const> near_layers;
  int near_polynomials, near_flops;  ///< of a pair
  int forward, inverse;              ///< numbers of a grid point on the way to Fourier space and back
  TableParts table;
  bool spreads_slopes, gathers_slopes;
  int sloped;              ///< components whose slopes are gathered
  bool screened;           ///< needs the option `screening`
  bool transverse;         ///< a plane of equal strengths acts only along itself
  bool has_energy;         ///< half the sum of each charge times its potential, and of each moment times the gradient
  bool has_virial;         ///< also how the energy changes with strain (core/kernels/virial.hpp)
  EnergyStrengths energy;  ///< where charges and moments are
  int rhs;                 ///< sums of 1/r in the multipole method; 0: it has none for this kernel
  UnitShape unit;
  RowShape result_shape;

  /// Numbers of a mode in a table of the influence function, or of its multipliers.
  int mode_numbers(bool by_table) const { return by_table ? table.numbers() : table.pressure ? 2 : 1; }

  /// The smallest and the largest power of k by which modes are multiplied beside the multiplier: one for each
  /// derivative of the field, and for each power by which it falls faster than 1/r.
  int first_power() const {
    int power = 99;
    for (Layer const& layer : layers) power = std::min(power, layer.decay - 1);
    return power;
  }
  int last_power() const { return last_decay() - 1 + result_shape.groups - 1; }
  int last_decay() const {
    int decay = 1;
    for (Layer const& layer : layers) decay = std::max(decay, layer.decay);
    return decay;
  }
  /// How often results are differentiated by slopes of the window: the pressure comes from the modes.
  int slopes() const {
    int most = 0;
    for (Field const& result : result_fields)
      if (result.output != Output::pressure) most = std::max(most, result.derivative);
    return most;
  }
  /// Where an output begins in a row of results; -1: it is not among them.
  int begin_of(Output output) const {
    int begin = 0;
    for (Field const& result : result_fields) {
      if (result.output == output) return begin;
      begin += result.size();
    }
    return -1;
  }
  /// Numbers of the first layer, where a double layer or dipoles follow.
  int forces() const { return layers.size() > 1 ? strength_fields[0].size() : 0; }
  /// Whether one period leaves a logarithm in the field: of what falls like 1/r and is not screened.
  bool has_logarithm() const { return first_power() == 0 && !screened; }
  /// Whether the multipole method repeats cells of it: one sum of 1/r, of charges and dipoles.
  bool repeats_by_multipoles() const { return rhs == 1; }
  bool has_double_layer() const {
    return std::any_of(layers.begin(), layers.end(), [](Layer const& layer) { return layer.fields == 2; });
  }
};

template <class... K>
struct KernelList {};

#define NEARFAR_LISTED(X, K) , K
/// Each kernel, and each that the multipole method sums; the first is a mark that is not looked at.
using Kernels = KernelList<void NEARFAR_KERNELS(NEARFAR_LISTED, 0)>;
using MultipoleKernels = KernelList<void NEARFAR_MULTIPOLE_KERNELS(NEARFAR_LISTED, 0)>;
#undef NEARFAR_LISTED

template <class K>
constexpr KernelDescription describe() {
  KernelDescription d{.kernel = K::kernel,
                      .outputs = K::outputs,
                      .name = K::name,
                      .symbol = K::symbol,
                      .strength_fields = K::strength_fields,
                      .result_fields = K::result_fields,
                      .layers = K::layers,
                      .strengths = K::strengths,
                      .results = K::results,
                      .base = K::base,
                      .near_layers = K::near_layers,
                      .near_polynomials = K::Near::polynomials,
                      .near_flops = K::Near::flops,
                      .forward = K::Far::in,
                      .inverse = K::Far::out,
                      .table = K::Far::table,
                      .spreads_slopes = has_slopes(K::spreading),
                      .gathers_slopes = K::Gather::slopes,
                      .sloped = K::Gather::sloped,
                      .screened = is_screened<K>,
                      .transverse = K::transverse,
                      .has_energy = has_energy<K>,
                      .has_virial = has_virial<K>,
                      .energy = has_energy<K> ? energy_strengths_of<K> : EnergyStrengths(),
                      .rhs = K::Sums::rhs,
                      .unit = {.strengths = shape_of_strengths(K::strength_fields), .layers = 0, .layer = {}},
                      .result_shape = result_shape<K>};
  static_assert(K::strengths <= max_strengths && K::results <= max_results, "row_shape.hpp");
  static_assert(K::strength_fields.size() <= max_strength_fields && K::layers.size() <= max_layers, "row_shape.hpp");
  static_assert(result_shape<K>.groups <= max_derivatives + 1, "row_shape.hpp");
  static_assert(K::Gather::components == K::Far::out && K::Gather::results == K::results);
  static_assert(K::Sums::rhs == 0 || K::Sums::strengths == K::strengths);
  for (Layer const& layer : K::layers)
    d.unit.layer[d.unit.layers++] = {std::int8_t(layer.first), std::int8_t(layer.fields), std::int8_t(layer.decay)};
  return d;
}

namespace detail {

template <class F, class K, class... Rest>
auto visit_listed(KernelList<void, K, Rest...>, Kernel kernel, Outputs outputs, F&& f) -> std::invoke_result_t<F, K> {
  if (K::kernel == kernel && K::outputs.has_all(outputs)) return f(K());
  if constexpr (sizeof...(Rest) > 0) return visit_listed(KernelList<void, Rest...>(), kernel, outputs, f);
  else throw std::logic_error("no description of kernel " + std::to_string(int(kernel)) + " has these outputs");
}

}  // namespace detail

/// f(K()) for the first description of a kernel that computes all these outputs: the one place where a kernel chosen at
/// run time becomes one known at compile time. Throws std::logic_error if there is none; check_outputs comes before.
template <class F>
decltype(auto) visit_kernel(Kernel kernel, Outputs outputs, F&& f) {
  return detail::visit_listed(Kernels(), kernel, outputs, f);
}
/// The same among kernels that the multipole method sums.
template <class F>
decltype(auto) visit_multipole_kernel(Kernel kernel, Outputs outputs, F&& f) {
  return detail::visit_listed(MultipoleKernels(), kernel, outputs, f);
}

KernelDescription const& describe(Kernel kernel, Outputs outputs = {});

/// The fields of a caller's rows, in their order: the outputs that were asked for, of all that are computed.
struct AskedResults {
  struct Asked {
    Field field;
    int computed, begin;  ///< where it begins in a row as computed, and in the caller's
  };
  std::vector<Asked> fields;
  int computed = 0, numbers = 0;  ///< of the rows
};
AskedResults asked_results(KernelDescription const& kernel, Outputs asked);
/// Throws Error{bad_input} for a screening that is not above 0, that is missing, or that the kernel does not have.
void check_screening(Kernel kernel, std::optional<double> screening);

/// Throws Error{bad_input} for outputs that the kernel lacks, or if its first is missing from a set that is not empty.
void check_outputs(Kernel kernel, Outputs outputs);

/// Throws Error{bad_input} if a kernel with these outputs has no virial, saying which has.
void check_virial_of(Kernel kernel, Outputs outputs);

}  // namespace nearfar
