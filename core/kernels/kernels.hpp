// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/charge_dipole.hpp"
#include "core/kernels/description/row_shape.hpp"
#include "core/kernels/dipole.hpp"
#include "core/kernels/doublet.hpp"
#include "core/kernels/laplace.hpp"
#include "core/kernels/rotlet.hpp"
#include "core/kernels/stokes.hpp"
#include "core/kernels/stokeslet.hpp"
#include "core/kernels/stresslet.hpp"
#include "core/kernels/yukawa.hpp"

/// \file
/// The list of kernels. A kernel that is added here, to the enumeration in nearfar/kernel.hpp, and as a description in
/// a file of its own is known everywhere: to all solvers, the planner, the program and the bindings. A kernel with
/// further outputs has a description for each set of outputs that is computed, the smaller set first.

// clang-format off
/// X(K, ...) for each kernel that the multipole method sums, too.
#define NEARFAR_MULTIPOLE_KERNELS(X, ...)                                                        \
  X(__VA_ARGS__, Laplace) X(__VA_ARGS__, LaplaceGradient) X(__VA_ARGS__, LaplaceHessian)         \
  X(__VA_ARGS__, Stokeslet) X(__VA_ARGS__, StokesletPressure) X(__VA_ARGS__, StokesletGradient)  \
  X(__VA_ARGS__, Stresslet) X(__VA_ARGS__, StressletPressure) X(__VA_ARGS__, StressletGradient)  \
  X(__VA_ARGS__, Stokes) X(__VA_ARGS__, StokesPressure) X(__VA_ARGS__, StokesGradient)           \
  X(__VA_ARGS__, Rotlet) X(__VA_ARGS__, RotletPressure) X(__VA_ARGS__, RotletGradient)           \
  X(__VA_ARGS__, Doublet) X(__VA_ARGS__, DoubletPressure) X(__VA_ARGS__, DoubletGradient)        \
  X(__VA_ARGS__, Dipole) X(__VA_ARGS__, DipoleGradient) X(__VA_ARGS__, DipoleHessian)            \
  X(__VA_ARGS__, ChargeDipole) X(__VA_ARGS__, ChargeDipoleGradient) X(__VA_ARGS__, ChargeDipoleHessian)
/// X(..., K) for each kernel.
#define NEARFAR_KERNELS(X, ...) NEARFAR_MULTIPOLE_KERNELS(X, __VA_ARGS__)                        \
  X(__VA_ARGS__, Yukawa) X(__VA_ARGS__, YukawaGradient) X(__VA_ARGS__, YukawaHessian)
/// X(..., S) for each `Sums` of a kernel, X(..., E) for each `Evaluation`, X(..., F) for each `Far`, X(..., G) for each
/// `Gather`.
#define NEARFAR_SUMS(X, ...)    X(__VA_ARGS__, Laplace::Sums) X(__VA_ARGS__, Stokeslet::Sums)    \
                                X(__VA_ARGS__, Stresslet::Sums) X(__VA_ARGS__, Stokes::Sums)       \
                                X(__VA_ARGS__, Rotlet::Sums) X(__VA_ARGS__, Dipole::Sums)          \
                                X(__VA_ARGS__, ChargeDipole::Sums) X(__VA_ARGS__, Doublet::Sums)
#define NEARFAR_EVALUATIONS(X, ...) X(__VA_ARGS__, Laplace::Evaluation)                            \
                                X(__VA_ARGS__, LaplaceGradient::Evaluation)                        \
                                X(__VA_ARGS__, LaplaceHessian::Evaluation)                         \
                                X(__VA_ARGS__, Stokes::Evaluation) X(__VA_ARGS__, StokesGradient::Evaluation) \
                                X(__VA_ARGS__, Rotlet::Evaluation) X(__VA_ARGS__, RotletGradient::Evaluation)
#define NEARFAR_FARS(X, ...)    X(__VA_ARGS__, LaplaceFar) X(__VA_ARGS__, StokesletFar) X(__VA_ARGS__, DoubleLayerFar) \
                                X(__VA_ARGS__, RotletFar) X(__VA_ARGS__, PressureFar<StokesletFar>)                  \
                                X(__VA_ARGS__, PressureFar<DoubleLayerFar>) X(__VA_ARGS__, NoPressureFar<RotletFar>)
#define NEARFAR_GATHERS(X, ...) X(__VA_ARGS__, Laplace::Gather) X(__VA_ARGS__, LaplaceGradient::Gather) \
                                X(__VA_ARGS__, Stokeslet::Gather) X(__VA_ARGS__, StokesletPressure::Gather) \
                                X(__VA_ARGS__, StokesletGradient::Gather) X(__VA_ARGS__, LaplaceHessian::Gather)
