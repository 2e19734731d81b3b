// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/launch_list.hpp"
#include "codelets/translate/shift.hpp"
#include "core/tree/tables.hpp"
#include "core/tree/vectors.hpp"

namespace nearfar {

/// Pointers of a task, and which of its links a launch takes. Expansions are numbered: all right-hand sides of a link,
/// then those of the next. The shifted ones lie one after the other in work space, and each link notes itself at the
/// place of its target and run, so that a target finds what it adds up, always in the order of the runs. A note is
/// valid only if the link it names says so too: the work space needs no clearing.
template <class T>
struct TranslateLaunch {
  Shift shift;
  int order, rhs;
  T const* operators;
  std::int32_t const* table;
  T* target;
  std::int64_t target_size;
  int keys;                      ///< runs that a table may have; a target is in each at most once
  int first = 0, last = 0;       ///< links
  bool add = false;              ///< to what the targets hold
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
};

/// Shifts some expansions along one vector: the steps of AxialShift (translate_body.hpp) by threads that share them.
/// Numbers lie in rows, one expansion beside the other, in packed order (core/fmm/packed.hpp). Thread t has expansion
/// t % lanes; a degree, or an order, of it is one thread's, which holds all the results before it writes one, so that
/// there is one array only. Staged: matrices come through shared memory.
template <class T, int MostOrder, bool Staged>
struct ShiftTeam {
  static constexpr int threads = MostOrder <= 15 ? 512 : 256;

  Shift shift;
  int order, lanes;
  T *number, *kernel, *phase, *matrix;

  /// A row is one longer than the expansions in it, so that neighbours are in different banks.
  NEARFAR_FUNCTION static int memory_size(int order, int lanes) {
    return coefficient_count(order) * (lanes + 1) + 2 * order + 1 + 4 * (order + 1) +
           (Staged ? panel_offset(order + 1) : 0);
  }
  NEARFAR_FUNCTION ShiftTeam(Shift shift_, int order_, int lanes_, T* memory)
      : shift(shift_), order(order_), lanes(lanes_), number(memory), kernel(number + coefficient_count(order) * row()),
        phase(kernel + 2 * order + 1), matrix(phase + 4 * (order + 1)) {}

  NEARFAR_FUNCTION int row() const { return lanes + 1; }

