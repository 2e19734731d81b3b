// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/given_arrays.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/nodes/owners.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// Consecutive rows of the caller's in one place: an array, or, where several GPUs share a solve, what one of them
/// fetches or brings of an array on the host.
struct Stretch {
  std::size_t first, last;  ///< rows [first, last) of all arrays together
  int node;                 ///< memory node of StarPU
  int gpu;  ///< that fetches or brings them, by its number as an owner; everywhere: no one in particular

  std::size_t rows() const noexcept { return last - first; }
};

/// Where rows go, whatever they hold.
using StretchKey = std::vector<std::pair<std::size_t, int>>;
inline StretchKey key_of(std::vector<Stretch> const& stretches) {
  StretchKey key;
  for (Stretch const& s : stretches) key.emplace_back(s.first, s.gpu);
  return key;
}

/// Cuts arrays of rows of so many numbers. `gpus`: that share a solve; arrays on the host are then dealt out among them
/// by the number of the row, so that each has a link of its own to the host. `whose` begins messages.
template <class T>
std::vector<Stretch> cut_for_gpus(GivenArrays<T> const& arrays, std::size_t row, int gpus, char const* whose) {
  std::vector<Stretch> stretches;
  std::size_t const all = arrays.size() / row;
  std::size_t first = 0;
  for (auto const& array : arrays.all()) {
    std::size_t const last = first + array.size() / row;
    int const node = memory_node_of(array.data(), whose);
    if (gpus <= 1 || node != STARPU_MAIN_RAM) {
      stretches.push_back({first, last, node, gpus > 1 ? gpu_with_node(node) : everywhere});
      first = last;
      continue;
    }
    for (int g = 0; g < gpus; ++g) {
      std::size_t const begin = std::max(first, all * std::size_t(g) / std::size_t(gpus)),
                        end = std::min(last, all * (std::size_t(g) + 1) / std::size_t(gpus));
      if (begin < end) stretches.push_back({begin, end, node, g});
    }
    first = last;
  }
  return stretches;
}

}  // namespace nearfar::detail
