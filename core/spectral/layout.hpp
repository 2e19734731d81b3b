// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/lattice.hpp"
#include "core/math/constants.hpp"
#include "core/math/cut.hpp"
#include "core/math/function.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace nearfar {

inline constexpr int max_paddings = 16, max_sections = 16;

/// The lengths of the transforms of some modes along axes 0 and 1. Along a free axis the field is zero-padded to that
/// length; modes that vary quickly along the periodic axes need little padding, because their fields decay quickly.
struct Padding {
  int size[2] = {1, 1};
  /// This padding is for modes with k^2 along the periodic axes of
  /// at least this: k_2^2 if axis 1 is free, else k_1^2 + k_2^2.
  double lowest_squared = 0;
};

/// Modes of the planes: along z those from first_z up to that of the
/// next section, along y the lowest few. Modes in no section are zero.
struct Section {
  int before = 0;  ///< columns of sections before this one
  unsigned short first_z = 0;
  unsigned short rows = 1;
  unsigned short padding = 0;  ///< if axis 1 is free; else 0
};

/// One (y, z) mode of the planes.
struct ModeColumn {
  int y, z;
  int padding;  ///< number of its padding
  int section;  ///< number of its section
};

/// A real field on a grid, its modes, and how both are cut: slabs of x-planes before and after the
/// transposes, groups of (y, z) columns between them, and one tile for each slab and group. Plain data that
/// travels inside task arguments. Axes are ours, here called x, y, z: the first `free` of them do not repeat
/// (core/geometry/axes.hpp) and are zero-padded when transformed, all modes alike or each as far as it needs.
///
/// A slab holds [component][x][y][z]; the owner of the field chooses the pitches of its
/// planes, which may leave room after the last row and column. A tile holds [component][x
/// of the slab][column of the group]. Columns are numbered [section][y][z].
struct SpectralLayout {
  double edge[3] = {1, 1, 1};  ///< of the region that the grid covers
  int size[3] = {1, 1, 1};     ///< grid points
  int rows = 1;                ///< of a plane of a slab, at least size[1] + ghosts
  int row_length = 1;          ///< at least size[2] + ghosts
  int ghosts = 0;  ///< rows and columns after the last that the inverse fills, as if the plane repeated itself
  int slabs = 1;
  int halo = 0;         ///< planes, as in Cut
  int columns = 1;      ///< groups of columns
  int free = 0;         ///< number of free axes; if all three are, z is padded like y
  int row_padding = 1;  ///< length of the transforms along z, if z is free
  int paddings = 1;
  Padding padding[max_paddings];  ///< number 0 is that of k = 0
  int sections = 1;
  Section section[max_sections + 1];  ///< by set_sections; the one after the last marks its end

