// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/sort/sort.hpp"
#include "codelets/points/sum_team.hpp"

#include <algorithm>

namespace nearfar {

/// GPUs sort a block by cells, not only by planes, so that scatter finds the particles of a cell together: a
/// counting sort along one axis after another, from the last, each keeping the order within a layer of cells.
/// Particles are counted in ranges, so that many teams work at once and the result is always the same.
template <class T>
struct SortPass {
  PicGrid grid;
  int axis;  ///< ours
  T const* phase;
  std::int64_t count;
  std::int32_t const* from;  ///< numbers of the particles in the present order; null: the caller's
  std::int32_t* to;          ///< and after this pass
  std::int32_t* places;      ///< [layer][range]: counts, then where the next particle goes
  std::int64_t range;        ///< particles of one

  NEARFAR_FUNCTION int layers() const { return grid.layout.size[axis]; }
  NEARFAR_FUNCTION int ranges() const { return int((count + range - 1) / range); }
  NEARFAR_FUNCTION std::int32_t particle(std::int64_t i) const { return from == nullptr ? std::int32_t(i) : from[i]; }
  NEARFAR_FUNCTION int layer(std::int32_t particle) const {
    int const user = grid.axes[axis];
    return cloud_at(grid.cells, user, phase[user * count + particle]).low;
  }
  /// Where particle i is counted.
  NEARFAR_FUNCTION std::int64_t counter(std::int64_t i) const {
    return std::int64_t(layer(particle(i))) * ranges() + i / range;
  }
};

/// Enough ranges for a large GPU, but few enough that counters cost only a fraction of what particles cost.
inline std::int64_t sort_range(std::int64_t count, int layers) {
  constexpr std::int64_t team = 256, least = 2048, counters = 32768;
  std::int64_t const ranges = std::clamp<std::int64_t>(std::max(counters, count / 64) / layers, 1, count / least + 1);
  return (count / ranges / team + 1) * team;
}

/// Moves the particles of one range to their places, as many at a time as there are threads.
template <class T>
struct PlaceTeam {
  static constexpr int threads = 256, memory_size = threads;
  struct State {
    int layer;
    int before;  ///< lower threads with a particle of this layer
    bool last;   ///< no higher thread has one
  };

  template <class Team>
  NEARFAR_FUNCTION static void run(Team& team, SortPass<T> const& pass, int range, std::int32_t* memory) {
    std::int64_t const begin = range * pass.range;
    std::int64_t const end = begin + pass.range < pass.count ? begin + pass.range : pass.count;
    auto const place = [&](int layer) -> std::int32_t& {
      return pass.places[std::int64_t(layer) * pass.ranges() + range];
    };
    for (std::int64_t first = begin; first < end; first += threads) {
      team.step([&](int t, State& state) {
        state.layer = first + t < end ? pass.layer(pass.particle(first + t)) : -1;
        memory[t] = state.layer;
      });
      team.step([&](int t, State& state) {
        if (state.layer < 0) return;
        state.before = 0;
        state.last = true;
        for (int other = 0; other < threads; ++other) {
          bool const same = memory[other] == state.layer;
          state.before += same && other < t ? 1 : 0;
          state.last = state.last && !(same && other > t);
        }
        pass.to[place(state.layer) + state.before] = pass.particle(first + t);
      });
      team.step([&](int, State& state) {
        if (state.layer >= 0 && state.last) place(state.layer) += state.before + 1;
      });
    }
  }
};

/// What the other stages need, once all passes are done.
template <class T>
struct SortedParticle {
  T const *phase, *charge;
  std::int64_t count;
  std::int32_t const* order;
  T* sorted;
  std::int32_t* place;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const particle = order[i];
    place[i] = particle;
    for (int d = 0; d < 3; ++d) sorted[4 * i + d] = phase[d * count + particle];
    sorted[4 * i + 3] = charge[particle];
  }
};

}  // namespace nearfar
