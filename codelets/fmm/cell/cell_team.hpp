// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_check.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/fmm/cell/cell_body.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/kernels/laplace.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// Pointers of a CellMoment task.
template <class T>
struct CellMomentLaunch {
  CellMomentArgs args;
  Leaf const* leaf = nullptr;
  int leaves = 0;
  T const* position = nullptr;
  T const* strength = nullptr;
  std::int64_t stride = 0;
  double* out = nullptr;
  double* part = nullptr;  ///< moments of the parts

  template <class Buffers>
  static CellMomentLaunch of(Buffers const& b, CellMomentArgs const& args) {
    return {args,
            b.template get<Leaf const>(0),
            int(b.template size<Leaf>(0)),
            b.template get<T const>(1),
            b.template get<T const>(2),
            b.template size<T>(1) / 3,
            b.template get<double>(3)};
  }
};

/// What the threads of a GPU block do for one part of a block's points and one vector
/// (codelets/common/gpu/gpu_team.hpp).
template <class T>
struct CellMomentTeam {
  static constexpr int threads = 128, parts = 128, memory_size = cell_moments * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CellMomentLaunch<T> const& launch, int block, double* memory) {
    int const part = block % parts, v = block / parts, points = launch.leaf[launch.leaves - 1].last;
    T const* const strength = launch.strength + v * (launch.args.charges + launch.args.dipoles) * launch.stride;
    team.step([&](int t, NoState&) {
      double m[cell_moments] = {};
      for (int i = part * threads + t; i < points; i += threads * parts)
        add_cell_moments(launch.args, launch.position, strength, launch.stride, i, m);
      for (int k = 0; k < cell_moments; ++k) memory[k * threads + t] = m[k];
    });
    add_up_threads<threads, cell_moments>(team, memory);
    team.step([&](int t, NoState&) {
      if (t < cell_moments) launch.part[block * cell_moments + t] = memory[t * threads];
    });
  }
};

/// The next step: adds the parts of a vector.
template <class T>
struct CellMomentGatherTeam {
  static constexpr int threads = CellMomentTeam<T>::parts, memory_size = cell_moments * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CellMomentLaunch<T> const& launch, int v, double* memory) {
    team.step([&](int t, NoState&) {
      for (int k = 0; k < cell_moments; ++k)
        memory[k * threads + t] = launch.part[(v * threads + t) * cell_moments + k];
    });
    add_up_threads<threads, cell_moments>(team, memory);
    team.step([&](int t, NoState&) {
      if (t < cell_moments) launch.out[v * cell_moments + t] = memory[t * threads];
    });
  }
};

/// What the only GPU block of CellSum does with some of the moments, after those
/// before; the last launch looks for a charge if the cell must be neutral.
struct CellSumTeam {
  static constexpr int threads = 128, memory_size = 1;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CellSumArgs const& args, LaunchList<double const*> const& moments,
                                   bool last, StrengthUnit const* units, double* out, BadNumber* bad, int, double*) {
    team.step([&](int t, NoState&) {
      for (int k = t; k < cell_moments * args.vectors; k += threads) {
        double sum = moments.first > 0 ? out[k] : 0;
        for (int i = 0; i < moments.count; ++i) sum += moments.item[i][k];
        out[k] = sum;
      }
    });
    team.step([&](int t, NoState&) {
      if (t > 0 || !last || !args.neutral) return;
      for (int v = args.vectors - 1; v >= 0; --v) {
        double const charge = out[v * cell_moments], size = charge < 0 ? -charge : charge;
        if (!(size <= args.rounding * out[v * cell_moments + 5])) {
          bad->value = charge;
          bad->exponent = -units[v].strength[0];
          bad->place = std::uint64_t(v);
        }
      }
    });
  }
};

/// Pointers of a CellField task.
template <class T>
struct CellFieldLaunch {
  CellFieldArgs args;
  double const* moments = nullptr;
  Leaf const* leaf = nullptr;
  int leaves = 0;
  T const* position = nullptr;
  std::int64_t stride = 0;
  T* out = nullptr;

  template <class Buffers>
  static CellFieldLaunch of(Buffers const& b, CellFieldArgs const& args) {
    return {args,
            b.template get<double const>(0),
            b.template get<Leaf const>(1),
            int(b.template size<Leaf>(1)),
            b.template get<T const>(2),
            b.template size<T>(2) / 3,
            b.template get<T>(3)};
  }
};

/// What the threads of a GPU block do for some targets and one vector: one thread for each target.
template <int G, class T>
struct CellFieldTeam {
  static constexpr int threads = 128, memory_size = 1;
  using State = NoState;

  NEARFAR_FUNCTION static int blocks_per_vector(CellFieldLaunch<T> const& launch) {
    return int((launch.stride + threads - 1) / threads);
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, CellFieldLaunch<T> const& launch, int block, T*) {
    int const each = blocks_per_vector(launch), v = block / each, points = launch.leaf[launch.leaves - 1].last;
    std::int64_t const stride = launch.stride;
    BoundaryTerms const terms = cell_terms(launch.moments + v * cell_moments, launch.args);
    T const* const x = launch.position;
    T* const phi = launch.out + std::int64_t(v) * LaplaceSums::Evaluation<G>::results * stride;
    team.step([&](int t, NoState&) {
      if (int const i = block % each * threads + t; i < points) put_cell_field<G>(terms, x, stride, i, phi);
    });
  }
};

}  // namespace nearfar
