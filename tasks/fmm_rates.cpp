// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_rates.hpp"

#include "codelets/fmm_p2p/fmm_p2p.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/fmm_gpu_rates.hpp"
#include "tasks/fmm_sample.hpp"
#include "tasks/gpu_workers.hpp"
#include "tasks/kept_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr std::size_t points = 16000;
// Of the solve that keeps all workers busy.
constexpr std::size_t points_per_worker = 16000, most_points = 500000;
// Of those on a GPU.
constexpr std::size_t gpu_points = 600000;
constexpr int gpu_depth = 5;

bool has_gpus() { return starpu_worker_get_count() > starpu_cpu_worker_get_count(); }

/// Seconds of one worker in each kind of work.
struct Seconds {
  double pair = 0, link = 0, shift = 0, source = 0, target = 0, evaluation = 0, particle = 0;

  template <class OfStage>
  static Seconds from(OfStage const& of) {
    return {of("p2p"),
            of("m2l"),
            of("m2m") + of("l2l"),
            of("p2m"),
            of("l2p"),
            of("m2p") + of("p2l"),
            of("bin") + of("merge")};
  }
};
constexpr double Seconds::*kinds[] = {&Seconds::pair,   &Seconds::link,       &Seconds::shift,   &Seconds::source,
                                      &Seconds::target, &Seconds::evaluation, &Seconds::particle};

/// By StarPU's models; 0 where the scheduler asks none, or they do not know all tasks.
double modelled_seconds(SolveReport const& report, std::string_view stage) {
  bool const known =
      std::find(report.uncalibrated.begin(), report.uncalibrated.end(), stage) == report.uncalibrated.end();
  for (auto const& t : report.stages)
    if (t.stage == stage) return known ? t.expected_seconds : 0;
  return 0;
}

/// A solve that is measured, round by round. Where there are GPUs, they have no part in it.
template <class T>
class Sample {
 public:
  FmmParameters const parameters;

  Sample(std::shared_ptr<RuntimeState> const& runtime, FmmOptions const& options, double power,
         std::size_t count = points)
      : Sample(FmmSample<T>(runtime, options, power, count)) {}

  void measure() {
    SolveReport const report = problem_.solve(has_gpus() ? std::optional(Trial{}) : std::nullopt).report();
    rounds_.push_back(Seconds::from([&](auto stage) { return stage_seconds(report, stage); }));
    modelled = Seconds::from([&](auto stage) { return modelled_seconds(report, stage); });
  }

  /// Of the rounds, the least of each kind, or the median.
  Seconds least() const { return of_rounds(0); }
  Seconds typical() const { return of_rounds(rounds_.size() / 2); }

  Seconds modelled;  ///< in the last round

  /// What the rates say.
  Seconds predicted(FmmRates const& r) const {
    FmmFlops const flops = fmm_flops(Kernel::laplace, true, parameters.order);
    FmmEnds const ends = fmm_ends(Kernel::laplace, true, parameters.order);
    double const boxes = double(parameters.boxes), count = problem_.count();
    return {r.pair * double(parameters.pairs) * flops.pair,
            (r.translation * flops.m2l + r.link) * double(parameters.translations),
            r.shift * boxes * (flops.m2m + flops.l2l),
            r.source * count * ends.p2m,
            r.target * count * ends.l2p,
            r.evaluation * (double(parameters.evaluations) * flops.m2p + double(parameters.expansions) * flops.p2l),
            r.particle * count};
  }

 private:
  explicit Sample(FmmSample<T> problem) : parameters(problem.parameters()), problem_(std::move(problem)) {}

  Seconds of_rounds(std::size_t rank) const {
    Seconds result;
    for (auto const kind : kinds) {
      std::vector<double> all;
      for (Seconds const& round : rounds_) all.push_back(round.*kind);
      std::sort(all.begin(), all.end());
      result.*kind = all[rank];
    }
    return result;
  }

  FmmSample<T> problem_;
  std::vector<Seconds> rounds_;
};

std::size_t busy_points() {
  return std::min(most_points, std::max(1U, starpu_cpu_worker_get_count()) * points_per_worker);
}

template <class T>
Sample<T> busy_sample(std::shared_ptr<RuntimeState> const& runtime) {
  FmmOptions const options{.gradient = true, .order = sizeof(T) == 4 ? 4 : 8, .capacity = 0, .well_separation = 1};
  return {runtime, options, 1, busy_points()};
}

/// As that of the Ewald sum's rates (tasks/rates.cpp). Evaluations, which even points do without, are like pairs.
void slow_down(FmmRates& r, Seconds const& predicted, Seconds const& seconds) {
  auto const factor = [&](double Seconds::*kind) {
    double const ratio = seconds.*kind / predicted.*kind;
    return ratio > 0 && std::isfinite(ratio) ? ratio : 1;
  };
  r.pair *= factor(&Seconds::pair);
  r.evaluation *= factor(&Seconds::pair);
  r.translation *= factor(&Seconds::link);
  r.link *= factor(&Seconds::link);
  r.shift *= factor(&Seconds::shift);
  r.source *= factor(&Seconds::source);
  r.target *= factor(&Seconds::target);
  r.high_source *= factor(&Seconds::source);
  r.particle *= factor(&Seconds::particle);
}

