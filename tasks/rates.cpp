// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "codelets/simd.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/machine_shape.hpp"
#include "tasks/rate_fit.hpp"
#include "tasks/sample.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <starpu.h>
#include <type_traits>

namespace nearfar::detail {

namespace {

constexpr std::size_t points = 16000;
constexpr int rounds = 4;
// Of the solve that keeps all workers busy.
constexpr std::size_t points_per_worker = 32000, most_points = 1000000;
constexpr int busy_rounds = 5;

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

/// With a window of usual width, or a narrow one.
template <class T>
EwaldSample<T> busy_sample(std::shared_ptr<RuntimeState> const& runtime, bool narrow) {
  EwaldOptions options;
  options.tolerance = std::is_same_v<T, float> || narrow ? 1e-3 : 1e-6;
  MachineShape const machine = cpus_alone();
  // Plans that leave P2P to GPUs have smaller grids, more of which is in caches.
  double const cutoff = starpu_worker_get_count() > starpu_cpu_worker_get_count() ? 1.8 : 1;
  return {runtime, options, std::min(most_points, points_per_worker * std::size_t(machine.cpus)), cutoff, {}, machine};
}

/// Calls visit(terms, stages) for all that is paid by rates of its own: the first picks it out of the terms of a solve.
template <class Visit>
void for_each_stage(Visit const& visit) {
  using Stages = std::initializer_list<std::string_view>;
  visit([](WorkTerms const& t) { return t.near; }, Stages{"p2p"});
  visit([](WorkTerms const& t) { return t.points; }, Stages{"bin", "collect", "merge"});
  visit([](WorkTerms const& t) { return t.spread; }, Stages{"p2g"});
  visit([](WorkTerms const& t) { return t.gather; }, Stages{"g2p"});
  visit([](WorkTerms const& t) { return t.planes; }, Stages{"fft", "ifft"});
  visit([](WorkTerms const& t) { return t.columns; }, Stages{"scale"});
}

/// Every rate of a stage, whatever the kernel.
template <class Terms>
std::vector<double Rates::*> rates_of(Terms const& terms, EwaldParameters const& parameters) {
  std::vector<double Rates::*> all;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace})
    for (bool gradient : {false, true}) {
      EwaldOptions options;
      options.kernel = kernel;
      options.gradient = gradient;
      for (Term const& t : terms(work_terms(options, parameters, 1, 1, 1, 1, 1, true)))
        if (std::find(all.begin(), all.end(), t.rate) == all.end()) all.push_back(t.rate);
    }
  return all;
}

/// One worker alone would be faster: all together they wait for memory, share caches and run at a lower clock. How much
/// that is depends on the stage, and for windows on their width: what is paid per point waits for memory, what is paid
/// for the points of its window is arithmetic. `seconds(sample, stages)` are of these two solves.
template <class T, class Seconds>
void slow_down(Rates& rates, EwaldSample<T> const& busy, EwaldSample<T> const& narrow, Seconds const& seconds) {
  for_each_stage([&](auto const& terms, auto stages) {
    Measured const usual(terms(busy.terms()), seconds(busy, stages)),
        other(terms(narrow.terms()), seconds(narrow, stages));
    scale_rates(rates, rates_of(terms, busy.parameters()), usual);
    bool const windows = stages.begin() != stages.end() && (*stages.begin() == "p2g" || *stages.begin() == "g2p");
    if (windows && usual.seconds > 0 && other.seconds > 0) fit_rates(rates, std::array{usual, other});
  });
}

template <class T>
Rates measure(std::shared_ptr<RuntimeState> const& runtime) {
  auto all = samples<T>(runtime);
  // In turn, because choices depend on ratios: what else runs on the machine for a while slows all of them.
  for (int round = 0; round < rounds; ++round)
    for (auto& sample : all) sample.measure();
  Rates rates;
  rates.lanes = simd_lanes<T>();
  for_each_stage([&](auto const& terms, auto stages) {
    std::vector<Measured> measured;
    for (auto const& sample : all) measured.emplace_back(terms(sample.terms()), sample.seconds(stages));
    fit_rates(rates, measured);
  });
  auto busy = busy_sample<T>(runtime, false), narrow = busy_sample<T>(runtime, true);
  for (int round = 0; round < busy_rounds; ++round)
    for (auto* sample : {&busy, &narrow}) sample->measure();
  slow_down(rates, busy, narrow, [](auto const& sample, auto stages) { return sample.typical_seconds(stages); });
  return rates;
}

/// The same with what StarPU's models say that the tasks take; what they do not know stays as it is.
template <class T>
Rates by_models(std::shared_ptr<RuntimeState> const& runtime, Rates rates) {
  auto busy = busy_sample<T>(runtime, false), narrow = busy_sample<T>(runtime, true);
  for (auto* sample : {&busy, &narrow}) sample->measure(true);
  slow_down(rates, busy, narrow, [](auto const& sample, auto stages) { return sample.modelled_seconds(stages); });
  return rates;
}

}  // namespace

template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime) {
  using R = Rates;
  static KeptRates<Rates> kept({&R::near_point, &R::run, &R::tested, &R::quad, &R::degree, &R::number, &R::spread_point,
                                &R::spread_scalar, &R::spread_vector, &R::spread_double_layer, &R::slab,
                                &R::gather_point, &R::gather_scalar, &R::gather_gradient, &R::gather_vector, &R::plane,
                                &R::column, &R::multiply, &R::lanes});
  return kept.get(
      busy_rates_file<T>("rates-10"), Rates{}, [&] { return measure<T>(runtime); },
      [&](Rates const& rates) { return by_models<T>(runtime, rates); });
}

template Rates measured_rates<double>(std::shared_ptr<RuntimeState> const&);
template Rates measured_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
