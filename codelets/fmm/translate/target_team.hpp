// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/leaf_pieces.hpp"
#include "codelets/fmm/translate/dense_layout.hpp"
#include "codelets/fmm/translate/translate_team.hpp"

namespace nearfar {

/// M2L of low orders, whose expansions fit into the registers of a thread: each thread adds up what one target gets,
/// and nothing that was shifted goes through memory. As in DenseLayout the frame is turned about z, so that the vector
/// between the boxes lies in the plane y = 0. Its irregular harmonics I(N, M) are real there, and what a local gets,
///   Re L(n, m) = (-1)^n sum over k, l of (I(n+k, m+l) + s I(n+k, |m-l|)) Re M(k, l),  halved for l = 0,
///   Im L(n, m) = (-1)^n sum over k, l of (s I(n+k, |m-l|) - I(n+k, m+l)) Im M(k, l),  s = (-1)^min(m, l),
/// is fmm.md, Sec. 1.5, for 0 <= l <= k: so few numbers that they are in registers, too.
template <class T>
struct TargetLaunch {
  TranslateLaunch<T> base;
  int separation;
  T* harmonics = nullptr;  ///< for each vector of DenseLayout

  /// Numbers of a vector: I(0, 0), I(1, 0), I(1, 1), ..., and some more for four to be read at once.
  NEARFAR_FUNCTION static constexpr int size(int order) { return (pair_count(2 * order) + 3) / 4 * 4; }
  NEARFAR_FUNCTION std::int64_t numbers() const {
    return std::int64_t(DenseLayout::vectors(separation)) * size(base.order);
  }
};

/// Finds one of the harmonics, from an entry of the matrices.
template <class T>
struct MakeHarmonic {
  TargetLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    int const order = launch.base.order, size = TargetLaunch<T>::size(order), vector = int(number / size),
              width = vector_reach(launch.separation) + 1;
    int const d[3] = {vector / (width * width), vector / width % width, vector % width};
    auto const [N, M] = pair_at(int(number % size));
    bool const near = d[0] <= launch.separation && d[1] <= launch.separation && d[2] <= launch.separation;
    launch.harmonics[number] =
        near || N > 2 * order ? T(0) : harmonic(vector_id(d[0], d[1], d[2], launch.separation), N, M);
  }

 private:
  NEARFAR_FUNCTION T harmonic(int key, int N, int M) const {
    int const order = launch.base.order, m = M < order ? M : order, l = M - m, n = N - order > m ? N - order : m;
    AxialOperator<T> const op = axial_operator(FmmOperators<T>(launch.base.operators), Shift::m2l, key);
    DegreeAndOrder const to{n, m}, from{N - n, l};
    T const of_re = dense_entry(op, 0, to, from), I = l == 0 ? of_re : (of_re - dense_entry(op, 1, to, from)) / 2;
    return n % 2 == 0 ? I : -I;
  }
};

/// The notes of TranslateLaunch, here by runs, and of each run by targets: so threads beside each other read what lies
/// beside each other.
template <class T>
struct TargetNotes {
  TranslateLaunch<T> const& launch;

  NEARFAR_FUNCTION std::int32_t& at(int run, int target) const {
    return launch.note[std::int64_t(run) * launch.targets() + target];
  }
  /// What a target gets in a run, or -1.
  NEARFAR_FUNCTION int interaction(RunTable const& table, int r, int target) const {
    Run const& run = table.run(r);
    std::int32_t const i = at(r, target);
    bool const may_be = i >= run.first && i < run.first + run.count;
    return may_be && table.interaction(i).target == target ? i : -1;
  }
};

/// Notes one interaction, if the table has so many.
template <class T>
struct NoteInteraction {
  TranslateLaunch<T> launch;

  NEARFAR_FUNCTION void operator()(std::int64_t number) const {
    RunTable const table(launch.table);
    int const i = int(number);
    if (i >= table.interactions()) return;
    int const run = bisect(table.runs(), [&](int r) { return table.run(r).first <= i; });
    TargetNotes<T>{launch}.at(run, table.interaction(i).target) = i;
  }
};

