// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar {

/// Columns of a group whose transforms have the same padding: consecutive ones, or any.
struct PaddedColumns {
  int first = 0, count = 0;
  std::int32_t const* list = nullptr;  ///< on the GPU: their numbers in the group; null: first, first + 1, ...

  NEARFAR_FUNCTION int at(int i) const { return list == nullptr ? first + i : list[i]; }
  /// A part of them, from number `begin` on.
  PaddedColumns part(int begin, int of) const {
    return list == nullptr ? PaddedColumns{first + begin, of, nullptr} : PaddedColumns{first, of, list + begin};
  }
};

/// In the memory of the calling worker's GPU; lists are made on the
/// first call and kept. Throws std::runtime_error if there is no memory.
PaddedColumns padded_columns(SpectralLayout const& layout, int group, int padding);

}  // namespace nearfar
