// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

namespace nearfar {

/// Which part of the sum a stage belongs to; `shared` serves both. The overlap of a solve is near work beside far work.
enum class Branch { shared, near, far };

/// Which ready tasks go first, which is all that the overlap needs: the far part, earlier the more
/// tasks wait for it, and P2P in its gaps. Without priorities every scheduler loses a third. The
/// numbers are those of schedulers/priorities.hpp, where policies treat some of them in their own way.
/// They are even: a task for which another rank waits has the next one, and so precedes its stage.
enum class Priority : int {
  filler = 0,    ///< nothing but the last merge waits: fills the gaps of all others
  bulk = 2,      ///< most of the far part; worth a GPU, as filler is
  far_end = 4,   ///< only merges wait for it, at the end of the far part
  beside = 6,    ///< only merges wait for it, and it is short
  feed = 8,      ///< feeds the transforms
  pass = 10,     ///< opens or ends the transposes, or opens a level
  middle = 12,   ///< all of the far part after it waits
  opening = 14,  ///< both parts wait for it, and it is short
  closing = 16,  ///< frees the data of its block, and it is short
};

/// Which solves have a GPU run a stage that has a body for it: those of which it runs all stages, since the data of one
/// short stage would travel for longer than it takes, or also those of which CPUs run the rest.
enum class Gpus { with_all, beside };

/// What there is to say about a stage beside its body.
struct StageRow {
  std::string_view name;
  Branch branch = Branch::shared;
  unsigned color = 0xffffff;  ///< in every picture, 0xRRGGBB
  Priority priority = Priority::filler;
  Gpus gpus = Gpus::with_all;
};

/// All stages, in the order of the documentation (docs/update
/// reads this table). A stage without a row here does not compile.
constexpr std::array stages{
    // Points are sorted before any solve of them.
    StageRow{"order_cells", Branch::shared, 0x886633, Priority::opening},     // sort_cells waits for it
    StageRow{"count_columns", Branch::shared, 0x776644, Priority::opening},   // sort_cells waits for it
    StageRow{"sort_cells", Branch::shared, 0x997755, Priority::opening},      // the caller waits for it
    StageRow{"count_routes", Branch::shared, 0x778866, Priority::opening},    // route_rows waits for it
    StageRow{"route_rows", Branch::shared, 0x99aa77, Priority::opening},      // the caller waits for it
    StageRow{"extent", Branch::shared, 0x775533, Priority::opening},          // the caller waits for it
    StageRow{"curve", Branch::shared, 0x886644, Priority::opening},           // the caller waits for it
    StageRow{"boxes", Branch::shared, 0xaa8866, Priority::opening},           // the caller waits for it
    StageRow{"prune", Branch::shared, 0xaa9966, Priority::opening},           // the caller waits for it
    StageRow{"near_boxes", Branch::shared, 0xbb9977, Priority::opening},      // the caller waits for it
    StageRow{"lists", Branch::shared, 0xbb8855, Priority::opening},           // the caller waits for it
    StageRow{"tables", Branch::shared, 0xccaa88, Priority::opening},          // the caller waits for it
    StageRow{"fill_leaves", Branch::shared, 0xddbb99, Priority::opening},     // the caller waits for it
    StageRow{"chain", Branch::shared, 0x445566, Priority::opening},           // all that a small solve does on a GPU
    StageRow{"loop", Branch::shared, 0xccaa77, Priority::opening},            // the caller waits for it
    StageRow{"largest", Branch::shared, 0xdddddd, Priority::opening},         // units wait for it
    StageRow{"units", Branch::shared, 0x999999, Priority::opening},           // bin waits for it
    StageRow{"copy_strengths", Branch::shared, 0xccbbaa, Priority::opening},  // units and bin wait for it
    StageRow{"bin", Branch::shared, 0xbbbbbb, Priority::opening},             // both parts read what it sorts
    StageRow{"p2g", Branch::far, 0xee6677, Priority::feed},                   // a transform begins with its slab
    StageRow{"fft", Branch::far, 0xccbb44, Priority::pass},                   // opens the transposes
    StageRow{"scale", Branch::far, 0x66ccee, Priority::middle},               // needs all slabs, and all slabs need it
    StageRow{"ifft", Branch::far, 0x228833, Priority::pass},                  // ends the transposes
    StageRow{"g2p", Branch::far, 0xaa3377, Priority::far_end},                // last of the chain
    StageRow{"moment", Branch::shared, 0xeeaabb, Priority::beside},           // only the sum of moments waits for it
    StageRow{"moments", Branch::shared, 0xbb7788, Priority::beside},          // only merges wait for it
    StageRow{"p2p", Branch::near, 0x4477aa, Priority::filler, Gpus::beside},  // fills the gaps of the transforms
    StageRow{"reduce", Branch::shared, 0x77aadd, Priority::closing},          // frees what P2P found for other blocks
    StageRow{"energy", Branch::shared, 0xbb9944, Priority::closing},          // frees what only it reads of pairs
    StageRow{"energies", Branch::shared, 0x886622, Priority::closing},        // the caller waits for it
    StageRow{"merge", Branch::shared, 0x555555, Priority::closing, Gpus::beside},  // frees all parts of its block
    StageRow{"copy_results", Branch::shared, 0x887766, Priority::closing},         // the caller waits for it
    StageRow{"p2m", Branch::far, 0xee8866, Priority::middle, Gpus::beside},  // the upward pass holds everything up
    StageRow{"m2m", Branch::far, 0xddaa33, Priority::middle, Gpus::beside},  // as P2M
    StageRow{"lattice", Branch::far, 0x44aa99, Priority::middle},          // all locals of a periodic cell wait for it
    StageRow{"m2l", Branch::far, 0x117733, Priority::bulk, Gpus::beside},  // submitted from the top down
    StageRow{"p2l", Branch::far, 0x663399, Priority::bulk},                // in place of M2L, where leaves are large
    StageRow{"l2l", Branch::far, 0x88ccaa, Priority::pass, Gpus::beside},  // opens the level below
    StageRow{"l2p", Branch::far, 0xcc66aa, Priority::far_end, Gpus::beside},  // last of the chain
    StageRow{"m2p", Branch::far, 0x996633, Priority::filler},         // fills gaps as P2P does, once the boxes are done
    StageRow{"dipole", Branch::shared, 0xddddaa, Priority::beside},   // only the sum of dipoles waits for it
    StageRow{"dipoles", Branch::shared, 0x999933, Priority::beside},  // only the cell's field waits for it
    StageRow{"cell", Branch::shared, 0xaabbdd, Priority::beside},     // only merges wait for it
    StageRow{"leaf_p2p", Branch::near, 0x3366cc, Priority::filler, Gpus::beside},  // fills gaps of the tree's passes
    StageRow{"check", Branch::shared, 0xccbbee, Priority::filler},      // only the end of the solve waits for it
    StageRow{"check_sum", Branch::shared, 0x9999bb, Priority::filler},  // as check
    StageRow{"direct", Branch::near, 0x4477aa, Priority::filler},       // all there is
    // Poisson solvers have fft, scale and ifft too; a Green's function lets solves before it go first.
    StageRow{"pad", Branch::far, 0xbbccee, Priority::feed},               // a transform begins with its slab
    StageRow{"restrict", Branch::far, 0x332288, Priority::closing},       // ends the solve of its slab
    StageRow{"green", Branch::shared, 0x88aa55, Priority::bulk},          // columns wait for all of it
    StageRow{"green_columns", Branch::shared, 0x557722, Priority::feed},  // frees the planes
    StageRow{"green_turn", Branch::shared, 0xddeecc, Priority::closing},  // no work, and solves wait for it
    // An influence function is made before any solve of its plan.
    StageRow{"influence", Branch::far, 0xcc9988, Priority::pass},            // columns wait for all of it
    StageRow{"influence_columns", Branch::far, 0x885544, Priority::middle},  // the caller waits for it
    // A particle-in-cell step is one chain, with transforms between scatter and gather.
    StageRow{"clock", Branch::shared, 0xeeddee, Priority::closing},    // no work, and tells of failure at once
    StageRow{"push", Branch::far, 0x44bb99, Priority::middle},         // sort waits for it
    StageRow{"sort", Branch::far, 0xbbcc33, Priority::middle},         // every slab of the density needs all of it
    StageRow{"scatter", Branch::far, 0xee8855, Priority::feed},        // a transform begins with its slab
    StageRow{"gather", Branch::far, 0x99ddff, Priority::far_end},      // the kick of its block waits for it
    StageRow{"kick", Branch::far, 0x225555, Priority::closing},        // ends the step of its block
    StageRow{"measure", Branch::shared, 0xccccee, Priority::beside},   // the next push of its block waits for it
    StageRow{"tally", Branch::shared, 0x8877aa, Priority::beside},     // the next scatter waits for it
    StageRow{"unload", Branch::shared, 0xddccaa, Priority::closing}};  // the next push of its block waits for it

/// The row of a stage, or none.
constexpr StageRow const* find_stage(std::string_view name) {
  for (auto const& stage : stages)
    if (stage.name == name) return &stage;
  return nullptr;
}

/// Of a stage, unless it says otherwise itself.
template <class S>
constexpr Gpus gpus_of() {
  if constexpr (requires { S::gpus; }) return S::gpus;
  else return find_stage(S::name)->gpus;
}

static_assert(
    [] {
      for (auto const& stage : stages)
        if (find_stage(stage.name) != &stage) return false;
      return true;
    }(),
    "two stages share a name");

/// Whether text on this color should be white.
constexpr bool is_dark(unsigned color) {
  unsigned const red = color >> 16, green = color >> 8 & 255, blue = color & 255;
  return 299 * red + 587 * green + 114 * blue < 140000;
}

constexpr std::string_view name(Branch branch) {
  switch (branch) {
    case Branch::shared: return "shared";
    case Branch::near: return "near";
    case Branch::far: return "far";
  }
  return "";
}

}  // namespace nearfar