/// With all CPU workers busy.
template <class T>
double high_source(std::shared_ptr<RuntimeState> const& runtime) {
  int const order = fmm_gpu_orders<T>[2];
  FmmSample<T> sample(runtime, {.gradient = true, .order = order, .capacity = 0, .well_separation = 1}, 1,
                      busy_points());
  std::array<double, 3> rounds{};
  for (double& seconds : rounds) seconds = stage_seconds(sample.solve(Trial{}).report(), "p2m");
  std::sort(rounds.begin(), rounds.end());
  return rounds[1] / (fmm_ends(Kernel::laplace, true, order).p2m * sample.count());
}

template <class T>
FmmRates measure(std::shared_ptr<RuntimeState> const& runtime) {
  bool const coarse = std::is_same_v<T, float>;
  int const low_order = coarse ? 4 : 6, high_order = coarse ? 8 : 14;
  auto const flops_at = [](int order) { return fmm_flops(Kernel::laplace, true, order); };
  FmmFlops const low_flops = flops_at(low_order), flops = flops_at(high_order);
  // About as many points in a leaf as plans choose.
  FmmOptions options{.gradient = true, .order = low_order, .depth = 3, .well_separation = 1};
  Sample<T> low(runtime, options, 1);
  options.order = high_order;
  Sample<T> high(runtime, options, 1);
  options.depth.reset();
  options.capacity = 40;
  Sample<T> crowd(runtime, options, 3);
  // In turn, because choices depend on ratios: what else runs on the machine for a while slows all of them.
  for (int round = 0; round < 5; ++round)
    for (Sample<T>* s : {&low, &high, &crowd}) s->measure();

  FmmRates r;
  Seconds const in_low = low.least(), in_high = high.least(), ones = high.predicted(FmmRates{});
  double const links = double(low.parameters.translations);
  fit_line(low_flops.m2l, in_low.link / links, flops.m2l, in_high.link / links, r.translation, r.link);
  r.pair = in_high.pair / ones.pair;
  r.shift = in_high.shift / ones.shift;
  r.source = in_high.source / ones.source;
  r.target = in_high.target / ones.target;
  r.evaluation = crowd.least().evaluation / crowd.predicted(FmmRates{}).evaluation;
  r.particle = in_high.particle / ones.particle;
  auto busy = busy_sample<T>(runtime);
  for (int round = 0; round < 5; ++round) busy.measure();
  slow_down(r, busy.predicted(r), busy.typical());
  r.high_source = has_gpus() ? high_source<T>(runtime) : r.source;
  return r;
}

template <class T>
FmmRates by_models(std::shared_ptr<RuntimeState> const& runtime, FmmRates r) {
  auto busy = busy_sample<T>(runtime);
  busy.measure();
  slow_down(r, busy.predicted(r), busy.modelled);
  return r;
}

}  // namespace

template <class T>
FmmRates measured_fmm_rates(std::shared_ptr<RuntimeState> const& runtime) {
  static KeptRates<FmmRates> kept({&FmmRates::pair, &FmmRates::translation, &FmmRates::link, &FmmRates::shift,
                                   &FmmRates::source, &FmmRates::target, &FmmRates::evaluation, &FmmRates::particle,
                                   &FmmRates::high_source});
  return kept.get(
      busy_rates_file<T>("fmm-rates-9"), default_fmm_rates<T>(), [&] { return measure<T>(runtime); },
      [&](FmmRates const& rates) { return by_models<T>(runtime, rates); });
}

template <class T>
FmmMachine fmm_machine(std::shared_ptr<RuntimeState> const& runtime, Implementation implementation) {
  FmmMachine machine{measured_fmm_rates<T>(runtime), std::max(1, int(starpu_cpu_worker_get_count()))};
  auto const gpus = gpu_workers(codelet_of<FmmP2P<T, Kernel::laplace, true>>());
  if (implementation == Implementation::portable || rates_are_defaults() || gpus.empty() ||
      !gives_gpus_what_suits_them(runtime->scheduler()))
    return machine;
  using R = FmmGpuRates;
  static KeptRates<R> kept({&R::pair, &R::low_link, &R::middle_link, &R::high_link, &R::shift, &R::high_shift,
                            &R::source, &R::high_source, &R::target, &R::task, &R::short_task, &R::start});
  machine.gpus = int(gpus.size());
  machine.gpu = kept.get(
      rates_file<T>("fmm-gpu-rates-2-" + device_of(gpus.front())), R{},
      [&] { return measure_fmm_gpu<T>(runtime, gpus.front(), gpu_points, gpu_depth); },
      [](R const& rates) { return rates; });
  return machine;
}

template FmmMachine fmm_machine<double>(std::shared_ptr<RuntimeState> const&, Implementation);
template FmmMachine fmm_machine<float>(std::shared_ptr<RuntimeState> const&, Implementation);
template FmmRates measured_fmm_rates<double>(std::shared_ptr<RuntimeState> const&);
template FmmRates measured_fmm_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
