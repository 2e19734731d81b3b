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

/// Shifts some expansions along one vector: the steps of AxialShift (translate_body.hpp) by threads that share them, a
/// row of numbers for each coefficient. Thread t has expansion t % lanes, and every workers-th part of the work.
template <class T>
struct ShiftTeam {
  Shift shift;
  int order, lanes, threads;
  T *a, *b;  ///< coefficient_count(order) rows each

  /// A row is one longer than the expansions in it, so that neighbours are in different banks.
  NEARFAR_FUNCTION int row() const { return lanes + 1; }
  NEARFAR_FUNCTION static int size(int order, int lanes) { return 2 * coefficient_count(order) * (lanes + 1); }

  /// Into a, by degrees, turned about z: Re (n, 0), ..., Re (n, n), Im (n, 1), ..., Im (n, n). source(i) may be null.
  template <class Source>
  NEARFAR_FUNCTION void gather(int t, AxialOperator<T> const& op, int count, Source const& source) const {
    int const pairs = pair_count(order);
    for (int item = t; item < count * pairs; item += threads) {
      int const i = item / pairs;
      auto const [n, m] = pair_at(item - i * pairs);
      T const* const x = source(i);
      T const* const phase = op.phase[n % 2] + 2 * m;
      T const re = x == nullptr ? T(0) : x[real_index(n, m)];
      T* const to = a + (n * n + m) * row() + i;
      if (m == 0) {
        *to = phase[0] * re;
        continue;
      }
      T const im = x == nullptr ? T(0) : x[imag_index(n, m)];
      *to = phase[0] * re + phase[1] * im;
      to[n * row()] = phase[0] * im - phase[1] * re;
    }
  }
  /// From a to b, by orders: Re (m, m), ..., Re (p, m), Im (m, m), ..., Im (p, m).
  NEARFAR_FUNCTION void turn_to_z(int t, AxialOperator<T> const& op, int count) const {
    if (t % lanes >= count) return;
    for_each_panel(t, op.forward, [&](int rows, T const* matrix, int n, int part, int first, int size) {
      T const* const from = a + (n * n + part * (n + 1)) * row() + t % lanes;
      T* const to = b + t % lanes;
      multiply(
          rows, matrix, size, [&](int l) { return from[l * row()]; },
          [&](int m, T value) { to[place(n, first + m + part, part)] = value; });
    });
  }
  /// From b to a, by orders.
  NEARFAR_FUNCTION void shift_along_z(int t, T const* kernel, int count) const {
    if (t % lanes >= count) return;
    switch (shift) {
      case Shift::m2l: return shift_by_steps<1, 1>(t, kernel);
      case Shift::m2m: return shift_by_steps<1, -1>(t, kernel);
      case Shift::l2l: return shift_by_steps<-1, 1>(t, kernel);
    }
  }
  /// From a to b, by degrees.
  NEARFAR_FUNCTION void turn_back(int t, AxialOperator<T> const& op, int count) const {
    if (t % lanes >= count) return;
    for_each_panel(t, op.backward, [&](int rows, T const* matrix, int n, int part, int first, int size) {
      T const* const from = a + t % lanes;
      T* const to = b + (n * n + part * (n + 1) + first) * row() + t % lanes;
      multiply(
          rows, matrix, size, [&](int l) { return from[place(n, l + part, part)]; },
          [&](int m, T value) { to[m * row()] = value; });
    });
  }
  /// From b, turned back about z, to out + i * stride.
  NEARFAR_FUNCTION void scatter(int t, AxialOperator<T> const& op, int count, T* out) const {
    int const pairs = pair_count(order), stride = expansion_stride<T>(order);
    for (int item = t; item < count * pairs; item += threads) {
      int const i = item / pairs;
      auto const [n, m] = pair_at(item - i * pairs);
      T const* const phase = op.phase[n % 2] + 2 * m;
      T const* const from = b + (n * n + m) * row() + i;
      T* const to = out + std::int64_t(i) * stride;
      if (m == 0) {
        to[n * n] = phase[0] * *from;
        continue;
      }
      T const re = *from, im = from[n * row()];
      to[real_index(n, m)] = phase[0] * re - phase[1] * im;
      to[imag_index(n, m)] = phase[0] * im + phase[1] * re;
    }
    int const rest = stride - coefficient_count(order);
    for (int item = t; item < count * rest; item += threads)
      out[std::int64_t(item / rest) * stride + coefficient_count(order) + item % rest] = T(0);
  }

