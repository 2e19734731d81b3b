// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/pic_grid.hpp"

#include <stdexcept>
#include <string>

namespace nearfar {

/// What kernels need to know of the buffers of one access: where each begins, and
/// its length. Grids and particles are cut into one piece per GPU, so there are few.
template <class T>
struct GpuPointers {
  static constexpr int max = 64;
  T const* at[max] = {};
  std::int64_t size[max] = {};
  int count = 0;

  /// Throws std::runtime_error if there are more.
  GpuPointers(Buffers const& b, int access) : count(b.count(access)) {
    if (count > max)
      throw std::runtime_error("a kernel is given " + std::to_string(count) + " buffers, and takes " +
                               std::to_string(max));
    for (int i = 0; i < count; ++i) {
      at[i] = b.get<T const>(access, i);
      size[i] = b.size<T const>(access, i);
    }
  }

  /// A plane of fields, if the buffers are the slabs of a layout.
  NEARFAR_FUNCTION FieldPlane<T> plane(SpectralLayout const& l, int number) const {
    return {at[l.slab_of(number)], l, number};
  }
};

}  // namespace nearfar
