// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include "codelets/codelet.hpp"
#include "codelets/p2p/p2p.hpp"
#include "codelets/simd.hpp"
#include "tasks/gpu_workers.hpp"
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

/// Solves that keep all workers busy: with a window of usual width, of charges, of both layers, and with a narrow
/// window. Where there is a GPU, P2P runs on it as it does in solves, and on the CPUs in solves of its own.
template <class T>
class BusySamples {
 public:
  explicit BusySamples(std::shared_ptr<RuntimeState> const& runtime) : runtime_(runtime) {
    auto const gpus = gpu_workers(codelet_of<P2P<T, Kernel::stokeslet, false>>());
    EwaldOptions usual, charges, layers, narrow;
    usual.tolerance = charges.tolerance = layers.tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-6;
    charges.kernel = Kernel::laplace;
    charges.gradient = true;
    layers.kernel = Kernel::stokes;
    narrow.tolerance = 1e-3;
    // Plans that leave P2P to GPUs have smaller grids, more of which is in caches.
    for (auto const& options : {usual, charges, layers, narrow})
      add(options, gpus.empty() ? 1 : 1.8, Part::whole, gpus.empty() ? std::nullopt : std::optional(gpus.front()));
    for (auto const& options : {usual, charges, layers})
      if (!gpus.empty()) add(options, 1, Part::near, {});
  }
  void measure(int rounds, bool ask_models) {
    // One after the other, as solves follow each other: what one leaves in caches and pages the next one finds.
    for (auto& sample : samples_)
      for (int round = 0; round < rounds; ++round) sample.measure(ask_models);
  }
  /// Those that tell about a stage, the usual one first.
  std::vector<EwaldSample<T> const*> of(std::string_view stage) const {
    auto const& s = samples_;
    if (stage == "p2p" && s.size() > 4) return {&s[4], &s[5], &s[6]};
    if (stage == "p2g" || stage == "g2p") return {&s[0], &s[1], &s[2], &s[3]};
    return {&s[0], &s[1], &s[2]};
  }

 private:
  void add(EwaldOptions const& options, double cutoff, Part part, std::optional<unsigned> worker) {
    MachineShape const machine = cpus_alone();
    std::size_t const points = std::min(most_points, points_per_worker * std::size_t(machine.cpus));
    samples_.emplace_back(runtime_, options, points, cutoff, part, worker, machine);
  }
  std::shared_ptr<RuntimeState> runtime_;
  std::deque<EwaldSample<T>> samples_;
};

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
/// that is depends on the stage, on the kernel, and for windows on their width: what is paid per point waits for
/// memory, what is paid for the points of its window is arithmetic. `seconds(sample, stages)` are of these solves.
template <class T, class Seconds>
void slow_down(Rates& rates, BusySamples<T> const& busy, Seconds const& seconds) {
  for_each_stage([&](auto const& terms, auto stages) {
    std::vector<Measured> measured;
    auto const samples = busy.of(*stages.begin());
    for (auto const* sample : samples)
      if (double const s = seconds(*sample, stages); s > 0) measured.emplace_back(terms(sample->terms()), s);
    if (measured.size() < samples.size()) return;
    // Those of other kernels too. P2P has more rates than there are measurements, and plans depend on their ratios.
    bool const pairs = *stages.begin() == std::string_view("p2p");
    scale_rates(rates, rates_of(terms, samples.front()->parameters()),
                pairs ? std::span(measured) : std::span(measured).first(1));
    if (!pairs) fit_rates(rates, measured);
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
  BusySamples<T> busy(runtime);
  busy.measure(busy_rounds, false);
  slow_down(rates, busy, [](auto const& sample, auto stages) { return sample.typical_seconds(stages); });
  return rates;
}

/// The same with what StarPU's models say that the tasks take; what they do not know stays as it is.
template <class T>
Rates by_models(std::shared_ptr<RuntimeState> const& runtime, Rates rates) {
  BusySamples<T> busy(runtime);
  busy.measure(1, true);
  slow_down(rates, busy, [](auto const& sample, auto stages) { return sample.modelled_seconds(stages); });
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
      busy_rates_file<T>("rates-14"), Rates{}, [&] { return measure<T>(runtime); },
      [&](Rates const& rates) { return by_models<T>(runtime, rates); });
}

template Rates measured_rates<double>(std::shared_ptr<RuntimeState> const&);
template Rates measured_rates<float>(std::shared_ptr<RuntimeState> const&);

}  // namespace nearfar::detail