  /// What all threads read, into shared memory; for the way back only the matrices.
  NEARFAR_FUNCTION void stage(int t, AxialOperator<T> const& op, bool back) const {
    if constexpr (Staged) {
      T const* const from = back ? op.backward : op.forward;
      NEARFAR_DEVICE_UNROLL(8)
      for (int i = t; i < panel_offset(order + 1); i += threads) matrix[i] = from[i];
    }
    if (back) return;
    T const* const from = shift == Shift::m2l ? op.shift : op.shift - order;
    if (t < 2 * order + 1) kernel[t] = from[t];
    if (t < 4 * (order + 1)) phase[t] = op.phase[t / (2 * (order + 1))][t % (2 * (order + 1))];
  }
  /// source(i) may be null.
  template <class Source>
  NEARFAR_FUNCTION void gather(int t, int count, Source const& source) const {
    int const each = threads / lanes, i = t / each;
    if (i >= count) return;
    T const* const from = source(i);
    NEARFAR_DEVICE_UNROLL(8)
    for (int c = t % each; c < coefficient_count(order); c += each)
      number[c * row() + i] = from == nullptr ? T(0) : from[c];
  }
  /// To out + i * stride.
  NEARFAR_FUNCTION void scatter(int t, int count, T* out) const {
    int const each = threads / lanes, i = t / each, stride = expansion_stride<T>(order);
    if (i >= count) return;
    for (int c = t % each; c < stride; c += each)
      out[std::int64_t(i) * stride + c] = c < coefficient_count(order) ? number[c * row() + i] : T(0);
  }
  /// About z by the vector's longitude, or back.
  NEARFAR_FUNCTION void turn_about_z(int t, bool back, int count) const {
    if (t % lanes >= count) return;
    int const workers = threads / lanes;
    T const sign = back ? T(-1) : T(1);
    for (int m = t / lanes; m <= order; m += workers)
      for (int n = m; n <= order; ++n) {
        T* const re = number + real_index(n, m) * row() + t % lanes;
        T const c = phase[(n % 2 * (order + 1) + m) * 2], s = sign * phase[(n % 2 * (order + 1) + m) * 2 + 1];
        if (m == 0) {
          *re *= c;
          continue;
        }
        T const x = *re, y = re[row()];
        *re = c * x + s * y;
        re[row()] = c * y - s * x;
      }
  }
  /// About y, so that the vector points along z, or back.
  NEARFAR_FUNCTION void turn_about_y(int t, AxialOperator<T> const& op, bool back, int count) const {
    if (t % lanes >= count) return;
    T const* const matrices = Staged ? matrix : back ? op.backward : op.forward;
    for_each_item(t, [&](int down, int part) {
      int const n = order - down;
      T const* const from = matrices + panel_offset(n) + part * (n + 1) * (n + 1);
      T* const x = number + (n * n + 2 * part) * row() + t % lanes;
      with_size(n + 1 - part, [&]<int Size>() { part == 0 ? rotate<Size, 1>(from, x) : rotate<Size, 2>(from, x); });
    });
  }
  NEARFAR_FUNCTION void shift_along_z(int t, int count) const {
    if (t % lanes >= count) return;
    for_each_item(t, [&](int m, int part) {
      if (part > 0 && m == 0) return;
      T* const x = number + (real_index(m, m) + part) * row() + t % lanes;
      // By j + k (M2L), n - k (M2M) or k - n (L2L).
      with_size(order + 1 - m, [&]<int Size>() {
        switch (shift) {
          case Shift::m2l: return shift_order<Size, 1, 1>(kernel + 2 * m, m, x);
          case Shift::m2m: return shift_order<Size, 1, -1>(kernel + order, m, x);
          case Shift::l2l: return shift_order<Size, -1, 1>(kernel + order, m, x);
        }
      });
    });
  }

