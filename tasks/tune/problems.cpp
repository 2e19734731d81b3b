// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/problems.hpp"

#include "codelets/common/simd/simd.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/plan/fmm/costs.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/tune/machine.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace nearfar::detail {

namespace {

template <class T>
struct Arrays {
  std::vector<T> x, strengths, result;

  /// Points clustered toward a corner if `power` is above 1.
  Arrays(std::size_t count, Kernel kernel, Outputs outputs, double power)
      : x(3 * count), strengths(count * std::size_t(strength_components(kernel))),
        result(count * std::size_t(result_components(kernel, outputs))) {
    std::mt19937 random(1);
    for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
    for (T& v : strengths) v = T(random() / 4294967296.0 - 0.5);
  }
};

/// All CPU workers, or a GPU that runs every stage it has bodies for; each worth one reference core.
template <class T>
Machine reference(WorkerKind kind) {
  Machine machine = cpus_alone();
  machine.gpus = kind == WorkerKind::gpu;
  machine.all_stages = machine.gpus > 0 && GpuStage<Fft<T>>;
  machine.lanes = simd_lanes<T>();
  machine.speed = {Speeds(1), Speeds(1)};
  return machine;
}
/// The same workers at the default speeds of an unmeasured machine, for which the problems are planned.
template <class T>
Machine usual(WorkerKind kind) {
  Machine machine = reference<T>(kind);
  machine.speed = {};
  return machine;
}

}  // namespace

template <class T>
Problem ewald_problem(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t count,
                      WorkerKind kind) {
  if (sizeof(T) == sizeof(float)) options.tolerance = std::max(1e-5, options.tolerance);
  else options.far_precision = FarPrecision::double_;
  EwaldPlanning const p = choose_parameters<T>(options, count, count, {}, usual<T>(kind));
  auto const plan = std::make_shared<EwaldPlan<T>>(runtime, options, p);
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.outputs, 1);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), Targets::sources);
  double const degree = plan->setup().table_memory.data()->near.degree;
  auto const expected = [=](WorkConstants const& constants) {
    Work const work = predict_work(options, p, degree, double(count), double(count), reference<T>(kind), 1, constants);
    Speeds seconds;
    for (auto const& [row, stage] : {std::pair{WorkRow::points, work.points}, std::pair{WorkRow::p2p, work.pairs},
                                     std::pair{WorkRow::p2g, work.spread}, std::pair{WorkRow::fft, work.planes},
                                     std::pair{WorkRow::scale, work.columns}, std::pair{WorkRow::g2p, work.gather}})
      seconds[row] = kind == WorkerKind::cpu ? stage.cpu : stage.gpu;
    return seconds;
  };
  return {expected, [=](Trial const& trial) {
            return plan->submit({points, arrays->strengths, arrays->result, Part::whole, trial});
          }};
}

template <class T>
Problem fmm_problem(std::shared_ptr<RuntimeState> const& runtime, FmmOptions options, std::size_t count,
                    WorkerKind kind, double power) {
  if (options.outputs.empty() && options.kernel == Kernel::laplace)
    options.outputs = Output::potential | Output::gradient;
  options.well_separation = 1;
  if (std::is_same_v<T, double>) options.near_precision = NearPrecision::double_;  // as the table has it
  auto const plan = std::make_shared<FmmPlan<T>>(runtime, options, usual<T>(kind));
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.outputs, power);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), Targets::sources);
  FmmPlanning const p = points->parameters();
  auto const expected = [=](WorkConstants const& constants) {
    FmmSeconds const s =
        fmm_seconds(options.kernel, options.outputs, p.order, reference<T>(kind), kind, false, constants);
    Speeds row;
    row[WorkRow::leaf_p2p] = s.pair * double(p.pairs);
    row[WorkRow::m2l] = s.interaction * double(p.translations);
    row[WorkRow::shift] = 2 * s.shift * double(p.boxes);
    row[WorkRow::p2m] = (s.source - s.particle) * double(count);
    row[WorkRow::l2p] = (s.target - s.particle) * double(count);
    row[WorkRow::points] = 2 * s.particle * double(count);
    row[WorkRow::evaluation] = s.m2p * double(p.evaluations) + s.p2l * double(p.expansions);
    return row;
  };
  return {expected, [=](Trial const& trial) {
            return plan->submit({points, arrays->strengths, arrays->result, Part::whole, trial});
          }};
}

template Problem ewald_problem<double>(std::shared_ptr<RuntimeState> const&, EwaldOptions, std::size_t, WorkerKind);
template Problem ewald_problem<float>(std::shared_ptr<RuntimeState> const&, EwaldOptions, std::size_t, WorkerKind);
template Problem fmm_problem<double>(std::shared_ptr<RuntimeState> const&, FmmOptions, std::size_t, WorkerKind, double);
template Problem fmm_problem<float>(std::shared_ptr<RuntimeState> const&, FmmOptions, std::size_t, WorkerKind, double);

}  // namespace nearfar::detail
