// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check_rows.hpp"
#include "tasks/particles/particle_solve.hpp"

#include <array>
#include <memory>
#include <span>

namespace nearfar::detail {

/// Sums over the rows of strengths and results that a task of the solve finds for its review (CheckRows), where one GPU
/// runs all stages and has them: the review then reads no rows.
class SolvedRows {
 public:
  /// check_rows, after all that writes results.
  template <class T>
  SolveData build(Graph& graph, ParticleSolve<T> const& solve, CheckRowsArgs const& args) {
    Handle const strengths = solve.strengths.in_one_piece(), results = solve.results.in_one_piece();
    if (graph.solve().ranks() != nullptr || solve.vectors > 1 || strengths == nullptr || results == nullptr) return {};
    auto const count = std::int64_t(sums_.size());
    bool const kept = graph.solve().keeps_temporaries();
    SolveData data = kept ? graph.solve().temporary<double>("sums of rows", count)
                          : SolveData::over("sums of rows", sums_.data(), count);
    if (kept) kept_ = data;
    graph.insert<CheckRows<T>>(args, {0, double(count)}, read(strengths), read(results), write(data));
    found_ = true;
    return data;
  }

  /// RowSums of strengths and of results, after the solve; nothing if no task has found them.
  std::span<double const> strengths() const { return sums(0); }
  std::span<double const> results() const { return sums(RowSums::numbers); }

 private:
  std::span<double const> sums(std::size_t before) const {
    if (!found_) return {};
    double const* from = sums_.data();
    if (kept_ != nullptr)
      from = reinterpret_cast<double const*>(
          static_cast<starpu_vector_interface const*>(starpu_data_get_interface_on_node(kept_, STARPU_MAIN_RAM))->ptr);
    return {from + before, RowSums::numbers};
  }

  std::array<double, 2 * RowSums::numbers> sums_{};
  Handle kept_ = nullptr;  ///< whose copy on the host has them; null: `sums_` has
  bool found_ = false;
};

/// After the last task, with what build returned.
inline void bring_sums_home(SolveState& solve, SolveData const& sums) {
  if (sums != nullptr) solve.bring_home(sums);
}

}  // namespace nearfar::detail