/// What the threads of a block do for some targets: each group of threads adds up what they get in some of the runs.
/// Targets of a block are eight apart: of a whole tree all are in the same octant, and have interactions in the same
/// runs.
template <class T, int order>
struct TargetShiftTeam {
  static constexpr int lanes = 32, shares = 8, apart = 8, threads = lanes * shares;
  static constexpr int resident = order <= 3 ? 2 : 1;  ///< blocks on a multiprocessor, for the registers they need
  static constexpr int numbers = coefficient_count(order), memory_size = shares / 2 * lanes * numbers;
  struct State {
    T sum[numbers];
  };

  NEARFAR_FUNCTION static int blocks(TargetLaunch<T> const& launch) {
    return (launch.base.targets() + lanes * apart - 1) / (lanes * apart) * apart * launch.base.rhs;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, TargetLaunch<T> const& launch, LaunchList<T const*> const& sources,
                                   int block, T* memory) {
    TranslateLaunch<T> const& base = launch.base;
    RunTable const table(base.table);
    int const number = block / base.rhs, rhs = block % base.rhs, targets = base.targets();
    auto const target_of = [&](int t) { return number / apart * (lanes * apart) + t % lanes * apart + number % apart; };
    team.step([&](int t, State& state) {
      NEARFAR_DEVICE_UNROLL(64)
      for (int k = 0; k < numbers; ++k) state.sum[k] = T(0);
      int const target = target_of(t);
      if (target >= targets) return;
      NEARFAR_DEVICE_UNROLL(1)
      for (int r = t / lanes; r < table.runs(); r += shares) {
        int const i = TargetNotes<T>{base}.interaction(table, r, target);
        if (i < 0) continue;
        Interaction const& from = table.interaction(i);
        if (!sources.has(from.buffer)) continue;
        add_shifted(launch, table.run(r).key,
                    sources[from.buffer] + (std::int64_t(from.local) * base.rhs + rhs) * base.stride(), state.sum);
      }
    });
    for (int half = shares / 2; half > 0; half /= 2) {
      team.step([&](int t, State& state) {
        int const share = t / lanes - half;
        if (share < 0 || share >= half) return;
        NEARFAR_DEVICE_UNROLL(64)
        for (int k = 0; k < numbers; ++k) memory[(share * numbers + k) * lanes + t % lanes] = state.sum[k];
      });
      team.step([&](int t, State& state) {
        if (t / lanes >= half) return;
        NEARFAR_DEVICE_UNROLL(64)
        for (int k = 0; k < numbers; ++k) state.sum[k] += memory[(t / lanes * numbers + k) * lanes + t % lanes];
      });
    }
    team.step([&](int t, State& state) {
      int const target = target_of(t);
      if (t >= lanes || target >= targets) return;
      T* const to = base.target + (std::int64_t(target) * base.rhs + rhs) * base.stride();
      NEARFAR_DEVICE_UNROLL(64)
      for (int k = 0; k < numbers; ++k) to[k] = base.add ? to[k] + state.sum[k] : state.sum[k];
      for (int k = numbers; k < base.stride() && !base.add; ++k) to[k] = T(0);
    });
  }

 private:
  struct alignas(4 * sizeof(T)) Four {
    T number[4];
  };
  /// Where number (n, m) of a turned expansion is, and I(N, M).
  NEARFAR_FUNCTION static constexpr int place(int n, int m) { return n * (n + 1) / 2 + m; }
  static constexpr int pairs = pair_count(order);

  /// A source in the turned frame, the harmonics of its vector, and the sums of its target as given. Loops over n, m, k
  /// and l are those of the compiler, which knows every index.
  struct Shifted {
    T re[pairs], im[pairs], I[TargetLaunch<T>::size(order)];
    T const* const* phase;
    T* sum;

