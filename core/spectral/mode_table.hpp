// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/spectral/layout.hpp"

#include <cstdint>

namespace nearfar {

/// A real number, or several, for every mode of a layout that depends on the absolute values of its mode numbers alone,
/// as the transforms of even real kernels do: [section][y][z][x][number], each mode number from 0 to half of its
/// transform. With one padding, lengths 2N and free = 3 there are (N + 1)^3 modes. In a skewed cell only modes with all
/// signs changed are alike: then y and x are all that there are.
template <class T>
class ModeTable {
 public:
  NEARFAR_FUNCTION ModeTable(SpectralLayout const& layout, T* data, int numbers = 1) : layout_(layout) {
    for (int s = 0; s < layout.sections; data += numbers * section(layout, s), ++s) {
      section_[s] = data;
      length_[s] = numbers * length(layout, s);
    }
  }

  /// Those of a column: modes 0 .. half of its transform along x.
  NEARFAR_FUNCTION T* row(ModeColumn const& c) const {
    int const s = c.section, n = layout_.section_length(s);
    std::int64_t const y = layout_.skewed ? layout_.place_of_row(s, c.y) : c.y <= n / 2 ? c.y : n - c.y;
    return section_[s] + (y * layout_.section_width(s) + c.z - layout_.section[s].first_z) * length_[s];
  }

  /// Modes in all.
  NEARFAR_FUNCTION static std::int64_t size(SpectralLayout const& layout) {
    std::int64_t all = 0;
    for (int s = 0; s < layout.sections; ++s) all += section(layout, s);
    return all;
  }

 private:
  /// Where x alone is free, rows have the room of the longest: a section has columns of every padding.
  NEARFAR_FUNCTION static int length(SpectralLayout const& l, int s) {
    int longest = l.padding[l.section[s].padding].size[0];
    for (int p = 0; l.free == 1 && p < l.paddings; ++p)
      if (l.padding[p].size[0] > longest) longest = l.padding[p].size[0];
    return l.skewed ? longest : longest / 2 + 1;
  }
  NEARFAR_FUNCTION static std::int64_t section(SpectralLayout const& l, int s) {
    int const rows = l.section[s].rows;
    return std::int64_t(l.skewed ? rows : rows / 2 + 1) * l.section_width(s) * length(l, s);
  }

  SpectralLayout const& layout_;
  T* section_[max_sections];
  int length_[max_sections];
};

}  // namespace nearfar
