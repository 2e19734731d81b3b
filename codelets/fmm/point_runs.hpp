// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/common/source_handles.hpp"
#include "core/tree/tables.hpp"

namespace nearfar {

/// One source block of a task.
template <class T>
struct PairSources {
  T const* position = nullptr;
  T const* strength = nullptr;
  std::int64_t stride = 0;

  /// Block i of access `access`.
  template <class Buffers>
  static PairSources of(Buffers const& b, int access, int i) {
    return {b.template get<T const>(access, i, &LeafSources::position),
            b.template get<T const>(access, i, &LeafSources::strengths),
            b.template size<T>(access, i, &LeafSources::position) / 3};
  }
};

/// Which source is next: number `done` of a run; how many there are.
struct RunPlace {
  int item, done, left;
};

/// All sources of a range of runs.
NEARFAR_FUNCTION RunPlace place_of_range(PairTable<PointRun> const& table, Range const& range) {
  RunPlace place{range.first, 0, 0};
  for (int k = range.first; k < range.first + range.count; ++k) place.left += table.item(k).last - table.item(k).first;
  return place;
}

/// Takes as many sources as a tile has room for: visit(run, first source, place in the tile, how many), until a run
/// does not go with the first one. Those that are not on the list are passed over. Returns how many were taken.
template <class T, class Together, class Visit>
NEARFAR_FUNCTION int fill_tile(int tile, PairTable<PointRun> const& table, LaunchList<PairSources<T>> const& sources,
                               RunPlace& place, Together const& together, Visit const& visit) {
  int filled = 0, begun = place.item;
  while (place.left > 0 && filled < tile) {
    PointRun const& run = table.item(place.item);
    int const points = run.last - run.first, rest = points - place.done < place.left ? points - place.done : place.left;
    bool const has = sources.has(run.buffer);
    if (filled == 0) begun = place.item;
    else if (has && !together(table.item(begun), run)) break;
    int const taken = has && rest > tile - filled ? tile - filled : rest;
    if (has) {
      visit(run, run.first + place.done, filled, taken);
      filled += taken;
    }
    place.done += taken;
    place.left -= taken;
    if (place.done == points) {
      ++place.item;
      place.done = 0;
    }
  }
  return filled;
}

}  // namespace nearfar
