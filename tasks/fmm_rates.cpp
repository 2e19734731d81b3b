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

/// Seconds of one worker in each kind of work, the best of five, and the work.
struct Sample {
  double pair = 1e300, link = 1e300, shift = 1e300, point = 1e300, evaluation = 1e300, particle = 1e300;
  FmmParameters parameters;
};

/// Points that crowd toward a corner where `power` is above 1.
template <class T>
Sample sample(std::shared_ptr<RuntimeState> const& runtime, FmmOptions const& options, double power) {
  auto plan = std::make_shared<FmmPlan<T>>(runtime, options, default_fmm_rates<T>());
  std::mt19937 random(1);
  std::vector<T> x(3 * points), q(points), u(4 * points);
  for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
  for (T& v : q) v = T(random() / 4294967296.0 - 0.5);
  auto const set = plan->set_points(x, {}, true);
  Sample s;
  s.parameters = set->parameters();
  for (int repeat = 0; repeat < 5; ++repeat) {
    SolveReport const report = plan->submit(set, q, u).report();
    auto seconds = [&](char const* stage) { return stage_seconds(report, stage); };
    s.pair = std::min(s.pair, seconds("p2p"));
    s.link = std::min(s.link, seconds("m2l"));
    s.shift = std::min(s.shift, seconds("m2m") + seconds("l2l"));
    s.point = std::min(s.point, seconds("p2m") + seconds("l2p"));
    s.evaluation = std::min(s.evaluation, seconds("m2p") + seconds("p2l"));
    s.particle = std::min(s.particle, seconds("bin") + seconds("merge"));
  }
  return s;
}

template <class T>
FmmRates measure(std::shared_ptr<RuntimeState> const& runtime) {
  bool const coarse = std::is_same_v<T, float>;
  int const low_order = coarse ? 4 : 6, high_order = coarse ? 8 : 14;
  auto const flops_at = [](int order) { return fmm_flops(Kernel::laplace, true, order); };
  FmmFlops const low_flops = flops_at(low_order), flops = flops_at(high_order);
  // About as many points in a leaf as plans choose.
  FmmOptions options{.gradient = true, .order = low_order, .depth = 3, .well_separation = 1};
  Sample const low = sample<T>(runtime, options, 1);
  options.order = high_order;
  Sample const high = sample<T>(runtime, options, 1);
  options.depth.reset();
  options.capacity = 40;
  Sample const crowd = sample<T>(runtime, options, 3);

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
  return kept.get(rates_file<T>("fmm-rates-1"), default_fmm_rates<T>(), [&] { return measure<T>(runtime); });
}

template FmmRates measured_fmm_rates<double>(std::shared_ptr<RuntimeState> const&);
template FmmRates measured_fmm_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
