// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/math/cut.hpp"
#include "core/math/function.hpp"

#include <array>

namespace nearfar {

inline constexpr int max_paddings = 16;

/// How long the transforms of some modes are along axes 0 and 1. Where an axis is free, the field is followed by zeros
/// up to that length; modes that vary quickly along the periodic axes need few of them, for their fields decay quickly.
struct Padding {
  int size[2] = {1, 1};
  int first_z = 0;            ///< axis 1 free: the modes along axis 2 from this one on have this padding
  double lowest_squared = 0;  ///< only axis 0 free: the columns with this k_1^2 + k_2^2 or more have this padding
};

/// One (y, z) mode of the planes.
struct ModeColumn {
  int y, z;
  int padding;  ///< number of its padding
};

/// A real field on a grid, its modes, and how both are cut: slabs of x-planes before and after the transposes, groups
/// of (y, z) columns between them, and a tile where a slab and a group meet. Plain data: it travels inside task
/// arguments. Axes are ours, here called x, y, z: the first `free` of them do not repeat (core/geometry/axes.hpp) and
/// are zero-padded when they are transformed, all modes alike or each as far as it needs it.
///
/// A slab holds [component][x][y][z]; whoever owns the field chooses the pitches of its planes, which may leave room
/// behind the last row and column. A tile holds [component][x of the slab][column of the group]. Columns are numbered
/// [section][y][z]: a section holds the z modes that share a padding along y.
struct SpectralLayout {
  double edge[3] = {1, 1, 1};  ///< what the grid covers
  int size[3] = {1, 1, 1};     ///< grid points
  int rows = 1;                ///< of a plane of a slab, at least size[1] + ghosts
  int row_length = 1;          ///< at least size[2] + ghosts
  int ghosts = 0;  ///< rows and columns behind the last that the inverse fills, as if the plane repeated itself
  int slabs = 1;
  int halo = 0;         ///< planes, of the cut into slabs
  int columns = 1;      ///< groups of columns
  int free = 0;         ///< directions; where all three are, z is padded like y
  int row_padding = 1;  ///< length of the transforms along z, if that is free
  int paddings = 1;
  Padding padding[max_paddings];  ///< number 0 is the one of k = 0

  NEARFAR_FUNCTION Cut cut() const { return {size[0], slabs, halo}; }
  NEARFAR_FUNCTION int first_plane(int slab) const { return cut().first(slab); }
  NEARFAR_FUNCTION int planes(int slab) const { return cut().size(slab); }
  NEARFAR_FUNCTION int slab_of(int plane) const { return cut().of(plane); }
  NEARFAR_FUNCTION long long plane_size() const { return (long long)(rows)*row_length; }

  NEARFAR_FUNCTION int row_transform() const { return free == 3 ? row_padding : size[2]; }
  NEARFAR_FUNCTION int modes_z() const { return row_transform() / 2 + 1; }
  NEARFAR_FUNCTION int sections() const { return free == 2 ? paddings : 1; }
  NEARFAR_FUNCTION int section_z(int s) const { return s < sections() ? padding[s].first_z : modes_z(); }
  NEARFAR_FUNCTION int section_width(int s) const { return section_z(s + 1) - section_z(s); }
  NEARFAR_FUNCTION int section_columns(int s) const { return padding[s].size[1] * section_width(s); }
  NEARFAR_FUNCTION int column_count() const {
    int count = 0;
    for (int s = 0; s < sections(); ++s) count += section_columns(s);
    return count;
  }
  NEARFAR_FUNCTION int first_column(int group) const { return int((long long)(group)*column_count() / columns); }
  NEARFAR_FUNCTION int columns_in(int group) const { return first_column(group + 1) - first_column(group); }

  NEARFAR_FUNCTION ModeColumn column(int number) const {
    int s = 0;
    for (; number >= section_columns(s); ++s) number -= section_columns(s);
    int const y = number / section_width(s), z = section_z(s) + number % section_width(s);
    return {y, z, free == 1 ? padding_of(y, z) : s};
  }

  /// Length of the transforms along an axis.
  NEARFAR_FUNCTION int transform(int d, int padding_number) const {
    return d < 2 ? padding[padding_number].size[d] : row_transform();
  }
  /// Grid points per length.
  NEARFAR_FUNCTION double scale(int d) const { return size[d] / edge[d]; }
  /// 2 pi over the length that a transform of n points covers.
  NEARFAR_FUNCTION double mode_unit(int d, int n) const { return 2 * pi<double> * scale(d) / n; }

 private:
  NEARFAR_FUNCTION int padding_of(int y, int z) const {
    double const ky = mode_unit(1, size[1]) * (2 * y <= size[1] ? y : y - size[1]), kz = mode_unit(2, size[2]) * z;
    double const squared = (ky * ky + kz * kz) * (1 + 1e-12);
    int p = 0;
    while (p + 1 < paddings && squared >= padding[p + 1].lowest_squared) ++p;
    return p;
  }
};

/// Signed number of place i among the n modes of a transform; n / 2 where n is even and it could be either.
NEARFAR_FUNCTION int signed_mode(int i, int n) { return i <= n / 2 ? i : i - n; }

/// A plain field, without room in its planes: the first `free` axes are not periodic, and transforms along axis d have
/// `transform[d]` points for all modes: size[d] where it is periodic, at least 2 size[d] - 1 where a Green's function
/// of that reach is to be convolved with.
SpectralLayout plain_layout(std::array<double, 3> const& edge, std::array<int, 3> const& size, int free,
                            std::array<int, 3> const& transform);

}  // namespace nearfar