 private:
  /// visit(i, part) for this thread's share of i = 0 .. order, part = 0, 1; the first ones are the longest.
  template <class Visit>
  NEARFAR_FUNCTION void for_each_item(int t, Visit const& visit) const {
    int const workers = threads / lanes, me = t / lanes, items = 2 * (order + 1);
    for (int begin = 0; begin < items; begin += 2 * workers)
      for (int half = 0; half < 2; ++half) {
        int const item = half == 0 ? begin + me : begin + 2 * workers - 1 - me;
        if (item < items) visit(item / 2, item % 2);
      }
  }
  /// f<Size>() for a size known when compiling, so that arrays of that size are registers; nothing for size 0.
  template <int Low = 1, int High = MostOrder + 1, class F>
  NEARFAR_FUNCTION static void with_size(int size, F const& f) {
    if constexpr (Low == High) {
      if (size == Low) f.template operator()<Low>();
    } else {
      constexpr int middle = (Low + High) / 2;
      if (size <= middle) with_size<Low, middle>(size, f);
      else with_size<middle + 1, High>(size, f);
    }
  }
  /// A square matrix in panels times one column of numbers, two rows apart from the second on, `First` before it.
  template <int Size, int First>
  NEARFAR_FUNCTION void rotate(T const* from, T* x) const {
    T sum[Size] = {};
    T const* in = x;
    // A loop must be short code: the threads of a block are in many of them at once.
    NEARFAR_DEVICE_UNROLL(1)
    for (int l = 0; l < Size; ++l) {
      add_column<Size, 0>(from, l, *in, sum);
      in += (l == 0 ? First : 2) * row();
    }
    for (int m = 0; m < Size; ++m) x[(m == 0 ? 0 : First + 2 * (m - 1)) * row()] = sum[m];
  }
  template <int Size, int Row>
  NEARFAR_FUNCTION static void add_column(T const* from, int l, T x, T* sum) {
    if constexpr (Row < Size) {
      constexpr int rows = rows_of_panel(Size - Row);
      for (int r = 0; r < rows; ++r) sum[Row + r] += from[Row * Size + l * rows + r] * x;
      add_column<Size, Row + rows>(from, l, x, sum);
    }
  }
  /// The coefficients of one order m, of degrees m .. order: from degree n to the next are 2n+1 rows.
  template <int Size, int Row, int Column>
  NEARFAR_FUNCTION void shift_order(T const* from, int m, T* x) const {
    T sum[Size] = {};
    T const* in = x;
    NEARFAR_DEVICE_UNROLL(1)
    for (int k = 0; k < Size; ++k) {
      T const value = *in;
      in += (2 * (m + k) + 1) * row();
      for (int j = 0; j < Size; ++j) sum[j] += from[j * Row + k * Column] * value;
    }
    for (int j = 0; j < Size; ++j) {
      *x = sum[j];
      x += (2 * (m + j) + 1) * row();
    }
  }
};

/// What the GPU threads of a block do (codelets/gpu_crew.hpp): they shift one piece of a run, `lanes` expansions that
/// follow each other.
template <class Team, class T>
struct TranslateCrew {
  static constexpr int threads = Team::threads;
  /// Bytes.
  NEARFAR_FUNCTION static int memory_size(int order, int lanes) {
    return int(sizeof(Found)) + Team::memory_size(order, lanes) * int(sizeof(T));
  }
  /// At most so many pieces; blocks beyond the last one find nothing to do.
  NEARFAR_FUNCTION static int blocks(TranslateLaunch<T> const& launch, int lanes) {
    int const expansions = (launch.last - launch.first) * launch.rhs;
    return expansions / lanes + (expansions < launch.keys ? expansions : launch.keys);
  }

  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, TranslateLaunch<T> const& launch, LaunchList<T const*> const& sources,
                                   int lanes, int block, void* memory) {
    auto& found = *static_cast<Found*>(memory);
    find(crew, launch, lanes, block, found);
    int const key = found.run, at = found.at, count = found.count;
    if (count == 0) return;
    RunTable const table(launch.table);
    Team const team(launch.shift, launch.order, lanes, reinterpret_cast<T*>(&found + 1));
    AxialOperator<T> const op = axial_operator(FmmOperators<T>(launch.operators), launch.shift, table.run(key).key);
    int const rhs = launch.rhs, stride = launch.stride();
    crew.step([&](int t, auto&) {
      team.stage(t, op, false);
      team.gather(t, count, [&](int i) -> T const* {
        Link const& link = table.link((at + i) / rhs);
        if (!sources.has(link.buffer)) return nullptr;
        return sources[link.buffer] + (std::int64_t(link.slot) * rhs + (at + i) % rhs) * stride;
      });
      if (t < count) launch.note[table.link((at + t) / rhs).target * launch.keys + key] = (at + t) / rhs;
    });
    crew.step([&](int t, auto&) { team.turn_about_z(t, false, count); });
    crew.step([&](int t, auto&) { team.turn_about_y(t, op, false, count); });
    crew.step([&](int t, auto&) {
      team.stage(t, op, true);
      team.shift_along_z(t, count);
    });
    crew.step([&](int t, auto&) { team.turn_about_y(t, op, true, count); });
    crew.step([&](int t, auto&) { team.turn_about_z(t, true, count); });
    crew.step(
        [&](int t, auto&) { team.scatter(t, count, launch.shifted + std::int64_t(at - launch.first * rhs) * stride); });
  }

 private:
  /// A piece, and how many pieces there are in shares of the runs.
  struct Found {
    static constexpr int shares = 16;
    std::int32_t pieces[threads], of_share[shares], run, at, count, unused;
  };
  static_assert(sizeof(Found) % 16 == 0);