// clang-format on

/// The templates of stages are instantiated by these: X(T, K), with T a precision; X(T, S), X(T, G) likewise.
#define NEARFAR_EACH_KERNEL(X) NEARFAR_KERNELS(X, double) NEARFAR_KERNELS(X, float)
#define NEARFAR_EACH_MULTIPOLE_KERNEL(X) NEARFAR_MULTIPOLE_KERNELS(X, double) NEARFAR_MULTIPOLE_KERNELS(X, float)
#define NEARFAR_EACH_SUMS(X) NEARFAR_SUMS(X, double) NEARFAR_SUMS(X, float)
#define NEARFAR_EACH_EVALUATION(X) NEARFAR_EVALUATIONS(X, double) NEARFAR_EVALUATIONS(X, float)
#define NEARFAR_EACH_GATHER(X) NEARFAR_GATHERS(X, double) NEARFAR_GATHERS(X, float)

/// X(T, A, K): also the precision of the summation of pairs, which may be single inside a double solve.
#define NEARFAR_EACH_NEAR_SUM(X) \
  NEARFAR_KERNELS(X, double, double) NEARFAR_KERNELS(X, double, float) NEARFAR_KERNELS(X, float, float)
#define NEARFAR_EACH_LEAF_SUM(X)               \
  NEARFAR_MULTIPOLE_KERNELS(X, double, double) \
  NEARFAR_MULTIPOLE_KERNELS(X, double, float)  \
  NEARFAR_MULTIPOLE_KERNELS(X, float, float)

namespace nearfar {

/// The sign of a strength, and of a result, in the mutual contribution: what a target that is also a source gives back
/// to its source. A kernel's `add` computes it with the same r and the same factors. Each power of 1/r and each
/// derivative beyond the first changes sign with r. Tables, because inner loops ask for them.
template <class K>
struct Mirror {
  static constexpr int strength(int c) { return of_strength[std::size_t(c)]; }
  static constexpr int result(int m) { return of_result[std::size_t(m)]; }

 private:
  static constexpr auto of_strength = [] {
    std::array<int, K::strengths> signs{};
    constexpr RowShape shape = shape_of_strengths(K::strength_fields);
    for (std::size_t c = 0; c < signs.size(); ++c) {
      signs[c] = 1;
      for (Layer const& layer : K::layers)
        if (layer.first == shape.group[c] && layer.decay % 2 == 0) signs[c] = -1;
    }
    return signs;
  }();
  static constexpr auto of_result = [] {
    std::array<int, K::results> signs{};
    constexpr RowShape shape = shape_of_results(K::result_fields);
    for (std::size_t m = 0; m < signs.size(); ++m) signs[m] = shape.group[m] % 2 == 0 ? 1 : -1;
    return signs;
  }();
};

/// What shape_of_results says of a kernel: a value, since compilers for devices warn of the call in their functions.
template <class K>
inline constexpr RowShape result_shape = shape_of_results(K::result_fields);

/// Flops of a pair in free space, including r (3), its square (5) and its inverse root (counted as 8).
template <class K>
constexpr double bare_pair_flops() {
  return 16 + K::Bare::flops;
}

/// The powers of length that numbers of a strength take up: a layer's last fields one each, the first one the rest.
template <class K>
struct StrengthPowers {
  std::int8_t of[max_strengths] = {};

  constexpr StrengthPowers() {
    constexpr RowShape shape = shape_of_strengths(K::strength_fields);
    for (Layer const& layer : K::layers)
      for (int c = 0; c < K::strengths; ++c)
        if (int const field = shape.group[c] - layer.first; field >= 0 && field < layer.fields)
          of[c] = std::int8_t(field == 0 ? layer.decay - layer.fields + 1 : 1);
  }
};

/// scale^power, without a loop: it stands in inner ones.
template <class T>
NEARFAR_FUNCTION constexpr T scale_to(int power, T scale) {
  return power == 0 ? T(1) : power == 1 ? scale : power == 2 ? scale * scale : scale * scale * scale;
}

/// Where lengths are multiplied by `scale`: the factor on number c of a strength, such that layers make results in the
/// caller's unit, and on number m of a result, which is more for derivatives.
template <class K, class T>
NEARFAR_FUNCTION constexpr T strength_scale(int c, T scale) {
  constexpr StrengthPowers<K> powers;
  return scale_to(powers.of[c], scale);
}
template <class K, class T>
NEARFAR_FUNCTION constexpr T result_scale(int m, T scale) {
  constexpr RowShape shape = result_shape<K>;
  return scale_to(shape.group[m], scale);
}

}  // namespace nearfar
