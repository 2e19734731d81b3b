// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/fmm/translate/shift_team.hpp"
#include "core/tree/tables.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

/// Pointers of a task, and the interactions that a launch takes. Expansions are numbered: all right-hand sides
/// of an interaction, then those of the next. Shifted ones go to work space in this order, and each interaction
/// notes itself at the entry of its target and run, so that a target finds what to add, always in the order of
/// the runs. A note is valid only if the interaction it names agrees: the work space needs no clearing.
template <class T>
struct TranslateLaunch {
  Shift shift;
  int order, rhs;
  T const* operators;
  std::int32_t const* table;
  T* target;
  std::int64_t target_size;
  int keys;                      ///< runs that a table may have; a target occurs in each at most once
  int first = 0, last = 0;       ///< interactions
  bool add = false;              ///< to the present content of the targets
  T* shifted = nullptr;          ///< (last - first) * rhs expansions
  std::int32_t* note = nullptr;  ///< keys for each target

  /// Without work space.
  template <class Buffers>
  static TranslateLaunch of(Shift shift, Buffers const& b, int order, int rhs, int separation) {
    return {shift,
            order,
            rhs,
            b.template get<T const>(0),
            b.template get<std::int32_t const>(1),
            b.template get<T>(3),
            b.template size<T>(3),
            shift == Shift::m2l ? vector_count(separation) : 8};
  }
  NEARFAR_FUNCTION int stride() const { return expansion_stride<T>(order); }
  NEARFAR_FUNCTION int targets() const { return int(target_size / (rhs * stride())); }

  /// The expansions of a run that this launch takes.
  struct Part {
    int first, count;
  };
  NEARFAR_FUNCTION Part expansions(RunTable const& table, int r) const {
    Run const& run = table.run(r);
    int const from = run.first > first ? run.first : first,
              end = run.first + run.count < last ? run.first + run.count : last;
    return {from * rhs, end > from ? (end - from) * rhs : 0};
  }
  /// At most so many pieces of `lanes` expansions of a run each.
  int max_pieces(int lanes) const {
    int const all = (last - first) * rhs;
    return all / lanes + (all < keys ? all : keys);
  }
};

/// What the GPU threads of a block do (codelets/common/gpu/gpu_team.hpp): they shift one piece of a run, `lanes`
/// expansions that follow each other. Blocks beyond the last piece find nothing to do.
template <class Shift, class T>
struct TranslateTeam {
  static constexpr int threads = Shift::threads, resident = 2;  ///< blocks on a multiprocessor
  using State = NoState;
  /// Bytes.
  NEARFAR_FUNCTION static int memory_size(int order, int lanes) {
    return int(sizeof(Found)) + Shift::memory_size(order, lanes) * int(sizeof(T));
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, TranslateLaunch<T> const& launch, LaunchList<T const*> const& sources,
                                   int lanes, int block, void* memory) {
    auto& found = *static_cast<Found*>(memory);
    find(team, launch, lanes, block, found);
    int const key = found.run, at = found.at, count = found.count;
    if (count == 0) return;
    RunTable const table(launch.table);
    Shift const shift(launch.shift, launch.order, lanes, reinterpret_cast<T*>(&found + 1));
    AxialOperator<T> const op = axial_operator(FmmOperators<T>(launch.operators), launch.shift, table.run(key).key);
    int const rhs = launch.rhs, stride = launch.stride();
    team.step([&](int t, auto&) {
      shift.stage(t, op, false);
      shift.gather(t, count, [&](int i) -> T const* {
        Interaction const& interaction = table.interaction((at + i) / rhs);
        if (!sources.has(interaction.buffer)) return nullptr;
        return sources[interaction.buffer] + (std::int64_t(interaction.local) * rhs + (at + i) % rhs) * stride;
      });
      if (t < count) launch.note[table.interaction((at + t) / rhs).target * launch.keys + key] = (at + t) / rhs;
    });
    team.step([&](int t, auto&) { shift.turn_about_z(t, false, count); });
    team.step([&](int t, auto&) { shift.turn_about_y(t, op, false, count); });
    team.step([&](int t, auto&) {
      shift.stage(t, op, true);
      shift.shift_along_z(t, count);
    });
    team.step([&](int t, auto&) { shift.turn_about_y(t, op, true, count); });
    team.step([&](int t, auto&) { shift.turn_about_z(t, true, count); });
    team.step([&](int t, auto&) {
      shift.scatter(t, count, launch.shifted + std::int64_t(at - launch.first * rhs) * stride);
    });
  }

