// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"
#include "core/pic/motion.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

/// What a block measures, as doubles in this order; three for the momentum.
enum class PicSum { kinetic, field, external, momentum };
inline constexpr int pic_sums = 6;

struct MeasureArgs {
  PicGrid grid;
  Motion motion;
};

/// Energies and momentum of one block.
template <class T>
struct Measure {
  using Args = MeasureArgs;
  using Accesses = AccessList<Read,      // phase
                              Read,      // charges
                              ReadMany,  // potential of all slabs
                              Write>;    // pic_sums doubles
  static constexpr char const* name = "measure";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct TallyArgs {
  double time = 0;
  double cell_volume = 1;
};

/// The error for a total that is not finite, the numbers of a PicTotals being counted from its charge.
Error bad_total(TallyArgs const& args, int number, double value);

/// Adds the measurements of the blocks, and the charge on the grid: row by row, plane by
/// plane, slab by slab, which keeps rounding far below 1e-12 of it. Writes a PicTotals. Throws Error{bad_input} for a
/// total that is not finite.
template <class T>
struct Tally {
  using Args = TallyArgs;
  using Accesses = AccessList<ReadMany,    // sums of all blocks
                              ReadMany,    // density of all slabs
                              WriteRows>;  // totals
  static constexpr char const* name = "tally";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
