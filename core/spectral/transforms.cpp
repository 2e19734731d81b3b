// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <set>

namespace nearfar {

std::vector<int> column_lengths(SpectralLayout const& layout) {
  std::set<int> lengths;
  for (int p = 0; p < layout.paddings; ++p) {
    lengths.insert(layout.padding[p].size[0]);
    if (by_rows(layout)) lengths.insert(layout.padding[p].size[1]);
  }
  return {lengths.begin(), lengths.end()};
}

std::vector<int> plan_key(SpectralLayout const& layout) {
  std::vector<int> key{layout.size[0],    layout.size[1], layout.size[2],     layout.rows,
                       layout.row_length, layout.free,    layout.row_padding, layout.section[layout.sections].first_z};
  for (int p = 0; p < layout.paddings; ++p) key.insert(key.end(), layout.padding[p].size, layout.padding[p].size + 2);
  return key;
}

PlaneScratch::PlaneScratch(SpectralLayout const& layout) {
  auto const whole_lines = [](std::int64_t n) { return (n + 15) / 16 * 16; };
  if (!by_rows(layout)) {
    row_stride = layout.modes_z();
    size = whole_lines(layout.size[1] * row_stride);
    return;
  }
  row_modes = whole_lines(layout.column_count());
  row_stride = whole_lines(layout.modes_z());
  batch = row_modes + row_stride * layout.size[1];
  row = batch + column_scratch(layout);
  size = row + row_stride;
}

std::int64_t column_scratch(SpectralLayout const& layout) {
  int longest = 1;
  for (int p = 0; p < layout.paddings; ++p)
    for (int d = 0; d < (by_rows(layout) ? 2 : 1); ++d) longest = std::max(longest, layout.padding[p].size[d]);
  return std::int64_t(longest) * column_batch;
}

}  // namespace nearfar
