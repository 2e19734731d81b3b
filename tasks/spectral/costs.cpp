// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/spectral/costs.hpp"

#include "core/spectral/transforms.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

int task_count(double flops, int workers, double most, std::int64_t limit) {
  constexpr double task_flops = 6e6, tasks_for_each_worker = 4;
  double const wanted = std::clamp(flops / task_flops, std::min<double>(workers, limit), most);
  double const shared =
      wanted > workers ? std::max(wanted, std::min(tasks_for_each_worker * workers, flops / 1e5)) : wanted;
  return int(std::clamp<double>(std::round(shared), 1, double(limit)));
}

double plane_flops(SpectralLayout const& layout, int slab, int components) {
  double points = 0;
  if (!by_rows(layout)) points = 2.0 * layout.size[1] * layout.modes_z();
  else
    for (int s = 0; s < layout.sections; ++s) points += 2.0 * layout.section_width(s) * layout.section_length(s);
  return components * layout.planes(slab) * 2.5 * points * std::log2(points);
}

double column_flops(SpectralLayout const& layout, int group, int components) {
  double flops = 0;
  int const first = layout.first_column(group), all = layout.columns_in(group);
  // Samples a few columns.
  int const step = std::max(1, all / 64);
  for (int i = 0; i < all; i += step) {
    double const n = layout.padding[layout.column(first + i).padding].size[0];
    flops += std::min(step, all - i) * n * (10 * std::log2(n) + 40);
  }
  return 0.5 * components * flops;
}

}  // namespace nearfar::detail
