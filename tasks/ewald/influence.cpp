// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/influence.hpp"

#include "codelets/spectral/influence/influence.hpp"
#include "codelets/spectral/influence/lines.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/solve/submit.hpp"
#include "tasks/spectral/costs.hpp"

#include <algorithm>
#include <cmath>
#include <starpu.h>

namespace nearfar::detail {

namespace {

constexpr double max_tasks = 256, few_flops = 2e7;

double line_flops(InfluenceAxis const& axis) {
  double const n = axis.cut + axis.transform();
  return 2.5 * n * std::log2(n);
}
/// Flops of one sample along x; evaluating the radial part at one point counts as 60.
double plane_flops(InfluenceFunction const& f) {
  double const y = f.axis[1].samples(), z = f.axis[2].samples();
  return 60 * y * z + f.numbers() * (y * line_flops(f.axis[2]) + f.axis[2].modes() * line_flops(f.axis[1]));
}

/// The range of samples or columns that one task makes.
struct Part {
  std::int64_t first, count;
};
std::vector<Part> parts_of(std::int64_t all, std::int64_t parts, std::int64_t step) {
  std::vector<Part> list;
  std::int64_t const steps = (all + step - 1) / step;
  for (std::int64_t i = 0; i < parts; ++i) {
    std::int64_t const first = steps * i / parts * step;
    list.push_back({first, std::min(all, steps * (i + 1) / parts * step) - first});
  }
  return list;
}

/// Flops of the two steps: all samples along x, then all columns.
struct Costs {
  double planes, columns;

  explicit Costs(InfluenceFunction const& f)
      : planes(f.axis[0].samples() * plane_flops(f)), columns(double(f.plane()) * f.numbers() * line_flops(f.axis[0])) {
  }
};

template <class T>
void make_here(InfluenceFunction const& f, std::vector<double> const& corrections, std::span<T> table) {
  Arena<double> scratch(std::size_t(influence_scratch(f)));
  Arena<double> planes(std::size_t(f.axis[0].samples() * f.numbers() * f.plane()));
  fill_influence_planes(f, corrections.data(), 0, f.axis[0].samples(), scratch.data(), planes.data());
  fill_influence_columns(f, {{planes.data(), planes.size()}}, 0, f.plane(), scratch.data(), table.data());
}

}  // namespace

template <class T>
void make_influence(std::shared_ptr<RuntimeState> const& runtime, InfluenceFunction const& f,
                    std::vector<double> const& corrections, std::span<T> table) {
  Costs const costs(f);
  if (costs.planes + costs.columns < few_flops || starpu_worker_get_id() >= 0) return make_here(f, corrections, table);
  int const workers = std::max(1, int(starpu_cpu_worker_get_count())), samples = f.axis[0].samples();
  std::int64_t const plane = f.plane(), batches = (plane + line_batch - 1) / line_batch;
  std::int64_t const row = std::int64_t(f.numbers()) * f.axis[0].modes();
  submit_solve(runtime, {}, {}, [&](Graph& graph) {
    auto const factors = SolveData::constant("corrections", corrections.data(), std::int64_t(corrections.size()));
    auto const work = SolveData::temporary<double>("influence scratch", influence_scratch(f));
    std::vector<SolveData> planes, rows;
    for (Part const& part : parts_of(samples, task_count(costs.planes, workers, max_tasks, samples), 1)) {
      planes.push_back(SolveData::temporary<double>("influence planes", part.count * f.numbers() * plane));
      graph.insert<InfluencePlanes>({f, int(part.first), int(part.count)},
                                    {int(planes.size()) - 1, costs.planes * double(part.count) / samples},
                                    read(factors), scratch(work), write(planes.back()));
    }
    for (Part const& part : parts_of(plane, task_count(costs.columns, workers, max_tasks, batches), line_batch)) {
      rows.push_back(SolveData::over("influence rows", table.data() + part.first * row, part.count * row));
      graph.insert<InfluenceColumns<T>>(
          {f, part.first, part.count}, {int(rows.size()) - 1, costs.columns * double(part.count) / double(plane)},
          read(std::vector<Handle>(planes.begin(), planes.end())), scratch(work), write(rows.back()));
    }
  }).wait();
}

template void make_influence(std::shared_ptr<RuntimeState> const&, InfluenceFunction const&, std::vector<double> const&,
                             std::span<double>);
template void make_influence(std::shared_ptr<RuntimeState> const&, InfluenceFunction const&, std::vector<double> const&,
                             std::span<float>);

}  // namespace nearfar::detail
