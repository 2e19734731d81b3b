// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_team.hpp"
#include "codelets/fmm/translate/dense_multiply.hpp"
#include "codelets/fmm/translate/translate_team.hpp"

namespace nearfar {

/// Expansions at .. at + count of a run, which one block of threads shifts.
struct DensePiece {
  std::int32_t run, at, count;
};

/// Of M2L by whole matrices, beside what TranslateLaunch has; shifted expansions are as DenseLayout has them, still
/// turned.
template <class T>
struct DenseLaunch {
  TranslateLaunch<T> base;
  int separation;
  T* matrices = nullptr;         ///< DenseLayout::matrix_size() for each vector
  DensePiece* pieces = nullptr;  ///< after one whose count is that of pieces

  NEARFAR_FUNCTION DenseLayout layout() const { return DenseLayout{base.order}; }
  NEARFAR_FUNCTION std::int64_t matrix_numbers() const {
    return std::int64_t(DenseLayout::vectors(separation)) * layout().matrix_size();
  }
};

/// What the threads of a block do for the matrices of one vector: some entries.
template <class T>
struct DenseMatrixTeam {
  static constexpr int threads = 256, memory_size = 1, each = 4;
  using State = NoState;

  NEARFAR_FUNCTION static int blocks_of_vector(DenseLaunch<T> const& launch) {
    return (launch.layout().matrix_size() + threads * each - 1) / (threads * each);
  }
  NEARFAR_FUNCTION static int blocks(DenseLaunch<T> const& launch) {
    return DenseLayout::vectors(launch.separation) * blocks_of_vector(launch);
  }
  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, DenseLaunch<T> const& launch, int block, T*) {
    DenseLayout const layout = launch.layout();
    int const size = layout.matrix_size(), parts = blocks_of_vector(launch), number = block / parts;
    int const width = vector_reach(launch.separation) + 1, x = number / (width * width), y = number / width % width,
              z = number % width;
    if (x <= launch.separation && y <= launch.separation && z <= launch.separation) return;
    AxialOperator<T> const op =
        axial_operator(FmmOperators<T>(launch.base.operators), Shift::m2l, vector_id(x, y, z, launch.separation));
    team.step([&](int t, auto&) {
      int const first = block % parts * threads * each;
      for (int i = first + t; i < first + threads * each && i < size; i += threads) {
        int const part = i < layout.matrix_begin(1) ? 0 : 1, tiles = layout.tiles(part);
        int const entry = i - layout.matrix_begin(part), in_tile = entry % (DenseLayout::tile * DenseLayout::tile);
        int const at = entry / (DenseLayout::tile * DenseLayout::tile);
        int const to = at / tiles * DenseLayout::tile + in_tile / DenseLayout::tile,
                  from = at % tiles * DenseLayout::tile + in_tile % DenseLayout::tile;
        bool const inside = to < layout.count(part) && from < layout.count(part);
        launch.matrices[number * std::int64_t(size) + i] =
            inside ? dense_entry(op, part, layout.at(to), layout.at(from)) : T(0);
      }
    });
  }
};

/// What a block of threads does for a run before expansions are shifted: cut it into pieces of `lanes` expansions.
/// Those of runs with the same matrices come one after the other, which then are in caches.
template <class T>
struct DensePieceTeam {
  static constexpr int threads = 256, memory_size = 1;
  using State = NoState;
  struct Memory {
    std::int32_t before[threads], all[threads];
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, DenseLaunch<T> const& launch, int lanes, int run, Memory* memory) {
    RunTable const table(launch.base.table);
    if (run >= table.runs()) return;
    auto const vector_of_run = [&](int r) { return DenseLayout::vector_number(table.run(r).key, launch.separation); };
    int const vector = vector_of_run(run);
    team.step([&](int t, auto&) {
      int before = 0, all = 0;
      for (int r = t; r < table.runs(); r += threads) {
        int const pieces = (launch.base.expansions(table, r).count + lanes - 1) / lanes, other = vector_of_run(r);
        all += pieces;
        if (other < vector || (other == vector && r < run)) before += pieces;
      }
      memory->before[t] = before;
      memory->all[t] = all;
    });
    for (int half = threads / 2; half > 0; half /= 2)
      team.step([&](int t, auto&) {
        if (t >= half) return;
        memory->before[t] += memory->before[t + half];
        memory->all[t] += memory->all[t + half];
      });
    team.step([&](int t, auto&) {
      auto const part = launch.base.expansions(table, run);
      for (int i = t; i * lanes < part.count; i += threads) {
        int const left = part.count - i * lanes;
        launch.pieces[1 + memory->before[0] + i] = {run, part.first + i * lanes, left < lanes ? left : lanes};
      }
      if (run == 0 && t == 0) launch.pieces[0] = {0, 0, memory->all[0]};
    });
  }
};

/// What the threads of a block do for a piece: turn its expansions about z, multiply, and leave what comes out turned.
template <class T>
struct DenseShiftTeam {
  static constexpr int max_warps = 10, threads = 32 * max_warps, resident = 2;
  static constexpr int most_lanes = 64, least_lanes = DenseMultiply<T, 1>::expansions;
  using State = NoState;

