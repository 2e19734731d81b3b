// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "core/constants.hpp"
#include "tasks/ewald_plan.hpp"
#include "tasks/kept_rates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <starpu.h>
#include <type_traits>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr std::size_t points = 16000;

/// What a small solve took in each kind of work, in seconds of one worker, the best of three; and how much work it was.
struct Sample {
  double near = 1e300, spread = 1e300, gather = 1e300, grid = 1e300;
  double pairs = 0, window_points = 0, grid_points = 0;
  double cutoff = 0;
  int components = 0, degree = 0;
};

template <class T>
Sample sample(std::shared_ptr<RuntimeState> const& runtime, double tolerance, std::optional<double> cutoff = {}) {
  EwaldOptions options{.tolerance = tolerance, .count = points, .cutoff = cutoff};
  EwaldParameters const parameters = choose_parameters<T>(options, points, points, Rates{});
  auto plan = std::make_shared<EwaldPlan<T>>(runtime, options, parameters);
  std::mt19937 random(1);
  auto uniform = [&] { return T(random()) / T(4294967296.0); };
  std::vector<T> x(3 * points), f(3 * points), u(3 * points);
  for (auto* values : {&x, &f})
    for (T& v : *values) v = uniform();
  auto const set = plan->set_points(x, {}, true);
  Sample s;
  for (int repeat = 0; repeat < 3; ++repeat) {
    SolveReport const report = plan->submit(set, f, u, Part::whole).report();
    auto seconds = [&](char const* stage) { return stage_seconds(report, stage); };
    s.near = std::min(s.near, seconds("p2p"));
    s.spread = std::min(s.spread, seconds("p2g"));
    s.gather = std::min(s.gather, seconds("g2p"));
    s.grid = std::min(s.grid, seconds("fft") + seconds("scale") + seconds("ifft"));
  }
  s.cutoff = parameters.cutoff;
  s.components = plan->setup().forward;
  s.degree = plan->setup().table_memory.data()->near.a.degree;
  s.pairs = double(points) * double(points) * 4 * pi<double> / 3 * std::pow(parameters.cutoff, 3);
  s.window_points = std::pow(parameters.window_points, 3);
  s.grid_points = double(parameters.grid[0]) * parameters.grid[1] * parameters.grid[2];
  return s;
}

template <class T>
Rates measure(std::shared_ptr<RuntimeState> const& runtime) {
  bool const coarse = std::is_same_v<T, float>;
  Sample const low = sample<T>(runtime, coarse ? 1e-3 : 1e-5);
  Sample const high = sample<T>(runtime, coarse ? 1e-5 : 1e-10);
  Sample const sparse = sample<T>(runtime, coarse ? 1e-3 : 1e-5, 0.6 * low.cutoff);
  Rates r;
  double per_pair = 0, unused = 0;
  fit_line(sparse.pairs, sparse.near, low.pairs, low.near, per_pair, r.near_point);
  r.near_point /= double(points);
  double const high_per_pair = std::max((high.near - r.near_point * double(points)) / high.pairs, 1.01 * per_pair);
  fit_line(low.degree, per_pair, high.degree, high_per_pair, r.pair_degree, unused);
  r.pair = per_pair + (16 - low.degree) * r.pair_degree;
  double const per_point = double(points);
  fit_line(low.window_points * low.components, low.spread / per_point, high.window_points * high.components,
           high.spread / per_point, r.spread, r.spread_point);
  fit_line(low.window_points * low.components, low.gather / per_point, high.window_points * high.components,
           high.gather / per_point, r.gather, r.gather_point);
  r.grid = (low.grid / (low.grid_points * low.components) + high.grid / (high.grid_points * high.components)) / 2;
  return r;
}

}  // namespace

template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime) {
  static KeptRates<Rates> kept({&Rates::pair, &Rates::pair_degree, &Rates::near_point, &Rates::spread,
                                &Rates::spread_point, &Rates::gather, &Rates::gather_point, &Rates::grid});
  return kept.get(rates_file<T>("rates-3"), Rates{}, [&] { return measure<T>(runtime); });
}

template Rates measured_rates<double>(std::shared_ptr<RuntimeState> const&);
template Rates measured_rates<float>(std::shared_ptr<RuntimeState> const&);

double shared_by_cpus(double seconds) noexcept {
  unsigned const cpus = starpu_cpu_worker_get_count();
  return cpus == 0 || cpus < starpu_worker_get_count() ? 0 : seconds / cpus;
}

}  // namespace nearfar::detail
