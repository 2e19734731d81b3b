// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/layout.hpp"

#include "core/math/expects.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Sections that approximate a band of modes: so few that contiguous stretches of modes are long, at 6 % too many
/// modes.
constexpr int wanted_sections = 8;

/// Adds sections one after the other.
class Sections {
 public:
  explicit Sections(SpectralLayout& layout) : layout_(layout) { layout.sections = 0; }

  /// Adds the section from the end of the last one up to `last`; along y it has the modes up to `most` in magnitude.
  void add(int last, int padding, int most) {
    if (last <= end()) return;
    int const n = layout_.padding[padding].size[1], rows = std::min(n, 2 * most + 1);
    Section& s = layout_.section[layout_.sections++];
    s.rows = (unsigned short)(rows);
    s.padding = (unsigned short)(padding);
    layout_.section[layout_.sections] = {s.before + rows * (last - s.first_z), (unsigned short)(last), 1, 0};
  }
  int end() const { return layout_.sections == 0 ? 0 : layout_.section[layout_.sections].first_z; }

 private:
  SpectralLayout& layout_;
};

/// Of a band of modes in a skewed cell: the modes along y that there are at z modes from `low` to `high`. Of a column
/// there are modes within the band if the part of its wave vector across x is; that is a quadratic form of y and z.
class Across {
 public:
  explicit Across(SpectralLayout const& l) {
    double part[2][3];
    for (int i = 0; i < 2; ++i) {
      double const along = dot(l.slant[i + 1], l.slant[0]) / dot(l.slant[0], l.slant[0]);
      for (int c = 0; c < 3; ++c) part[i][c] = l.slant[i + 1][c] - along * l.slant[0][c];
    }
    yy_ = dot(part[0], part[0]);
    yz_ = std::fabs(dot(part[0], part[1]));
    zz_ = dot(part[1], part[1]);
  }

  /// The largest |k_y|, counted along the row, for k_z from low to high.
  double most(double band, double low, double high) const {
    double const rest = yy_ * zz_ - yz_ * yz_, top = rest > 0 ? yz_ * band / std::sqrt(rest * zz_) : 0,
                 z = std::clamp(top, low, high);
    return (yz_ * z + std::sqrt(std::max(0.0, yy_ * band * band - rest * z * z))) / yy_;
  }

 private:
  double yy_, yz_, zz_;
};

}  // namespace

void set_sections(SpectralLayout& layout, double band) {
  layout.section[0] = {};
  Sections sections(layout);
  bool const by_padding = layout.free == 2;
  int const modes = layout.modes_z(), ranges = by_padding ? layout.paddings : 1,
            steps = std::isfinite(band) ? std::max(1, wanted_sections / ranges) : 1;
  double const unit = layout.mode_unit(2, layout.row_transform()), rounded = band * (1 + 1e-6),
               end = std::min<double>(modes, std::floor(rounded / unit) + 1);
  for (int p = 0; p < ranges; ++p) {
    double const last =
        p + 1 < ranges ? std::min(end, std::round(std::sqrt(layout.padding[p + 1].lowest_squared) / unit)) : end;
    double const first = sections.end(), along_y = layout.mode_unit(1, layout.padding[p].size[1]);
    // The quarter disk of modes within the band, approximated by a staircase with steps at equal angles.
    double const from = std::asin(std::min(1.0, first * unit / rounded)),
                 to = std::asin(std::min(1.0, last * unit / rounded));
    for (int i = 1; i <= steps; ++i) {
      double const z = i < steps ? std::min(last, std::ceil(rounded / unit * std::sin(from + (to - from) * i / steps)))
                                 : last,
                   low = sections.end() * unit,
                   y = layout.skewed && std::isfinite(band)
                           ? Across(layout).most(rounded, low, std::max(low, (z - 1) * unit))
                           : std::sqrt(std::max(0.0, rounded * rounded - low * low));
      sections.add(int(z), p, int(std::min(y / along_y, double(layout.padding[p].size[1]))));
    }
  }
}

SpectralLayout plain_layout(std::array<double, 3> const& edge, std::array<int, 3> const& size, int free,
                            std::array<int, 3> const& transform) {
  EXPECTS(free >= 0 && free <= 3, free);
  SpectralLayout layout;
  for (std::size_t d = 0; d < 3; ++d) {
    layout.edge[d] = edge[d];
    layout.size[d] = size[d];
    if (d < 2) layout.padding[0].size[d] = transform[d];
  }
  layout.rows = size[1];
  layout.row_length = size[2];
  layout.free = free;
  layout.row_padding = transform[2];
  set_sections(layout);
  return layout;
}

}  // namespace nearfar
