// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_multiply.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Bits of a word.
NEARFAR_FUNCTION int bits_in(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}
NEARFAR_FUNCTION int lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __ffs(int(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/// GPU threads, 32 at a time, that share a group of 4 x 8 x 8 grid nodes and add points to them: here each thread
/// has 8 nodes along z, and works alone. The nodes are `pieces` along z; pieces that no window reaches are skipped.
template <class Spread, class T>
struct NodesByRow {
  static constexpr int nodes = 8, pieces = Spread::components == 3 ? 1 : 2;

  NEARFAR_FUNCTION static int x(int lane, int) { return lane / 8; }
  NEARFAR_FUNCTION static int y(int lane, int) { return lane % 8; }
  NEARFAR_FUNCTION static int z(int, int node) { return node; }

  /// Data of a group, beside the bits reaching[part * words * pieces] of points, number 32 * part and on.
  template <int parts, int words>
  struct List {
    NEARFAR_FUNCTION void set(std::uint32_t const*, int) {}
  };

  /// Adds those points to the group whose corner is at places x, y and z of the lines.
  template <int parts, int words, class Points>
  NEARFAR_FUNCTION static void add(Points const& points, List<parts, words> const&, std::uint32_t const* reaching,
                                   int lane, int x, int y, int z, T (*sum)[nodes]) {
    constexpr int piece = nodes / pieces;
    for (int part = 0; part < parts; ++part, reaching += words * pieces) {
      std::uint32_t const lower = reaching[0], upper = reaching[(pieces - 1) * words];
      for (std::uint32_t left = lower | upper; left != 0; left &= left - 1) {
        int const bit = lowest_bit(left), p = 32 * part + bit;
        typename Spread::Line const& line = points.lines[p];
        Spread const point(points.numbers[p], line, y + lane % 8);
        T at_x[Spread::kinds], factor[Spread::products];
        for (int kind = 0; kind < Spread::kinds; ++kind) at_x[kind] = line[kind][x + lane / 8];
        for (int i = 0; i < Spread::products; ++i) factor[i] = point.factor(i, at_x);
        if ((lower >> bit & 1) != 0) add_piece<0, piece>(factor, line, z, sum);
        if constexpr (pieces == 2)
          if ((upper >> bit & 1) != 0) add_piece<piece, piece>(factor, line, z, sum);
      }
    }
  }

 private:
  template <int first, int count>
  NEARFAR_FUNCTION static void add_piece(T const* factor, typename Spread::Line const& line, int z, T (*sum)[nodes]) {
    T along[Spread::kinds][count];
    for (int kind = 0; kind < Spread::kinds; ++kind)
      for (int k = 0; k < count; ++k) along[kind][k] = line[kind][z + first + k];
    for (int i = 0; i < Spread::products; ++i)
      for (int k = 0; k < count; ++k) sum[Spread::component(i)][first + k] += factor[i] * along[Spread::kind(i)][k];
  }
};

/// Here the threads work together on four points at once, by products of matrices: rows are x and y, columns are
/// z, and the sum is over points. That takes an eighth of the instructions, and uses matrix units where available.
template <class Spread, class T>
struct NodesByMatrix {
  static constexpr int nodes = 8, pieces = 1;

  NEARFAR_FUNCTION static int x(int, int node) { return node / 2; }
  NEARFAR_FUNCTION static int y(int lane, int) { return lane / 4; }
  NEARFAR_FUNCTION static int z(int lane, int node) { return lane % 4 * 2 + node % 2; }

  /// Numbers of the points.
  template <int parts, int words>
  struct List {
    std::uint8_t point[32 * parts];
    static_assert(32 * parts <= 256);

    NEARFAR_FUNCTION void set(std::uint32_t const* reaching, int lane) {
      int before = 0;
      for (int part = 0; part < parts; ++part, reaching += words) {
        if ((*reaching >> lane & 1) != 0)
          point[before + bits_in(*reaching & ((std::uint32_t(1) << lane) - 1))] = std::uint8_t(32 * part + lane);
        before += bits_in(*reaching);
      }
    }
  };

  template <int parts, int words, class Points>
  NEARFAR_FUNCTION static void add(Points const& points, List<parts, words> const& list, std::uint32_t const* reaching,
                                   int lane, int x, int y, int z, T (*sum)[nodes]) {
    int count = 0;
    for (int part = 0; part < parts; ++part) count += bits_in(reaching[part * words]);
    NEARFAR_DEVICE_UNROLL(1)
    for (int first = 0; first < count; first += 4)
      multiply(points, list.point + first, count - first, lane, x, y, z, sum);
  }

 private:
  template <class Points>
  NEARFAR_FUNCTION static void multiply(Points const& points, std::uint8_t const* number, int count, int lane, int x,
                                        int y, int z, T (*sum)[nodes]) {
#if defined(__CUDA_ARCH__)
    int const k = lane % 4, row = lane / 4, p = number[k < count ? k : 0];
    typename Spread::Line const& line = points.lines[p];
    Spread const point(points.numbers[p], line, y + row);
    T along[Spread::kinds];
    for (int kind = 0; kind < Spread::kinds; ++kind) along[kind] = k < count ? line[kind][z + row] : T(0);
    NEARFAR_DEVICE_UNROLL(2)  // sums are registers
    for (int pair = 0; pair < 2; ++pair) {
      T at_x[2][Spread::kinds];
      for (int i = 0; i < 2; ++i)
        for (int kind = 0; kind < Spread::kinds; ++kind) at_x[i][kind] = line[kind][x + 2 * pair + i];
      NEARFAR_DEVICE_UNROLL(8)
      for (int i = 0; i < Spread::products; ++i)
        gpu_multiply(sum[Spread::component(i)] + 4 * pair, point.factor(i, at_x[0]), point.factor(i, at_x[1]),
                     along[Spread::kind(i)]);
    }
#else
    for (int k = 0; k < 4 && k < count; ++k) {
      int const p = number[k];
      typename Spread::Line const& line = points.lines[p];
      Spread const point(points.numbers[p], line, y + lane / 4);
      for (int node = 0; node < nodes; ++node) {
        T at_x[Spread::kinds];
        for (int kind = 0; kind < Spread::kinds; ++kind) at_x[kind] = line[kind][x + node / 2];
        for (int i = 0; i < Spread::products; ++i)
          sum[Spread::component(i)][node] +=
              point.factor(i, at_x) * line[Spread::kind(i)][z + NodesByMatrix::z(lane, node)];
      }
    }
#endif
  }
};

}  // namespace nearfar
