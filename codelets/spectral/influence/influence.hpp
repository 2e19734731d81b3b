// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/ewald/far/influence.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar {

/// Doubles of scratch for either stage.
std::int64_t influence_scratch(InfluenceFunction const& f);

/// Planes of `count` samples along x, from number `first` on, of the cut influence function, transformed along
/// y and z to modes of twice the grid, [x sample][number][y][z]; in double whatever the precision of the solve.
void fill_influence_planes(InfluenceFunction const& f, double const* corrections, int first, int count, double* scratch,
                           double* planes);

/// Transforms columns along x of all planes to modes, slab by slab: rows of a ModeTable
/// of one section, [y][z][x][number]. `first` and `count` number them [y][z].
template <class T>
void fill_influence_columns(InfluenceFunction const& f, std::vector<std::span<double const>> const& slabs,
                            std::int64_t first, std::int64_t count, double* scratch, T* rows);

struct InfluencePlanesArgs {
  InfluenceFunction function;
  int first = 0, count = 0;  ///< samples along x
};

/// fill_influence_planes.
struct InfluencePlanes {
  using Args = InfluencePlanesArgs;
  using Accesses = AccessList<Read,     // influence_corrections
                              Scratch,  // influence_scratch
                              Write>;   // planes of these samples
  static constexpr char const* name = "influence";
  static void portable(Buffers const& buffers, Args const& args);
};

struct InfluenceColumnsArgs {
  InfluenceFunction function;
  std::int64_t first = 0, count = 0;  ///< columns, numbered [y][z]
};

/// fill_influence_columns.
template <class T>
struct InfluenceColumns {
  using Args = InfluenceColumnsArgs;
  using Accesses = AccessList<ReadMany,  // planes, in the order of their samples
                              Scratch,   // influence_scratch
                              Write>;    // rows of these columns
  static constexpr char const* name = "influence_columns";
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
