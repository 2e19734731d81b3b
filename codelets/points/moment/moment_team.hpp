// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/points/moment/moment.hpp"

#include <cstdint>

namespace nearfar {

/// Pointers of a Moment task.
template <class T>
struct MomentLaunch {
  T const* position = nullptr;
  std::int32_t const* points = nullptr;  ///< how many there are
  EitherPrecision dipole;                ///< q, and n after it
  std::int64_t stride = 0;
  double* out = nullptr;
  double* part = nullptr;  ///< moments of the parts

  static MomentLaunch of(Buffers const& b, MomentArgs const& args) {
    std::int64_t const stride = b.size<T>(0) / 3;
    return {b.get<T const>(0), b.get<std::int32_t const>(1) + b.size<std::int32_t>(1) - 1,
            moment_dipole<T>(b, args, stride), stride, b.get<double>(3)};
  }
};

/// Writes the sums over the threads of a block.
template <int threads, class Team>
NEARFAR_FUNCTION void write_moment(Team& team, double* memory, double* out) {
  add_up_threads<threads, moment_size>(team, memory);
  team.step([&](int t, NoState&) {
    if (t < moment_size) out[t] = memory[t * threads];
  });
}

/// What the threads of a GPU block do for one part of a block's dipoles.
template <class T>
struct MomentTeam {
  static constexpr int threads = 256, parts = 256, memory_size = moment_size * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, MomentLaunch<T> const& b, int part, double* memory) {
    int const points = *b.points;
    team.step([&](int t, NoState&) {
      double sum[moment_size] = {};
      for (int i = part * threads + t; i < points; i += threads * parts) {
        double qn = 0;
        for (int d = 0; d < 3; ++d) qn += b.dipole[d * b.stride + i] * b.dipole[(3 + d) * b.stride + i];
        sum[0] += qn;
        for (int d = 0; d < 3; ++d) sum[1 + d] += qn * double(b.position[d * b.stride + i]);
      }
      for (int m = 0; m < moment_size; ++m) memory[m * threads + t] = sum[m];
    });
    write_moment<threads>(team, memory, b.part + part * moment_size);
  }
};

/// The next step: adds the parts.
template <class T>
struct MomentGatherTeam {
  static constexpr int threads = MomentTeam<T>::parts, memory_size = moment_size * threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, MomentLaunch<T> const& b, int, double* memory) {
    team.step([&](int t, NoState&) {
      for (int m = 0; m < moment_size; ++m) memory[m * threads + t] = b.part[t * moment_size + m];
    });
    write_moment<threads>(team, memory, b.out);
  }
};

/// Adds number m of some moments to those before; the last ones come with the factor, others with 1.
struct MomentSumLoop {
  LaunchList<double const*> moments;
  double factor = 1;
  double* out = nullptr;

  NEARFAR_FUNCTION void operator()(std::int64_t m) const {
    double sum = moments.first > 0 ? out[m] : 0;
    for (int i = 0; i < moments.count; ++i) sum += moments.item[i][m];
    out[m] = factor * sum;
  }
};

}  // namespace nearfar
