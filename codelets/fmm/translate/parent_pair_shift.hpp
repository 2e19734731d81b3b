// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/translate_body.hpp"
#include "core/tree/vectors.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace nearfar {

/// M2L between the children of near parents, as many pairs of parents at once as
/// there are lanes. A child is loaded into the lanes once and serves all children of
/// the other parent: in a full pair, 8 and 8 expansions for 48 to 63 interactions.
template <class V, int Vectors>
class ParentPairShift {
 public:
  using Work = AxialShift<V, Vectors>;
  using T = typename Work::T;
  using L = Lanes<V>;
  static constexpr int boxes = Work::boxes;

  ParentPairShift(Work& work, TranslateBuffers<T> const& b)
      : work_(work), b_(b), size_(work.stride * Vectors), separation_(b.operators.separation()),
        rows_(new V[std::size_t(9 * size_)]), spare_(new V[std::size_t(2 * work.stride / L::count)]) {
    std::fill_n(spare_.get(), 2 * work.stride / L::count, V(T(0)));
    for (int n = 0; n <= work.order; ++n)
      for (int m = 0; m <= n; ++m) {
        parity_[real_index(n, m)] = parity(n, m, 0);
        if (m > 0) parity_[imag_index(n, m)] = parity(n, m, 1);
      }
  }

  /// All interactions of the pairs of a run from number `first` on, as many
  /// as there are lanes; each pair has one number per right-hand side.
  void run(ParentPairRun const& run, int first) {
    int const left = run.count * b_.rhs - first, count = left < boxes ? left : boxes;
    set_lanes(run, first, count);
    T *const none = reinterpret_cast<T*>(spare_.get()), *const lost = none + work_.stride;
    V *const source = rows_.get(), *const local = source + size_;
    for (int t = 0; t < 8; ++t) std::fill_n(local + t * size_, coefficient_count(work_.order) * Vectors, V(T(0)));
    auto const mirrored = [&](int c, int v, V const& value) { return value * sign_[parity_[c]][v]; };
    int d[3], way[3];
    vector_of(run.key, separation_, d);
    for (int s = 0; s < 8; ++s) {
      if ((run.sources >> s & 1) == 0) continue;
      T const* box[boxes];
      for (int i = 0; i < count; ++i) {
        ParentPairs const& c = *lane_[i].pair;
        box[i] = c.local[s] < 0 ? none : b_.buffers.template get<T const>(2, c.buffer[s]) + at(c.local[s], i);
      }
      gather_rows<Vectors>(work_.order, box, count, source, mirrored);
      for (int t = 0; t < 8; ++t)
        if ((run.targets >> t & 1) != 0 && far_parent_pairs(d, s, t, separation_, way))
          work_.template run_lanes<true>(
              b_.operators.multipole_to_local(vector_id(way[0], way[1], way[2], separation_)), source,
              local + t * size_);
    }
    for (int t = 0; t < 8; ++t) {
      if ((run.targets >> t & 1) == 0) continue;
      T* box[boxes];
      for (int i = 0; i < count; ++i) {
        ParentPairs const& c = *lane_[i].pair;
        box[i] = c.target[t] < 0 ? lost : b_.target + at(c.target[t], i);
      }
      scatter_rows<Vectors>(work_.order, local + t * size_, box, count, mirrored);
    }
  }

 private:
  /// The contents of each lane, and the signs by which mirrorings multiply coefficients of equal parity.
  void set_lanes(ParentPairRun const& run, int first, int count) {
    alignas(64) T side[3][boxes];
    for (int i = 0; i < boxes; ++i) {
      int const number = first + (i < count ? i : 0);
      lane_[i] = {&b_.table.parent_pairs(run.first + number / b_.rhs), number % b_.rhs};
      for (int k = 0; k < 3; ++k) side[k][i] = (lane_[i].pair->mirrored >> (2 - k) & 1) != 0 ? T(-1) : T(1);
    }
    for (int v = 0; v < Vectors; ++v) {
      V const one(T(1)), x = L::load(side[0] + v * L::count), y = L::load(side[1] + v * L::count),
                         z = L::load(side[2] + v * L::count);
      for (int n : {0, 1})
        for (int m : {0, 1})
          for (int imag : {0, 1})
            sign_[parity(n, m, imag)][v] = (m != imag ? x : one) * (imag != 0 ? y : one) * (n != m ? z : one);
    }
  }
  NEARFAR_FUNCTION static std::uint8_t parity(int n, int m, int imag) {
    return std::uint8_t((n % 2) << 2 | (m % 2) << 1 | imag);
  }
  std::int64_t at(int local, int lane) const { return (std::int64_t(local) * b_.rhs + lane_[lane].rhs) * work_.stride; }

  struct Lane {
    ParentPairs const* pair;
    int rhs;
  };
  Work& work_;
  TranslateBuffers<T> const& b_;
  int size_, separation_;
  std::unique_ptr<V[]> rows_, spare_;  // of one child of the sources, and of all of the targets; two expansions
  Lane lane_[boxes];
  V sign_[8][Vectors];
  std::uint8_t parity_[expansion_stride<T>(max_fmm_order)] = {};  // coefficient
};

}  // namespace nearfar
