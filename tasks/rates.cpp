// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "codelets/simd.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/rate_fit.hpp"
#include "tasks/sample.hpp"

#include <deque>
#include <starpu.h>
#include <type_traits>

namespace nearfar::detail {

namespace {

constexpr std::size_t points = 16000;
constexpr int rounds = 4;

/// Solves that together pay every rate, each in different proportions.
template <class T>
std::deque<EwaldSample<T>> samples(std::shared_ptr<RuntimeState> const& runtime) {
  bool const single = std::is_same_v<T, float>;
  double const low = single ? 1e-2 : 1e-4, middle = single ? 1e-3 : 1e-6, high = single ? 1e-5 : 1e-10;
  std::deque<EwaldSample<T>> all;
  auto const add = [&](Kernel kernel, bool gradient, Periodicity periodicity, double tolerance, double cutoff) {
    EwaldOptions options;
    options.kernel = kernel;
    options.gradient = gradient;
    options.periodicity = periodicity;
    options.tolerance = tolerance;
    all.emplace_back(runtime, options, points, cutoff);
  };
  add(Kernel::stokeslet, false, Periodicity::xyz, low, 1);
  add(Kernel::stokeslet, false, Periodicity::none, high, 1.2);
  add(Kernel::stokes, false, Periodicity::xyz, middle, 1);
  add(Kernel::stokes, false, Periodicity::xy, high, 1);
  add(Kernel::laplace, false, Periodicity::none, low, 0.8);
  add(Kernel::laplace, false, Periodicity::xyz, high, 1);
  add(Kernel::laplace, true, Periodicity::xyz, middle, 0.6);
  add(Kernel::laplace, true, Periodicity::xyz, high, 1.2);
  return all;
}

template <class T>
Rates measure(std::shared_ptr<RuntimeState> const& runtime) {
  auto all = samples<T>(runtime);
  // In turn, because choices depend on ratios: what else runs on the machine for a while slows all of them.
  for (int round = 0; round < rounds; ++round)
    for (auto& sample : all) sample.measure();
  Rates rates;
  rates.lanes = simd_lanes<T>();
  auto const fit = [&](auto const& terms, std::initializer_list<std::string_view> stages) {
    std::vector<Measured> measured;
    for (auto const& sample : all) measured.emplace_back(terms(sample.terms()), sample.seconds(stages));
    fit_rates(rates, measured);
  };
  fit([](WorkTerms const& t) { return t.near; }, {"p2p"});
  fit([](WorkTerms const& t) { return t.points; }, {"bin", "merge"});
  fit([](WorkTerms const& t) { return t.spread; }, {"p2g"});
  fit([](WorkTerms const& t) { return t.gather; }, {"g2p"});
  fit([](WorkTerms const& t) { return t.planes; }, {"fft", "ifft"});
  fit([](WorkTerms const& t) { return t.columns; }, {"scale"});
  return rates;
}

}  // namespace

template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime) {
  using R = Rates;
  static KeptRates<Rates> kept({&R::near_point, &R::run, &R::tested,

                                &R::quad, &R::degree, &R::number, &R::spread_point, &R::spread_scalar,
                                &R::spread_vector, &R::spread_double_layer, &R::slab, &R::gather_point,
                                &R::gather_scalar, &R::gather_gradient, &R::gather_vector, &R::plane, &R::column,
                                &R::multiply, &R::lanes});
  return kept.get(rates_file<T>("rates-6"), Rates{}, [&] { return measure<T>(runtime); });
}

template Rates measured_rates<double>(std::shared_ptr<RuntimeState> const&);
template Rates measured_rates<float>(std::shared_ptr<RuntimeState> const&);

double shared_by_cpus(double seconds) noexcept {
  unsigned const cpus = starpu_cpu_worker_get_count();
  return cpus == 0 || cpus < starpu_worker_get_count() ? 0 : seconds / cpus;
}

}  // namespace nearfar::detail
