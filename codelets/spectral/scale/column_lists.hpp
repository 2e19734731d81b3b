// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar {

/// The columns of a group whose transforms have one padding: some that follow each other, or any.
struct PaddedColumns {
  int first = 0, count = 0;
  std::int32_t const* list = nullptr;  ///< on the GPU: their numbers in the group; none: first, first + 1, ...

  NEARFAR_FUNCTION int at(int i) const { return list == nullptr ? first + i : list[i]; }
  /// So many of them, from number `begin` on.
  PaddedColumns part(int begin, int of) const {
    return list == nullptr ? PaddedColumns{first + begin, of, nullptr} : PaddedColumns{first, of, list + begin};
  }
};

/// In the memory of the calling worker's GPU, where lists are made on the first call and kept. Throws
/// std::runtime_error where there is no memory.
PaddedColumns padded_columns(SpectralLayout const& layout, int group, int padding);

}  // namespace nearfar
