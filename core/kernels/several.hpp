// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"

namespace nearfar {

/// Pairs of N vectors of strengths of one kernel, as if they were one kernel: a source's record has the strengths of
/// the first vector, then those of the second, and so on, and so has a row of results. Pairs are found and their
/// factors computed once for all; each vector gets the bits that it gets alone.
template <class K, int N>
struct Several {
  static constexpr int vectors = N, strengths = N * K::strengths, results = N * K::results;

 private:
  static constexpr auto text = [] {
    std::array<char, K::symbol.size() + 2> name{};
    for (std::size_t i = 0; i < K::symbol.size(); ++i) name[i] = K::symbol[i];
    name[K::symbol.size()] = '_';
    name[K::symbol.size() + 1] = char('0' + N);
    return name;
  }();

 public:
  static constexpr std::string_view symbol{text.data(), text.size()};

  struct Near {
    using One = typename K::Near;
    static constexpr int factor_count = One::factor_count, first_layer = One::first_layer,
                         polynomials = One::polynomials, flops = N * One::flops;

    template <class V>
    NEARFAR_FUNCTION static void factors(V const* layer, V inverse, V* factor) {
      One::factors(layer, inverse, factor);
    }
    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* strength, V* result) {
      for (int v = 0; v < N; ++v) One::add(factor, x, y, z, strength + v * K::strengths, result + v * K::results);
    }
  };
};

template <class K, int N>
struct Mirror<Several<K, N>> {
  static constexpr int strength(int c) { return Mirror<K>::strength(c % K::strengths); }
  static constexpr int result(int m) { return Mirror<K>::result(m % K::results); }
};

/// X(..., K) for each kernel whose vectors are summed together: those that are asked for most, since each takes a
/// compiler as long as all of a kernel's outputs. With one result a row has one number, whose lanes are added in
/// another order than those of longer rows.
#define NEARFAR_SEVERAL_KERNELS(X, ...) X(__VA_ARGS__, Stokeslet) X(__VA_ARGS__, Stokes) X(__VA_ARGS__, LaplaceGradient)

/// How many vectors are summed together where so many are left: four, or three with one that is 0; two; or each by
/// itself.
constexpr int vectors_together(int left) { return left >= 3 ? 4 : left; }

template <class K>
using Two = Several<K, 2>;
template <class K>
using Four = Several<K, 4>;
/// X(T, A, S), as NEARFAR_EACH_NEAR_SUM.
#define NEARFAR_TWO_AND_FOUR(X, T, A, K) X(T, A, Two<K>) X(T, A, Four<K>)
#define NEARFAR_EACH_SEVERAL_SUM(X)                                \
  NEARFAR_SEVERAL_KERNELS(NEARFAR_TWO_AND_FOUR, X, double, double) \
  NEARFAR_SEVERAL_KERNELS(NEARFAR_TWO_AND_FOUR, X, double, float)  \
  NEARFAR_SEVERAL_KERNELS(NEARFAR_TWO_AND_FOUR, X, float, float)

}  // namespace nearfar