  /// The cell has other angles than right ones. All lengths are then along its rows, edges are the lengths of these,
  /// and mode numbers count along the reciprocal rows: `slant` has each of those, times 2 pi, over the mode unit of a
  /// box. With it a derivative along the rows, in units of length, becomes one along the axes.
  bool skewed = false;
  double slant[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  NEARFAR_FUNCTION Cut cut() const { return {size[0], slabs, halo}; }
  NEARFAR_FUNCTION int first_plane(int slab) const { return cut().first(slab); }
  NEARFAR_FUNCTION int planes(int slab) const { return cut().size(slab); }
  NEARFAR_FUNCTION int slab_of(int plane) const { return cut().of(plane); }
  NEARFAR_FUNCTION long long plane_size() const { return (long long)(rows)*row_length; }

  NEARFAR_FUNCTION int row_transform() const { return free == 3 ? row_padding : size[2]; }
  NEARFAR_FUNCTION int modes_z() const { return row_transform() / 2 + 1; }
  NEARFAR_FUNCTION int section_width(int s) const { return section[s + 1].first_z - section[s].first_z; }
  NEARFAR_FUNCTION int section_columns(int s) const { return section[s + 1].before - section[s].before; }
  NEARFAR_FUNCTION int section_length(int s) const { return padding[section[s].padding].size[1]; }
  /// Rows of modes along y in a section, as mode numbers: 0, 1 .. and .. -1.
  NEARFAR_FUNCTION int section_row(int s, int i) const {
    return i < (section[s].rows + 1) / 2 ? i : section_length(s) - section[s].rows + i;
  }
  /// The reverse: the place of that row in a section, or -1.
  NEARFAR_FUNCTION int place_of_row(int s, int y) const {
    int const rows = section[s].rows, left_out = section_length(s) - rows;
    return y < (rows + 1) / 2 ? y : y - left_out >= (rows + 1) / 2 ? y - left_out : -1;
  }
  NEARFAR_FUNCTION bool has_all_modes() const {
    for (int s = 0; s < sections; ++s)
      if (section[s].rows < section_length(s)) return false;
    return section[sections].first_z == modes_z();
  }
  NEARFAR_FUNCTION int column_count() const { return section[sections].before; }
  NEARFAR_FUNCTION int first_column(int group) const { return int((long long)(group)*column_count() / columns); }
  NEARFAR_FUNCTION int columns_in(int group) const { return first_column(group + 1) - first_column(group); }

  NEARFAR_FUNCTION ModeColumn column(int number) const {
    int s = 0;
    while (number >= section[s + 1].before) ++s;
    int const in_section = number - section[s].before, width = section_width(s), y = section_row(s, in_section / width),
              z = section[s].first_z + in_section % width;
    return {y, z, free == 1 ? padding_of(y, z) : section[s].padding, s};
  }

  /// Length of the transforms along an axis.
  NEARFAR_FUNCTION int transform(int d, int padding_number) const {
    return d < 2 ? padding[padding_number].size[d] : row_transform();
  }
  /// Grid points per length.
  NEARFAR_FUNCTION double scale(int d) const { return size[d] / edge[d]; }
  /// 2 pi over the length that a transform of n points covers.
  NEARFAR_FUNCTION double mode_unit(int d, int n) const { return 2 * pi<double> * scale(d) / n; }

  /// The volume of the cell over the product of its edges.
  NEARFAR_FUNCTION double fullness() const {
    if (!skewed) return 1;
    double across[3];
    cross(slant[1], slant[2], across);
    return 1 / fabs(dot(slant[0], across));
  }
  /// The component d of a vector that is multiplied by derivatives along the rows: v . grad is the sum over d of these.
  template <class T>
  NEARFAR_FUNCTION T along_row(int d, T const* v, std::int64_t stride) const {
    if (!skewed) return v[d * stride];
    return T(slant[d][0]) * v[0] + T(slant[d][1]) * v[stride] + T(slant[d][2]) * v[2 * stride];
  }
  /// Turns the three derivatives of a field along the rows, `stride` apart, into those along the axes.
  template <class T>
  NEARFAR_FUNCTION void turn_slopes(T* slope, std::int64_t stride) const {
    T along[3];
    for (int d = 0; d < 3; ++d) along[d] = slope[d * stride];
    for (int c = 0; c < 3; ++c)
      slope[c * stride] = T(slant[0][c]) * along[0] + T(slant[1][c]) * along[1] + T(slant[2][c]) * along[2];
  }

 private:
  NEARFAR_FUNCTION int padding_of(int y, int z) const {
    double const ky = mode_unit(1, size[1]) * (2 * y <= size[1] ? y : y - size[1]), kz = mode_unit(2, size[2]) * z;
    double square = ky * ky + kz * kz;
    if (skewed) {
      double k[3];
      for (int c = 0; c < 3; ++c) k[c] = ky * slant[1][c] + kz * slant[2][c];
      square = dot(k, k);
    }
    double const squared = square * (1 + 1e-12);
    int p = 0;
    while (p + 1 < paddings && squared >= padding[p + 1].lowest_squared) ++p;
    return p;
  }
};

/// Sets the sections, once sizes and paddings are set. Modes with k_1^2 + k_2^2 beyond the square
/// of `band` are zero, and most of them are left out, as far as so few sections can express it.
void set_sections(SpectralLayout& layout, double band = HUGE_VAL);

/// Signed number of mode i of a transform of n; n / 2 for the one of an even n that could have either sign.
NEARFAR_FUNCTION int signed_mode(int i, int n) { return i <= n / 2 ? i : i - n; }

/// A plain field, without extra room in its planes: the first `free` axes are not periodic,
/// and transforms along axis d have `transform[d]` points for all modes: size[d] if it is
/// periodic, at least 2 size[d] - 1 for a convolution with a Green's function of that reach.
SpectralLayout plain_layout(std::array<double, 3> const& edge, std::array<int, 3> const& size, int free,
                            std::array<int, 3> const& transform);

}  // namespace nearfar
