// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/near/check/check_rows.hpp"

namespace nearfar {

/// Rows that are summed, and the sums of the parts into which they are cut.
template <class T>
struct CheckRowsLaunch {
  CheckedRows shape;
  T const* rows = nullptr;
  std::int64_t count = 0;  ///< rows
  double* out = nullptr;   ///< RowSums
  double* part = nullptr;  ///< [part][number]
  int parts = 0;

  static constexpr int threads = 256, most_parts = 512;

  /// Of access `access`, whose sums are after `before` others.
  template <class Buffers>
  static CheckRowsLaunch of(Buffers const& b, int access, CheckedRows const& shape, int before) {
    constexpr std::int64_t rows_of_thread = 4;
    CheckRowsLaunch launch{shape, b.template get<T const>(access), 0, b.template get<double>(2) + before};
    if (shape.columns > 0) launch.count = b.template size<T>(access) / shape.columns;
    std::int64_t const wanted = (launch.count + threads * rows_of_thread - 1) / (threads * rows_of_thread);
    launch.parts = int(wanted < 1 ? 1 : wanted < most_parts ? wanted : most_parts);
    return launch;
  }
  /// Adds what row i has to the sums of a thread.
  NEARFAR_FUNCTION void add(std::int64_t i, double* sum) const {
    T const* const row = rows + i * shape.columns;
    sum[0] += 1;
    for (int c = 0; c < shape.columns; ++c) {
      double const number = double(row[c]);
      sum[RowSums::squares + c] += number * number;
      sum[RowSums::sums + c] += number;
    }
    if (shape.pair >= 0) add_products(row + shape.pair, sum + RowSums::products);
  }
};

/// What the threads of a GPU block do for one part of the rows.
template <class T>
struct CheckRowsTeam {
  static constexpr int threads = CheckRowsLaunch<T>::threads, memory_size = threads;
  struct State {
    double sum[RowSums::numbers];
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CheckRowsLaunch<T> const& launch, int part, double* memory) {
    team.step([&](int t, State& s) {
      for (double& number : s.sum) number = 0;
      std::int64_t const all = std::int64_t(launch.parts) * threads;
      for (std::int64_t i = std::int64_t(part) * threads + t; i < launch.count; i += all) launch.add(i, s.sum);
    });
    for (int m = 0; m < RowSums::numbers; ++m) {
      if (!is_summed(launch.shape, m)) continue;
      team.step([&](int t, State& s) { memory[t] = s.sum[m]; });
      add_up_threads<threads>(team, memory);
      team.step([&](int t, State&) {
        if (t == 0) launch.part[part * RowSums::numbers + m] = memory[0];
      });
    }
  }
  /// The others are 0.
  NEARFAR_FUNCTION static bool is_summed(CheckedRows const& shape, int m) {
    if (m >= RowSums::products) return shape.pair >= 0;
    if (m >= RowSums::sums) return m - RowSums::sums < shape.columns;
    return m - RowSums::squares < shape.columns;
  }
};

/// The next step: a block for each number adds the parts.
template <class T>
struct CheckRowsGatherTeam {
  static constexpr int threads = 128, memory_size = threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CheckRowsLaunch<T> const& launch, int m, double* memory) {
    bool const summed = CheckRowsTeam<T>::is_summed(launch.shape, m);
    team.step([&](int t, NoState&) {
      memory[t] = 0;
      for (int part = t; part < launch.parts && summed; part += threads)
        memory[t] += launch.part[part * RowSums::numbers + m];
    });
    add_up_threads<threads>(team, memory);
    team.step([&](int t, NoState&) {
      if (t == 0) launch.out[m] = memory[0];
    });
  }
};

}  // namespace nearfar
