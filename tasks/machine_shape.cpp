// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/machine_shape.hpp"

#include "codelets/codelet.hpp"
#include "codelets/names.hpp"
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

NearRates fit_near_rates(NearTimes const& times) {
  // Of one target: seconds = (flop + latency each) flops + (target + task each), `each` the tasks per target.
  struct Line {
    double each, slope, offset;
  };
  auto const through = [](NearTime const& low, NearTime const& high) {
    Line line{high.tasks / high.targets, 0, 0};
    fit_line(low.flops / low.targets, low.seconds / low.targets, high.flops / high.targets, high.seconds / high.targets,
             line.slope, line.offset);
    return line;
  };
  Line const many = through(times.many_short, times.many), few = through(times.few_short, times.few);
  // Where tasks are filled anyway, what few targets cost more is noise.
  auto const split = [&](double of_many, double of_few, double& each_target, double& each_task) {
    each_task =
        std::clamp((of_few - of_many) / (few.each - many.each), 1e-3 * of_many / many.each, 0.9 * of_many / many.each);
    each_target = of_many - each_task * many.each;
  };
  NearRates r;
  split(many.slope, few.slope, r.flop, r.latency);
  split(many.offset, few.offset, r.target, r.task);
  return r;
}

template <class T>
NearRates measure_near(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, unsigned worker,
                       std::size_t points, bool ask_models) {
  MachineShape machine = cpus_alone();
  machine.gpus = starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER ? 0 : 1;
  auto const sample = [&](std::size_t count, double cutoff) {
    return EwaldSample<T>(runtime, options, count, cutoff, Part::near, worker, machine);
  };
  EwaldSample<T> many = sample(points, 1.5), many_short = sample(points, 0.8), few = sample(points / 10, 1.5),
                 few_short = sample(points / 10, 0.8);
  for (int round = 0; round < (ask_models ? 1 : near_rounds); ++round)
    for (auto* s : {&many, &many_short, &few, &few_short}) s->measure(ask_models);
  auto const time = [&](EwaldSample<T> const& s) {
    double const seconds = ask_models ? s.modelled_seconds({"p2p"}) : s.seconds({"p2p"});
    return NearTime{seconds, s.terms().near_flops, double(s.near_workers().size()), double(s.points())};
  };
  NearTimes const times{time(many), time(many_short), time(few), time(few_short)};
  for (auto const& t : {times.many, times.many_short, times.few, times.few_short})
    if (!(t.seconds > 0)) return {};
  return fit_near_rates(times);
}

template <class T>
MachineShape machine_shape(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions const& options) {
  MachineShape machine = cpus_alone();
  if (options.implementation == Implementation::portable || rates_are_defaults()) return machine;
  auto const gpus = gpu_workers(codelet_of<P2P<T, Kernel::stokeslet, false>>());
  if (gpus.empty() || !gives_gpus_what_suits_them(runtime->scheduler())) return machine;
  static KeptRates<NearRates> kept({&NearRates::flop, &NearRates::target, &NearRates::latency, &NearRates::task});
  EwaldOptions sample;
  sample.kernel = options.kernel;
  sample.gradient = options.gradient;
  sample.tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  auto const measured = [&](bool by_models) {
    return measure_near<T>(runtime, sample, gpus.front(), gpu_points, by_models);
  };
  std::string const kind =
      "gpu-rates-8-" + model_symbol<T>("p2p", options.kernel, options.gradient) + '-' + device_of(gpus.front());
  NearRates const rates = kept.get(
      rates_file<T>(kind), NearRates{}, [&] { return measured(false); },
      [&](NearRates const& before) {
        NearRates const modelled = measured(true);
        return modelled.flop > 0 ? modelled : before;
      });
  machine.gpus = int(gpus.size());
  machine.gpu_flop = rates.flop;
  machine.gpu_target = rates.target;
  machine.gpu_latency = rates.latency;
  machine.gpu_task = rates.task;
  return machine;
}

#define NEARFAR_INSTANTIATE(T)                                                                       \
  template MachineShape machine_shape<T>(std::shared_ptr<RuntimeState> const&, EwaldOptions const&); \
  template NearRates measure_near<T>(std::shared_ptr<RuntimeState> const&, EwaldOptions, unsigned, std::size_t, bool);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
