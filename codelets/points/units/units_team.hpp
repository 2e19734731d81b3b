// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/points/units/units.hpp"
#include "core/math/power_of_two.hpp"

#include <algorithm>

namespace nearfar {

/// Pointers of a Largest task, whose sources are cut into parts.
template <class T>
struct LargestLaunch {
  LargestArgs args;
  T const* rows = nullptr;
  double* out = nullptr;  ///< zeros before
  int parts = 0;

  static constexpr int threads = 256;

  static LargestLaunch of(LargestArgs const& args, T const* rows, double* out) {
    constexpr std::int64_t most = 1024;
    std::int64_t const sources = args.end - args.begin;
    return {args, rows, out, int(std::clamp<std::int64_t>((sources + threads - 1) / threads, 0, most))};
  }
  /// Groups of strengths, of all vectors.
  NEARFAR_FUNCTION int columns() const { return args.strengths.groups * args.vectors; }
};

/// What the threads of a GPU block do for one part of the sources and one group of strengths of a vector.
template <class T>
struct LargestTeam {
  static constexpr int threads = LargestLaunch<T>::threads, memory_size = threads;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, LargestLaunch<T> const& launch, int block, double* memory) {
    LargestArgs const& args = launch.args;
    int const part = block % launch.parts, column = block / launch.parts, groups = args.strengths.groups,
              numbers = args.strengths.numbers, group = column % groups;
    std::int64_t const row = std::int64_t(numbers) * args.vectors, vector = column / groups;
    team.step([&](int t, NoState&) {
      double largest = 0;
      for (std::int64_t i = args.begin + std::int64_t(part) * threads + t; i < args.end;
           i += std::int64_t(launch.parts) * threads)
        for (int m = 0; m < numbers; ++m) {
          if (args.strengths.group[m] != group) continue;
          double const strength = double(launch.rows[i * row + vector * numbers + m]),
                       size = strength < 0 ? -strength : strength;
          if (size > largest && size - size == 0) largest = size;  // what is not finite does not count
        }
      memory[t] = largest;
    });
    for (int half = threads / 2; half > 0; half /= 2)
      team.step([&](int t, NoState&) {
        if (t < half && memory[t + half] > memory[t]) memory[t] = memory[t + half];
      });
    team.step([&](int t, NoState&) {
      if (t == 0) raise(launch.out + column, memory[0]);
    });
  }

 private:
  /// Nonnegative doubles compare like their bit patterns, so an integer atomicMax does.
  NEARFAR_FUNCTION static void raise(double* to, double number) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(__double_as_longlong(number)));
#else
    *to = std::max(*to, number);
#endif
  }
};

/// What the only GPU block of Units does (codelets/common/gpu/gpu_team.hpp): one thread for each vector.
struct UnitsTeam {
  static constexpr int threads = 32, memory_size = 1;
  using State = NoState;

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, UnitsArgs const& args, LaunchList<double const*> const& largest,
                                   StrengthUnit* out, int, double*) {
    team.step([&](int t, NoState&) {
      for (int v = t; v < args.vectors; v += threads)
        out[v] = unit_of_vector(args, v, largest.count, [&](int i) { return largest.item[i]; });
    });
  }
};

}  // namespace nearfar
