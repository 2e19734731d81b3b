// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_rates.hpp"

#include "tasks/fmm_plan.hpp"
#include "tasks/kept_rates.hpp"

#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr std::size_t points = 16000;

/// A solve that is measured: seconds of one worker in each kind of work, the best of all rounds.
template <class T>
struct Sample {
  double pair = 1e300, link = 1e300, shift = 1e300, point = 1e300, evaluation = 1e300, particle = 1e300;
  FmmParameters parameters;

  /// Points that crowd toward a corner where `power` is above 1.
  Sample(std::shared_ptr<RuntimeState> const& runtime, FmmOptions const& options, double power)
      : plan_(std::make_shared<FmmPlan<T>>(runtime, options, default_fmm_rates<T>())) {
    std::mt19937 random(1);
    std::vector<T> x(3 * points);
    for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
    for (T& v : strengths_) v = T(random() / 4294967296.0 - 0.5);
    points_ = plan_->set_points(x, {}, true);
    parameters = points_->parameters();
  }

  void measure() {
    SolveReport const report = plan_->submit(points_, strengths_, result_).report();
    auto const take = [&](double& best, std::string_view one, std::string_view other) {
      best = std::min(best, stage_seconds(report, one) + stage_seconds(report, other));
    };
    take(pair, "p2p", "");
    take(link, "m2l", "");
    take(shift, "m2m", "l2l");
    take(point, "p2m", "l2p");
    take(evaluation, "m2p", "p2l");
    take(particle, "bin", "merge");
  }

 private:
  std::shared_ptr<FmmPlan<T>> plan_;
  std::vector<T> strengths_ = std::vector<T>(points), result_ = std::vector<T>(4 * points);
  typename FmmPlan<T>::Points points_;
};

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
  double const links = double(low.parameters.translations), boxes = double(low.parameters.boxes);
  r.pair = high.pair / (double(high.parameters.pairs) * flops.pair);
  fit_line(low_flops.m2l, low.link / links, flops.m2l, high.link / links, r.translation, r.link);
  r.shift = high.shift / (boxes * (flops.m2m + flops.l2l));
  r.point = high.point / (double(points) * (flops.p2m + flops.l2p));
  r.evaluation = crowd.evaluation /
                 (double(crowd.parameters.evaluations) * flops.m2p + double(crowd.parameters.expansions) * flops.p2l);
  r.particle = high.particle / double(points);
  return r;
}

}  // namespace

template <class T>
FmmRates measured_fmm_rates(std::shared_ptr<RuntimeState> const& runtime) {
  static KeptRates<FmmRates> kept({&FmmRates::pair, &FmmRates::translation, &FmmRates::link, &FmmRates::shift,
                                   &FmmRates::point, &FmmRates::evaluation, &FmmRates::particle});
  return kept.get(rates_file<T>("fmm-rates-2"), default_fmm_rates<T>(), [&] { return measure<T>(runtime); });
}

template FmmRates measured_fmm_rates<double>(std::shared_ptr<RuntimeState> const&);
template FmmRates measured_fmm_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