  /// From one expansion to the next in shared memory: such that rows that are read at once are in different banks.
  NEARFAR_FUNCTION static int row(DenseLayout const& layout) {
    int const width = layout.width();
    return sizeof(T) == 4 ? width + 4 : width % 16 == 8 ? width : width + 8;
  }
  /// Bytes.
  NEARFAR_FUNCTION static int memory_size(DenseLayout const& layout, int lanes) {
    return most_lanes * int(sizeof(T const*)) + lanes * row(layout) * int(sizeof(T));
  }
  /// Products of 32 expansions with two rows of tiles.
  NEARFAR_FUNCTION static int products(DenseLayout const& layout, int lanes) {
    return ((layout.tiles(0) + 1) / 2 + (layout.tiles(1) + 1) / 2) * (lanes / least_lanes);
  }
  /// Of 32 threads: so many that all have the same number of products.
  NEARFAR_FUNCTION static int warps(DenseLayout const& layout, int lanes) {
    int const all = products(layout, lanes), rounds = (all + max_warps - 1) / max_warps;
    return (all + rounds - 1) / rounds;
  }

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, DenseLaunch<T> const& launch, LaunchList<T const*> const& sources,
                                   int lanes, int block, void* memory) {
    if (block >= launch.pieces[0].count) return;
    DensePiece const piece = launch.pieces[1 + block];
    TranslateLaunch<T> const& base = launch.base;
    DenseLayout const layout = launch.layout();
    RunTable const table(base.table);
    int const key = table.run(piece.run).key, rhs = base.rhs, mine = 32 * warps(layout, lanes);
    auto** const source = static_cast<T const**>(memory);
    T* const x = reinterpret_cast<T*>(source + most_lanes);
    team.step([&](int t, auto&) {
      for (int i = t; i < lanes; i += mine) {
        source[i] = nullptr;
        if (i >= piece.count) continue;
        Interaction const& interaction = table.interaction((piece.at + i) / rhs);
        if (sources.has(interaction.buffer))
          source[i] = sources[interaction.buffer] +
                      (std::int64_t(interaction.local) * rhs + (piece.at + i) % rhs) * base.stride();
        base.note[interaction.target * base.keys + piece.run] = (piece.at + i) / rhs;
      }
    });
    AxialOperator<T> const op = axial_operator(FmmOperators<T>(base.operators), Shift::m2l, key);
    team.step([&](int t, auto&) { turn(t, layout, op, source, lanes, mine, x); });
    T const* const matrices =
        launch.matrices + DenseLayout::vector_number(key, launch.separation) * std::int64_t(layout.matrix_size());
    T* const out = base.shifted + std::int64_t(piece.at - base.first * rhs) * layout.width();
    team.step([&](int t, auto&) {
      for (int i = t / 32; i < products(layout, lanes); i += mine / 32) {
        int const groups = lanes / least_lanes, lane = i % groups * least_lanes, half = (layout.tiles(0) + 1) / 2;
        int const part = i / groups < half ? 0 : 1, first = (i / groups - part * half) * 2;
        if (lane >= piece.count) continue;
        auto const multiply = [&](auto&& product) {
          int const tiles = layout.tiles(part);
          product.run(t % 32, x + lane * row(layout) + layout.begin(part), row(layout),
                      matrices + layout.matrix_begin(part) + DenseLayout::tile * DenseLayout::tile * first * tiles,
                      tiles);
          product.for_each_pair(t % 32, [&](int expansion, int number, T const* pair) {
            if (lane + expansion >= piece.count) return;
            auto* const to = reinterpret_cast<Pair*>(out + std::int64_t(lane + expansion) * layout.width() +
                                                     layout.begin(part) + DenseLayout::tile * first + number);
            *to = {pair[0], pair[1]};
          });
        };
        if (first + 1 < layout.tiles(part)) multiply(DenseMultiply<T, 2>());
        else multiply(DenseMultiply<T, 1>());
      }
    });
  }

 private:
  struct alignas(2 * sizeof(T)) Pair {
    T first, second;
  };

  /// Expansions from memory, turned so that the vector is in the plane y = 0; 0 where there is no source. A thread has
  /// one number of several expansions, which it asks for before it needs the first.
  NEARFAR_FUNCTION static void turn(int t, DenseLayout const& layout, AxialOperator<T> const& op,
                                    T const* const* source, int lanes, int threads, T* x) {
    int const imag = layout.begin(1), together = threads > imag ? threads / imag : 1;
    if (t >= together * imag) return;
    for (int i = t % imag; i < imag; i += threads) {
      bool const used = i < layout.count(0), padded = imag + i < layout.width();
      DegreeAndOrder const at = used ? layout.at(i) : DegreeAndOrder{0, 0};
      int const from = real_index(at.n, at.m), next = from + (at.m > 0 ? 1 : 0);
      T const* const phase = op.phase[at.n % 2] + 2 * at.m;
      T const c = used ? phase[0] : T(0), s = at.m > 0 ? phase[1] : T(0), c_imag = at.m > 0 ? c : T(0);
      NEARFAR_DEVICE_UNROLL(4)
      for (int lane = t / imag; lane < lanes; lane += together) {
        T const* const numbers = source[lane];
        T const re = numbers == nullptr ? T(0) : numbers[from], im = numbers == nullptr ? T(0) : numbers[next];
        T* const to = x + lane * row(layout) + i;
        to[0] = c * re + s * im;
        if (padded) to[imag] = c_imag * im - s * re;
      }
    }
  }
};

}  // namespace nearfar