    template <int n, int m>
    NEARFAR_FUNCTION void turn(T const* x) {
      T const c = phase[n % 2][2 * m], s = phase[n % 2][2 * m + 1], x_re = x[real_index(n, m)];
      if constexpr (m == 0) re[place(n, 0)] = c * x_re;
      else {
        T const x_im = x[imag_index(n, m)];
        re[place(n, m)] = c * x_re + s * x_im;
        im[place(n, m)] = c * x_im - s * x_re;
      }
      if constexpr (m < n) turn<n, m + 1>(x);
      else if constexpr (n < order) turn<n + 1, 0>(x);
    }

    /// Adds the numbers (n, m) of the local, all degrees n, and those of higher m.
    template <int m>
    NEARFAR_FUNCTION void add_order() {
      T to_re[order + 1] = {}, to_im[order + 1] = {};
      add_from<m, 0>(to_re, to_im);
      turn_back<m, m>(to_re, to_im);
      if constexpr (m < order) add_order<m + 1>();
    }
    /// Adds what they get from numbers (k, l) of the source, all degrees k, and from those of higher l.
    template <int m, int l>
    NEARFAR_FUNCTION void add_from(T* to_re, T* to_im) const {
      constexpr int apart = m < l ? l - m : m - l;
      constexpr bool minus = (m < l ? m : l) % 2 == 1;
      NEARFAR_DEVICE_UNROLL(64)
      for (int N = m + l; N <= 2 * order; ++N) {
        T const high = I[place(N, m + l)], low = minus ? -I[place(N, apart)] : I[place(N, apart)],
                of_re = l == 0 ? low : high + low, of_im = low - high;
        NEARFAR_DEVICE_UNROLL(8)
        for (int n = m; n <= order; ++n) {
          int const k = N - n;
          if (k < l || k > order) continue;
          to_re[n] += of_re * re[place(k, l)];
          if (m > 0 && l > 0) to_im[n] += of_im * im[place(k, l)];
        }
      }
      if constexpr (l < order) add_from<m, l + 1>(to_re, to_im);
    }
    template <int n, int m>
    NEARFAR_FUNCTION void turn_back(T const* to_re, T const* to_im) {
      T const c = phase[n % 2][2 * m], s = phase[n % 2][2 * m + 1], x = n % 2 == 0 ? to_re[n] : -to_re[n];
      if constexpr (m == 0) sum[real_index(n, 0)] += c * x;
      else {
        T const y = n % 2 == 0 ? to_im[n] : -to_im[n];
        sum[real_index(n, m)] += c * x - s * y;
        sum[imag_index(n, m)] += c * y + s * x;
      }
      if constexpr (n < order) turn_back<n + 1, m>(to_re, to_im);
    }
  };

  NEARFAR_FUNCTION static void add_shifted(TargetLaunch<T> const& launch, int key, T const* source, T* sum) {
    constexpr int size = TargetLaunch<T>::size(order);
    AxialOperator<T> const op = axial_operator(FmmOperators<T>(launch.base.operators), Shift::m2l, key);
    T const* const harmonics = launch.harmonics + DenseLayout::vector_number(key, launch.separation) * size;
    T x[(numbers + 3) / 4 * 4];
    Shifted shifted;
    shifted.phase = op.phase;
    shifted.sum = sum;
    NEARFAR_DEVICE_UNROLL(16)
    for (int k = 0; k < numbers; k += 4) read_four(x + k, source + k);
    NEARFAR_DEVICE_UNROLL(32)
    for (int k = 0; k < size; k += 4) read_four(shifted.I + k, harmonics + k);
    shifted.template turn<0, 0>(x);
    shifted.template add_order<0>();
  }
  NEARFAR_FUNCTION static void read_four(T* to, T const* from) {
    Four const four = *reinterpret_cast<Four const*>(from);
    for (int i = 0; i < 4; ++i) to[i] = four.number[i];
  }
};

}  // namespace nearfar