 private:
  /// Where the real (part 0) or the imaginary coefficient (n, m) lies among those sorted by orders.
  NEARFAR_FUNCTION int place(int n, int m, int part) const {
    int const before = m == 0 ? 0 : (order + 1) * (2 * m - 1) - m * (m - 1);
    return (before + part * (order + 1 - m) + n - m) * row();
  }
  /// This thread's panels of the rotation matrices, those of the highest degrees first.
  template <class Panel>
  NEARFAR_FUNCTION void for_each_panel(int t, T const* matrices, Panel const& panel) const {
    int const workers = threads / lanes, me = t / lanes;
    int turn = 0;
    for (int n = order; n >= 0; --n)
      for (int part = 0; part < 2; ++part) {
        T const* matrix = matrices + panel_offset(n) + part * (n + 1) * (n + 1);
        int const size = n + 1 - part;
        for (int first = 0; first < size;) {
          int const rows = rows_of_panel(size - first);
          if (turn == me) panel(rows, matrix, n, part, first, size);
          if (++turn == workers) turn = 0;
          first += rows;
          matrix += rows * size;
        }
      }
  }
  template <class In, class Out>
  NEARFAR_FUNCTION static void multiply(int rows, T const* matrix, int size, In const& in, Out const& out) {
    switch (rows) {
      case 6: return multiply_rows<6>(matrix, size, in, out);
      case 5: return multiply_rows<5>(matrix, size, in, out);
      case 4: return multiply_rows<4>(matrix, size, in, out);
      case 3: return multiply_rows<3>(matrix, size, in, out);
      case 2: return multiply_rows<2>(matrix, size, in, out);
      default: return multiply_rows<1>(matrix, size, in, out);
    }
  }
  template <int Rows, class In, class Out>
  NEARFAR_FUNCTION static void multiply_rows(T const* matrix, int size, In const& in, Out const& out) {
    T sum[Rows] = {};
    for (int l = 0; l < size; ++l) {
      T const x = in(l);
      for (int r = 0; r < Rows; ++r) sum[r] += matrix[l * Rows + r] * x;
    }
    for (int r = 0; r < Rows; ++r) out(r, sum[r]);
  }

  /// Steps of the kernel from row to row and from column to column: by j + k (M2L), n - k (M2M) or k - n (L2L).
  template <int Row, int Column>
  NEARFAR_FUNCTION void shift_by_steps(int t, T const* kernel) const {
    int const workers = threads / lanes, me = t / lanes;
    constexpr int most = 4;
    int turn = 0;
    for (int m = 0; m <= order; ++m)
      for (int part = 0; part < (m > 0 ? 2 : 1); ++part) {
        int const size = order + 1 - m, at = place(m, m, part) + t % lanes;
        T const* const from = shift == Shift::m2l ? kernel + 2 * m : kernel;
        for (int j = 0; j < size; j += most) {
          if (turn == me) switch (size - j) {
              case 3: shift_rows<Row, Column, 3>(from, size, j, b + at, a + at); break;
              case 2: shift_rows<Row, Column, 2>(from, size, j, b + at, a + at); break;
              case 1: shift_rows<Row, Column, 1>(from, size, j, b + at, a + at); break;
              default: shift_rows<Row, Column, most>(from, size, j, b + at, a + at);
            }
          if (++turn == workers) turn = 0;
        }
      }
  }
  template <int Row, int Column, int Rows>
  NEARFAR_FUNCTION void shift_rows(T const* kernel, int size, int j, T const* in, T* out) const {
    T sum[Rows] = {};
    kernel += j * Row;
    for (int k = 0; k < size; ++k) {
      T const x = in[k * row()];
      for (int r = 0; r < Rows; ++r) sum[r] += kernel[r * Row + k * Column] * x;
    }
    for (int r = 0; r < Rows; ++r) out[(j + r) * row()] = sum[r];
  }
};

/// What the GPU threads of a block do (codelets/gpu_crew.hpp) for `lanes` expansions that follow each other: shift
/// them, those of one run at a time.
template <class T>
struct TranslateCrew {
  template <class Crew>
  NEARFAR_FUNCTION static void run(Crew& crew, TranslateLaunch<T> const& launch, LaunchList<T const*> const& sources,
                                   int lanes, int threads, int block, T* memory) {
    RunTable const table(launch.table);
    FmmOperators<T> const operators(launch.operators);
    int const order = launch.order, rhs = launch.rhs, stride = launch.stride(), size = rhs * stride;
    ShiftTeam<T> const team{launch.shift, order, lanes, threads, memory, memory + ShiftTeam<T>::size(order, lanes) / 2};
    int const last_link = launch.last < table.links() ? launch.last : table.links();
    int const begin = launch.first * rhs + block * lanes;
    int const end = begin + lanes < last_link * rhs ? begin + lanes : last_link * rhs;
    for (int at = begin; at < end;) {
      int const key = run_of(table, at / rhs);
      Run const run = table.run(key);
      int const next = (run.first + run.count) * rhs < end ? (run.first + run.count) * rhs : end, count = next - at;
      AxialOperator<T> const op = axial_operator(operators, launch.shift, run.key);
      auto const source = [&](int i) -> T const* {
        Link const& link = table.link((at + i) / rhs);
        if (!sources.has(link.buffer)) return nullptr;
        return sources[link.buffer] + std::int64_t(link.slot) * size + (at + i) % rhs * stride;
      };
      crew.step([&](int t, auto&) {
        team.gather(t, op, count, source);
        if (t < count) launch.note[table.link((at + t) / rhs).target * launch.keys + key] = (at + t) / rhs;
      });
      crew.step([&](int t, auto&) { team.turn_to_z(t, op, count); });
      crew.step([&](int t, auto&) { team.shift_along_z(t, op.shift, count); });
      crew.step([&](int t, auto&) { team.turn_back(t, op, count); });
      crew.step([&](int t, auto&) {
        team.scatter(t, op, count, launch.shifted + std::int64_t(at - launch.first * rhs) * stride);
      });
      at = next;
    }
  }

 private:
  /// The run that a link is of.
  NEARFAR_FUNCTION static int run_of(RunTable const& table, int link) {
    int low = 0, high = table.runs();
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      (table.run(middle).first <= link ? low : high) = middle;
    }
    return low;
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
