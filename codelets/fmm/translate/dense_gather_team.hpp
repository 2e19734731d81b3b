// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/leaf_pieces.hpp"
#include "codelets/fmm/translate/dense_team.hpp"

namespace nearfar {

/// What the GPU threads of a block do for a target: find what was shifted to it by whole matrices, turn that back about
/// z and add it up, in the order of the runs; groups of threads have some of it each.
template <class T>
struct DenseGatherTeam {
  static constexpr int threads = 256, resident = 6;  ///< blocks on a multiprocessor
  using State = NoState;

  /// Threads that have all coefficients, or as many as there are threads.
  NEARFAR_FUNCTION static int group(DenseLayout const& layout) {
    int const all = layout.begin(1);
    return all < threads ? all : threads;
  }
  NEARFAR_FUNCTION static int words(int keys) { return (keys + threads - 1) / threads * (threads / 32); }
  /// What is found for a run: an interaction, and where the phases of even and of odd degrees are.
  struct Found {
    std::int32_t from, phase[2];
  };
  /// Bytes: sums of two parts; what is found; a bit for each run.
  NEARFAR_FUNCTION static int memory_size(int keys) {
    return 2 * threads * int(sizeof(T)) + keys * int(sizeof(Found)) + words(keys) * int(sizeof(std::int32_t));
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, DenseLaunch<T> const& launch, int target, void* memory) {
    TranslateLaunch<T> const& base = launch.base;
    DenseLayout const layout = launch.layout();
    T *const real = static_cast<T*>(memory), *const imag = real + threads;
    auto* const list = reinterpret_cast<Found*>(imag + threads);
    int const found = find(team, launch, target, list, reinterpret_cast<std::uint32_t*>(list + base.keys));
    int const size = group(layout), groups = threads / size, width = layout.width();
    for (int r = 0; r < base.rhs; ++r)
      for (int begin = 0; begin < layout.count(0); begin += size) {
        team.step([&](int t, auto&) {
          int const i = begin + t % size, g = t / size;
          if (i >= layout.count(0) || g >= groups) return;
          DegreeAndOrder const at = layout.at(i);
          T re = T(0), im = T(0);
          NEARFAR_DEVICE_UNROLL(4)
          for (int k = found * g / groups; k < found * (g + 1) / groups; ++k) {
            T const* const shifted = base.shifted + (std::int64_t(list[k].from) * base.rhs + r) * width + i;
            T const* const phase = base.operators + list[k].phase[at.n % 2] + 2 * at.m;
            T const c = phase[0], s = phase[1], x = shifted[0], y = at.m > 0 ? shifted[layout.begin(1)] : T(0);
            re += c * x - s * y;
            im += c * y + s * x;
          }
          real[t] = re;
          imag[t] = im;
        });
        team.step([&](int t, auto&) {
          int const i = begin + t;
          if (t >= size || i >= layout.count(0)) return;
          T re = T(0), im = T(0);
          for (int g = 0; g < groups; ++g) {
            re += real[g * size + t];
            im += imag[g * size + t];
          }
          DegreeAndOrder const at = layout.at(i);
          T* const to = base.target + (std::int64_t(target) * base.rhs + r) * base.stride() + real_index(at.n, at.m);
          to[0] = base.add ? to[0] + re : re;
          if (at.m > 0) to[1] = base.add ? to[1] + im : im;
        });
      }
    if (!base.add) clear_rest(team, base, target);
  }

 private:
  /// Lists the interactions of a target, in the order of the runs; returns how many. Only the runs that the launch
  /// takes interactions of are looked at.
  template <class Team>
  NEARFAR_FUNCTION static int find(Team& team, DenseLaunch<T> const& launch, int target, Found* list,
                                   std::uint32_t* word) {
    TranslateLaunch<T> const& base = launch.base;
    RunTable const table(base.table);
    int const begin = bisect(table.runs(), [&](int r) { return table.run(r).first <= base.first; }),
              end = bisect(table.runs(), [&](int r) { return table.run(r).first < base.last; }) + 1,
              runs = end < table.runs() ? end - begin : table.runs() - begin;
    auto const note = [&](int r) { return base.note[target * base.keys + begin + r]; };
    for (int first = 0; first < runs; first += threads)
      team.vote(word + first / 32, [&](int t, auto&) {
        if (first + t >= runs) return false;
        std::int32_t const i = note(first + t);
        Run const& run = table.run(begin + first + t);
        return i >= base.first && i < base.last && i >= run.first && i < run.first + run.count &&
               table.interaction(i).target == target;
      });
    team.step([&](int t, auto&) {
      for (int r = t; r < runs; r += threads) {
        if ((word[r / 32] >> r % 32 & 1) == 0) continue;
        int place = bits_in(word[r / 32] & ((std::uint32_t(1) << r % 32) - 1));
        for (int w = 0; w < r / 32; ++w) place += bits_in(word[w]);
        AxialOperator<T> const op =
            axial_operator(FmmOperators<T>(base.operators), Shift::m2l, table.run(begin + r).key);
        list[place] = {note(r) - base.first, std::int32_t(op.phase[0] - base.operators),
                       std::int32_t(op.phase[1] - base.operators)};
      }
    });
    int found = 0;
    for (int w = 0; w * 32 < runs; ++w) found += bits_in(word[w]);
    return found;
  }
  NEARFAR_FUNCTION static int bits_in(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
  }
  /// What lies between a target's coefficients and the next expansion.
  template <class Team>
  NEARFAR_FUNCTION static void clear_rest(Team& team, TranslateLaunch<T> const& base, int target) {
    int const coefficients = coefficient_count(base.order), rest = base.stride() - coefficients;
    team.step([&](int t, auto&) {
      for (int i = t; i < base.rhs * rest; i += threads)
        base.target[(std::int64_t(target) * base.rhs + i / rest) * base.stride() + coefficients + i % rest] = T(0);
    });
  }
};

}  // namespace nearfar
