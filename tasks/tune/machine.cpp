// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/machine.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/tune/kept.hpp"
#include "tasks/tune/measure.hpp"

#include <algorithm>
#include <cstdlib>
#include <starpu.h>
#include <string_view>
#include <unistd.h>

namespace nearfar::detail {

namespace {

/// Points per CPU worker from which on measuring pays. Smaller solves take 50 ms at most, and all of them that anybody
/// would run by hand gain less from a better plan than measuring costs.
constexpr std::size_t worth_measuring = 20000;

bool plans_by_defaults() noexcept {
  char const* const wish = std::getenv("NEARFAR_RATES");
  return wish != nullptr && wish == std::string_view("default");
}

/// Estimates single precision from `measured` double precision: faster by the ratio that the usual `defaults` have.
Throughputs in_single(Throughputs const& measured, Throughputs const& defaults) {
  Throughputs single = default_throughputs<float>();
  for (auto const column : {&Throughputs::cpu, &Throughputs::gpu})
    for (std::size_t i = 0; i < row_names.size(); ++i)
      if (double const usual = (defaults.*column)[WorkRow(i)]; usual > 0)
        (single.*column)[WorkRow(i)] *= (measured.*column)[WorkRow(i)] / usual;
  return single;
}

template <class T>
std::vector<unsigned> gpus_for(Method method) {
  return method == Method::ewald ? gpu_workers(codelet_of<P2P<T, Stokeslet>>())
                                 : gpu_workers(codelet_of<FmmP2P<T, LaplaceGradient>>());
}

}  // namespace

Machine cpus_alone() noexcept {
  Machine machine;
  machine.cpus = std::max(1, int(starpu_cpu_worker_get_count()));
  machine.mutual_blocks = starpu_cuda_worker_get_count() + starpu_hip_worker_get_count() == 0;
  return machine;
}

template <class T>
Machine machine_for(std::shared_ptr<RuntimeState> const& runtime, Method method, Implementation implementation) {
  Machine machine = cpus_alone();
  machine.lanes = default_machine<T>().lanes;
  machine.speed = default_throughputs<T>();
  machine.speed_in_single = default_throughputs<float>();
  if (!plans_by_defaults()) {
    machine.lanes = simd_lanes<T>();
    machine.speed = kept_throughputs<T>(throughput_file<T>()).value_or(machine.speed);
    Throughputs const usual = in_single(machine.speed, default_throughputs<T>());
    machine.speed_in_single = kept_throughputs<float>(throughput_file<float>()).value_or(usual);
    // On GPUs measured single precision is not used: it was for looser tolerances, whose windows matter more than it.
    machine.speed_in_single.gpu = usual.gpu;
  }
  if (!suits_gpus(implementation) || !gives_gpus_what_suits_them(runtime->scheduler())) return machine;
  machine.gpus = int(gpus_for<T>(method).size());
  bool const transforms = method == Method::fmm || GpuStage<Fft<T>>;
  machine.all_stages = machine.gpus > 0 && transforms && implementation != Implementation::any &&
                       bears_tasks_for_gpus_alone(runtime->scheduler());
  if (runtime->options().gpus < 0) machine.least_shared = least_for_several_gpus;  // else so many were asked for
  return machine;
}

bool workers_share_processors() noexcept { return long(starpu_cpu_worker_get_count()) > sysconf(_SC_NPROCESSORS_ONLN); }

template <class T>
void measure_first(std::shared_ptr<RuntimeState> const& runtime, std::size_t points) {
  if (runtime->ranks().rank() > 0) return;  // rank 0 decides for all
  if (plans_by_defaults() || points < worth_measuring * starpu_cpu_worker_get_count() || workers_share_processors())
    return;
  keep_throughputs<T>(
      throughput_file<T>(), [&] { return measure_throughputs<T>(runtime, TuneExtent::brief); }, false);
}

bool each_has_a_gpu(Ranks const& ranks, starpu_codelet const& stage) {
  return ranks.several() && ranks.sum(std::uint64_t(gpu_workers(stage).size() == 1)) == std::uint64_t(ranks.count());
}

Machine of_all_ranks(Ranks const& ranks, Machine const& here) {
  if (!ranks.several()) return here;
  auto const all_say = [&](bool yes) { return ranks.sum(std::uint64_t(yes)) == std::uint64_t(ranks.count()); };
  Machine machine = ranks.decide([&] { return here; });
  int const each = machine.gpus;  // tasks of a rank are dealt among its GPUs by number, and all ranks have as many
  machine.cpus = int(ranks.sum(std::uint64_t(here.cpus)));
  machine.gpus = int(ranks.sum(std::uint64_t(here.gpus)));
  machine.least_shared = 0;
  machine.all_stages = all_say(here.gpus == each && here.all_stages);
  machine.mutual_blocks = all_say(here.mutual_blocks);
  machine.ranks = ranks.count();
  return machine;
}

template <class T>
Machine machine_of(Ranks const& ranks, std::shared_ptr<RuntimeState> const& runtime, Method method,
                   Implementation implementation, std::size_t points) {
  ranks.on_first([&] { measure_first<T>(runtime, points); });
  Machine here;
  ranks.together([&] { here = machine_for<T>(runtime, method, implementation); });
  if (!ranks.several()) return here;
  Machine machine = of_all_ranks(ranks, here);
  KeepCallersGpu const gpu;  // messages between GPUs are measured
  auto const [latency, bandwidth] = ranks.network();
  machine.network = {latency, bandwidth};
  machine.number_bytes = int(sizeof(T));
  return machine;
}

#define NEARFAR_INSTANTIATE(T)                                                                               \
  template Machine machine_for<T>(std::shared_ptr<RuntimeState> const&, Method, Implementation);             \
  template Machine machine_of<T>(Ranks const&, std::shared_ptr<RuntimeState> const&, Method, Implementation, \
                                 std::size_t);                                                               \
  template void measure_first<T>(std::shared_ptr<RuntimeState> const&, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
