// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/machine_shape.hpp"

#include "codelets/codelet.hpp"
#include "codelets/p2p/p2p.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/gpu_workers.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/sample.hpp"

#include <algorithm>
#include <starpu.h>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr std::size_t gpu_points = 1000000;  // so many that tasks fill a GPU, as those of large plans do
constexpr int near_rounds = 4;

}  // namespace

MachineShape cpus_alone() noexcept {
  MachineShape machine;
  machine.cpus = std::max(1, int(starpu_cpu_worker_get_count()));
  machine.mutual_blocks = starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() == 0;
  return machine;
}

NearRates fit_near_rates(NearTime const& many, NearTime const& few, NearTime const& few_short) {
  auto const each = [](NearTime const& t) { return t.tasks / t.targets; };
  NearRates r;
  double slope = 0;  // flop + latency * each(few), and the rest in seconds per task
  fit_line(few_short.flops / few_short.tasks, few_short.seconds / few_short.tasks, few.flops / few.tasks,
           few.seconds / few.tasks, slope, r.task);
  double const full = std::max(many.seconds - r.task * many.tasks, 0.5 * many.seconds) / many.flops;
  double const gained = (slope - full) / (each(few) - each(many));  // noise where tasks are filled anyway
  r.latency = std::clamp(gained, 1e-3 * full / each(many), 0.9 * full / each(many));
  r.flop = full - r.latency * each(many);
  return r;
}

template <class T>
NearRates measure_near(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, std::size_t points,
                       bool ask_models) {
  EwaldOptions options;
  options.tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  MachineShape machine = cpus_alone();
  machine.gpus = starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER ? 0 : 1;
  EwaldSample<T> many(runtime, options, points, 1.5, worker, machine),
      few(runtime, options, points / 10, 1.5, worker, machine),
      few_short(runtime, options, points / 10, 0.8, worker, machine);
  for (int round = 0; round < (ask_models ? 1 : near_rounds); ++round)
    for (auto* sample : {&many, &few, &few_short}) sample->measure(ask_models);
  auto const time = [&](EwaldSample<T> const& sample) {
    double const seconds = ask_models ? sample.modelled_seconds({"p2p"}) : sample.seconds({"p2p"});
    return NearTime{seconds, sample.terms().near_flops, double(sample.near_workers().size()), double(sample.points())};
  };
  NearTime const times[] = {time(many), time(few), time(few_short)};
  for (auto const& t : times)
    if (!(t.seconds > 0)) return {};
  return fit_near_rates(times[0], times[1], times[2]);
}

template <class T>
MachineShape machine_shape(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions const& options) {
  MachineShape machine = cpus_alone();
  if (options.implementation == Implementation::portable || rates_are_defaults()) return machine;
  auto const gpus = gpu_workers(codelet_of<P2P<T, Kernel::stokeslet, false>>());
  if (gpus.empty() || !gives_gpus_what_suits_them(runtime->scheduler())) return machine;
  static KeptRates<NearRates> kept({&NearRates::flop, &NearRates::latency, &NearRates::task});
  auto const measured = [&](bool by_models) { return measure_near<T>(runtime, gpus.front(), gpu_points, by_models); };
  NearRates const rates = kept.get(
      rates_file<T>("gpu-rates-7-" + device_of(gpus.front())), NearRates{}, [&] { return measured(false); },
      [&](NearRates const& before) {
        NearRates const modelled = measured(true);
        return modelled.flop > 0 ? modelled : before;
      });
  machine.gpus = int(gpus.size());
  machine.gpu_flop = rates.flop;
  machine.gpu_latency = rates.latency;
  machine.gpu_task = rates.task;
  return machine;
}

#define NEARFAR_INSTANTIATE(T)                                                                       \
  template MachineShape machine_shape<T>(std::shared_ptr<RuntimeState> const&, EwaldOptions const&); \
  template NearRates measure_near<T>(std::shared_ptr<RuntimeState> const&, unsigned worker, std::size_t, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
