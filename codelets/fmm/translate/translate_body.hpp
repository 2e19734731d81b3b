// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/fmm/translate/axial_shift.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// The buffers and arguments of a task that shifts expansions.
template <class T>
struct TranslateBuffers {
  FmmOperators<T> operators;
  RunTable table;
  T* target;
  std::int64_t target_size;
  int order, rhs;
  Buffers buffers;

  NEARFAR_FUNCTION TranslateBuffers(Buffers const& b, int order_, int rhs_)
      : operators(b.get<T const>(0)), table(b.get<std::int32_t const>(1)), target(b.get<T>(3)),
        target_size(b.size<T>(3)), order(order_), rhs(rhs_), buffers(b) {}

  NEARFAR_FUNCTION AxialOperator<T> axial(Shift shift, int key) const { return axial_operator(operators, shift, key); }
};

/// Shifts the expansions of one interaction, one after the other.
template <class T>
void shift_interaction(TranslateBuffers<T> const& b, int interaction, AxialShift<T, 1>& work,
                       AxialOperator<T> const& op) {
  Interaction const& at = b.table.interaction(interaction);
  int const stride = expansion_stride<T>(b.order);
  auto const* source = b.buffers.template get<T const>(2, at.buffer) + std::int64_t(at.local) * b.rhs * stride;
  auto* target = b.target + std::int64_t(at.target) * b.rhs * stride;
  for (int r = 0; r < b.rhs; ++r, source += stride, target += stride) work.run(op, &source, &target, 1);
}

/// Iterates over a run's expansions: those of the first
/// interaction, then those of the second, and so on.
template <class T>
struct InteractionCursor {
  TranslateBuffers<T> const& b;
  int stride, interaction, rhs = 0, left;  ///< of the cursor; how many expansions are left

  NEARFAR_FUNCTION InteractionCursor(TranslateBuffers<T> const& buffers, Run const& run)
      : b(buffers), stride(expansion_stride<T>(buffers.order)), interaction(run.first), left(run.count * buffers.rhs) {}

  /// Shifts the next expansions, as many as `work` takes at once.
  template <class V, int Vectors>
  NEARFAR_FUNCTION void shift_next(AxialShift<V, Vectors>& work, AxialOperator<T> const& op) {
    constexpr int boxes = AxialShift<V, Vectors>::boxes;
    T const* source[boxes];
    T* target[boxes];
    int const count = left < boxes ? left : boxes, size = b.rhs * stride;
    for (int i = 0; i < count; ++i) {
      Interaction const& at = b.table.interaction(interaction);
      source[i] = b.buffers.template get<T const>(2, at.buffer) + std::int64_t(at.local) * size + rhs * stride;
      target[i] = b.target + std::int64_t(at.target) * size + rhs * stride;
      if (++rhs == b.rhs) {
        rhs = 0;
        ++interaction;
      }
    }
    left -= count;
    work.run(op, source, target, count);
  }
};

}  // namespace nearfar
