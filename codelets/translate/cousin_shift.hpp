// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/translate/translate_body.hpp"
#include "core/tree/vectors.hpp"

#include <memory>

namespace nearfar {

/// M2L between the children of parents near each other, as many pairs of parents at once as there are lanes. A child
/// goes into the lanes once and serves all children of the other parent: of a full pair some 8 and 8 for 48 to 63
/// links.
template <class V, int Vectors>
class CousinShift {
 public:
  using Work = AxialShift<V, Vectors>;
  using T = typename Work::T;
  using L = Lanes<V>;
  static constexpr int boxes = Work::boxes;

  explicit CousinShift(Work& work)
      : work_(&work), size_(work_->stride * Vectors), rows_(new V[std::size_t(9 * size_)]),
        spare_(new V[std::size_t(2 * work_->stride / L::count)]) {
    std::fill_n(spare_.get(), 2 * work_->stride / L::count, V(T(0)));
  }

  /// The links of the pairs from number `first` of the right-hand sides and pairs of a run.
  void run(TranslateBuffers<T> const& b, CousinRun const& run, int first, int count) {
    int d[3];
    vector_of(run.key, b.operators.separation(), d);
    set_signs(b, run, first, count);
    T* const none = reinterpret_cast<T*>(spare_.get());
    T* const lost = none + work_->stride;
    V *const source = rows_.get(), *const local = source + size_;
    std::fill_n(local, 8 * size_, V(T(0)));
    for (int s = 0; s < 8; ++s) {
      if ((run.sources >> s & 1) == 0) continue;
      T const* box[boxes];
      for_lanes(b, run, first, count, [&](int i, Cousins const& c, int rhs) {
        box[i] = c.slot[s] < 0 ? none : b.buffers.template get<T const>(2, c.buffer[s]) + at(b, c.slot[s], rhs);
      });
      work_->gather(box, count, source);
      mirror(source);
      for (int t = 0; t < 8; ++t) {
        if ((run.targets >> t & 1) == 0) continue;
        int way[3];
        if (!far(d, s, t, b.operators.separation(), way)) continue;
        work_->template run_lanes<true>(
            b.operators.multipole_to_local(vector_id(way[0], way[1], way[2], b.operators.separation())), source,
            local + t * size_);
      }
    }
    for (int t = 0; t < 8; ++t) {
      if ((run.targets >> t & 1) == 0) continue;
      T* box[boxes];
      for_lanes(b, run, first, count, [&](int i, Cousins const& c, int rhs) {
        box[i] = c.target[t] < 0 ? lost : b.target + at(b, c.target[t], rhs);
      });
      mirror(local + t * size_);
      work_->scatter(local + t * size_, box, count);
    }
  }

 private:
  std::int64_t at(TranslateBuffers<T> const& b, int slot, int rhs) const {
    return (std::int64_t(slot) * b.rhs + rhs) * work_->stride;
  }
  template <class Body>
  void for_lanes(TranslateBuffers<T> const& b, CousinRun const& run, int first, int count, Body const& body) {
    for (int i = 0; i < count; ++i) body(i, b.table.cousins(run.first + (first + i) / b.rhs), (first + i) % b.rhs);
  }

  /// What a coefficient is multiplied by in each lane, for its parities.
  void set_signs(TranslateBuffers<T> const& b, CousinRun const& run, int first, int count) {
    alignas(64) T lane[3][boxes];
    std::fill_n(&lane[0][0], 3 * boxes, T(1));
    for_lanes(b, run, first, count, [&](int i, Cousins const& c, int) {
      for (int k = 0; k < 3; ++k) lane[k][i] = (c.mirrored >> (2 - k) & 1) != 0 ? T(-1) : T(1);
    });
    for (int v = 0; v < Vectors; ++v) {
      V const one(T(1));
      V const x = L::load(lane[0] + v * L::count), y = L::load(lane[1] + v * L::count),
              z = L::load(lane[2] + v * L::count);
      for (int parity = 0; parity < 8; ++parity) {
        bool const n = (parity & 4) != 0, m = (parity & 2) != 0, im = (parity & 1) != 0;
        sign_[parity][v] = (m != im ? x : one) * (im ? y : one) * (n != m ? z : one);
      }
    }
  }
  void mirror(V* rows) {
    for (int n = 0, i = 0; n <= work_->order; ++n)
      for (int k = 0; k <= 2 * n; ++k, ++i) {
        int const m = (k + 1) / 2;
        auto const& sign = sign_[(n & 1) << 2 | (m & 1) << 1 | (k > 0 && k % 2 == 0)];
        for (int v = 0; v < Vectors; ++v) rows[i * Vectors + v] = rows[i * Vectors + v] * sign[v];
      }
  }

  Work* work_;
  int size_;
  std::unique_ptr<V[]> rows_, spare_;
  V sign_[8][Vectors];
};

}  // namespace nearfar