 private:
  /// A piece, and how many pieces there are in shares of the runs.
  struct Found {
    static constexpr int shares = 16;
    std::int32_t pieces[threads], of_share[shares], run, at, count, unused;
  };
  static_assert(sizeof(Found) % 16 == 0);

  /// Piece number `block` among those of all runs.
  template <class Team>
  NEARFAR_FUNCTION static void find(Team& team, TranslateLaunch<T> const& launch, int lanes, int block, Found& found) {
    RunTable const table(launch.table);
    int const runs = table.runs(), each = threads / Found::shares;
    team.step([&](int t, auto&) {
      int sum = 0;
      for (int r = runs * t / threads; r < runs * (t + 1) / threads; ++r)
        sum += (launch.expansions(table, r).count + lanes - 1) / lanes;
      found.pieces[t] = sum;
    });
    team.step([&](int t, auto&) {
      if (t >= Found::shares) return;
      int sum = 0;
      for (int i = 0; i < each; ++i) sum += found.pieces[t * each + i];
      found.of_share[t] = sum;
    });
    team.step([&](int t, auto&) {
      if (t > 0) return;
      int before = block, share = 0;
      while (share < Found::shares && before >= found.of_share[share]) before -= found.of_share[share++];
      found.count = 0;
      if (share == Found::shares) return;
      int segment = share * each;
      while (before >= found.pieces[segment]) before -= found.pieces[segment++];
      for (int r = runs * segment / threads;; ++r) {
        auto const part = launch.expansions(table, r);
        int const pieces = (part.count + lanes - 1) / lanes;
        if (before >= pieces) {
          before -= pieces;
          continue;
        }
        int const left = part.count - before * lanes;
        found.run = r;
        found.at = part.first + before * lanes;
        found.count = left < lanes ? left : lanes;
        return;
      }
    });
  }
};

/// What the threads of a GPU block do for a target: find what was shifted to it and add it up, each group some runs.
template <class T>
struct GatherTeam {
  static constexpr int width = 32, groups = 8, threads = width * groups, resident = 6;  ///< blocks on a multiprocessor
  using State = NoState;
  /// Bytes: an interaction or -1 for each run, and the groups' sums.
  NEARFAR_FUNCTION static int memory_size(int keys) { return (keys + 1) / 2 * 8 + threads * int(sizeof(T)); }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, TranslateLaunch<T> const& launch, int target, void* memory) {
    auto* const found = static_cast<std::int32_t*>(memory);
    T* const part = reinterpret_cast<T*>(found + (launch.keys + 1) / 2 * 2);
    RunTable const table(launch.table);
    int const runs = table.runs(), size = launch.rhs * launch.stride();
    team.step([&](int t, auto&) {
      for (int r = t; r < runs; r += threads) {
        std::int32_t const interaction = launch.note[target * launch.keys + r];
        Run const& run = table.run(r);
        bool const valid = interaction >= launch.first && interaction < launch.last && interaction >= run.first &&
                           interaction < run.first + run.count && table.interaction(interaction).target == target;
        found[r] = valid ? interaction - launch.first : -1;
      }
    });
    for (int first = 0; first < size; first += width) {
      team.step([&](int t, auto&) {
        int const i = first + t % width, group = t / width;
        if (i >= size) return;
        T total = T(0);
        for (int r = runs * group / groups; r < runs * (group + 1) / groups; ++r)
          if (found[r] >= 0) total += launch.shifted[std::int64_t(found[r]) * size + i];
        part[t] = total;
      });
      team.step([&](int t, auto&) {
        int const i = first + t;
        if (t >= width || i >= size) return;
        T total = T(0);
        for (int group = 0; group < groups; ++group) total += part[group * width + t];
        T* const to = launch.target + std::int64_t(target) * size + i;
        *to = launch.add ? *to + total : total;
      });
    }
  }
};

}  // namespace nearfar