  /// Piece number `block` of those of all runs.
  template <class Crew>
  NEARFAR_FUNCTION static void find(Crew& crew, TranslateLaunch<T> const& launch, int lanes, int block, Found& found) {
    RunTable const table(launch.table);
    int const runs = table.runs(), each = threads / Found::shares;
    crew.step([&](int t, auto&) {
      int sum = 0;
      for (int r = runs * t / threads; r < runs * (t + 1) / threads; ++r)
        sum += (expansions(launch, table, r).count + lanes - 1) / lanes;
      found.pieces[t] = sum;
    });
    crew.step([&](int t, auto&) {
      if (t >= Found::shares) return;
      int sum = 0;
      for (int i = 0; i < each; ++i) sum += found.pieces[t * each + i];
      found.of_share[t] = sum;
    });
    crew.step([&](int t, auto&) {
      if (t > 0) return;
      int before = block, share = 0;
      while (share < Found::shares && before >= found.of_share[share]) before -= found.of_share[share++];
      found.count = 0;
      if (share == Found::shares) return;
      int segment = share * each;
      while (before >= found.pieces[segment]) before -= found.pieces[segment++];
      for (int r = runs * segment / threads;; ++r) {
        Part const part = expansions(launch, table, r);
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
  /// The expansions of a run that this launch takes.
  struct Part {
    int first, count;
  };
  NEARFAR_FUNCTION static Part expansions(TranslateLaunch<T> const& launch, RunTable const& table, int r) {
    Run const& run = table.run(r);
    int const first = run.first > launch.first ? run.first : launch.first;
    int const end = run.first + run.count < launch.last ? run.first + run.count : launch.last;
    return {first * launch.rhs, end > first ? (end - first) * launch.rhs : 0};
  }
};

/// What the GPU threads of a block do for some numbers of a target: add up what was shifted to it, some runs each.
template <class T>
struct GatherCrew {
  static constexpr int width = 32, groups = 8, threads = width * groups;
  /// Bytes: a link or -1 for each run, and the groups' sums.
  NEARFAR_FUNCTION static int memory_size(int keys) { return (keys + 1) / 2 * 8 + threads * int(sizeof(T)); }
  NEARFAR_FUNCTION static int blocks_per_target(TranslateLaunch<T> const& launch) {
    return (launch.rhs * launch.stride() + width - 1) / width;
  }

  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, TranslateLaunch<T> const& launch, int block, void* memory) {
    auto* const found = static_cast<std::int32_t*>(memory);
    T* const part = reinterpret_cast<T*>(found + (launch.keys + 1) / 2 * 2);
    RunTable const table(launch.table);
    int const target = block / blocks_per_target(launch), runs = table.runs(), size = launch.rhs * launch.stride();
    int const first = (block - target * blocks_per_target(launch)) * width;
    crew.step([&](int t, auto&) {
      for (int r = t; r < runs; r += threads) {
        std::int32_t const link = launch.note[target * launch.keys + r];
        Run const& run = table.run(r);
        bool const valid = link >= launch.first && link < launch.last && link >= run.first &&
                           link < run.first + run.count && table.link(link).target == target;
        found[r] = valid ? link - launch.first : -1;
      }
    });
    crew.step([&](int t, auto&) {
      int const i = first + t % width, group = t / width;
      if (i >= size) return;
      T total = T(0);
      for (int r = runs * group / groups; r < runs * (group + 1) / groups; ++r)
        if (found[r] >= 0) total += launch.shifted[std::int64_t(found[r]) * size + i];
      part[t] = total;
    });
    crew.step([&](int t, auto&) {
      int const i = first + t;
      if (t >= width || i >= size) return;
      T total = T(0);
      for (int group = 0; group < groups; ++group) total += part[group * width + t];
      T* const to = launch.target + std::int64_t(target) * size + i;
      *to = launch.add ? *to + total : total;
    });
  }
};

}  // namespace nearfar
