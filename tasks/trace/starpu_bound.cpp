// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/starpu_bound.hpp"

#include <algorithm>
#include <cstdlib>
#include <starpu_bound.h>

namespace nearfar::detail {

namespace {

/// By StarPU's criterion: measured often enough on some kind of worker.
bool is_calibrated(ModelKey const& key, unsigned enough) {
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    auto* arch = starpu_worker_get_perf_archtype(int(worker), STARPU_NMAX_SCHED_CTXS);
    auto const* history = starpu_perfmodel_get_model_per_arch(key.first, arch, 0);
    for (auto const* item = history != nullptr ? history->list : nullptr; item != nullptr; item = item->next)
      if (item->entry->footprint == key.second && item->entry->nsample >= enough) return true;
  }
  return false;
}

}  // namespace

void start_starpu_bound() { starpu_bound_start(0, 0); }

double starpu_bound(std::set<ModelKey> const& models) {
  starpu_bound_stop();
  char const* least = std::getenv("STARPU_CALIBRATE_MINIMUM");
  auto const enough = least != nullptr ? unsigned(std::atoi(least)) : 10u;
  bool const known = std::ranges::all_of(models, [&](ModelKey const& key) { return is_calibrated(key, enough); });
  double milliseconds = 0, whole_numbers = 0;
  if (known && !models.empty()) starpu_bound_compute(&milliseconds, &whole_numbers, 0);
  return milliseconds * 1e-3;
}

}  // namespace nearfar::detail
