// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/machine_shape.hpp"

#include "codelets/codelet.hpp"
#include "codelets/p2p/p2p.hpp"
#include "tasks/kept_rates.hpp"
#include "tasks/sample.hpp"

#include <algorithm>
#include <cctype>
#include <starpu.h>
#include <vector>

namespace nearfar::detail {

namespace {

constexpr std::size_t gpu_points = 100000;

/// Workers of all kinds that are no CPU and have a body of P2P.
template <class T>
std::vector<unsigned> gpu_workers() {
  starpu_codelet const& p2p = codelet_of<P2P<T, Kernel::stokeslet, false>>();
  std::vector<unsigned> workers;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    bool can = false;
    switch (starpu_worker_get_type(int(w))) {
      case STARPU_CUDA_WORKER: can = p2p.cuda_funcs[0] != nullptr; break;
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
      case STARPU_HIP_WORKER: can = p2p.hip_funcs[0] != nullptr; break;
#endif
      default: break;
    }
    if (can) workers.push_back(w);
  }
  return workers;
}

/// The device of a worker, as part of a file name.
std::string device_of(unsigned worker) {
  char name[64] = "";
  starpu_worker_get_name(int(worker), name, sizeof name);
  // "CUDA 0.0 (NVIDIA H200 139.8 GiB ...)": which of several alike it is does not matter.
  std::string const all = name;
  std::string device;
  for (char c : all.substr(std::min(all.size(), all.find('('))))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) device += c;
  return device.empty() ? "gpu" : device;
}

}  // namespace

MachineShape cpus_alone() noexcept {
  MachineShape machine;
  machine.cpus = std::max(1, int(starpu_cpu_worker_get_count()));
  return machine;
}

template <class T>
NearRates measure_near(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, std::size_t points) {
  EwaldOptions options;
  options.tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-7;
  EwaldSample<T> few(runtime, options, points, 1, worker), many(runtime, options, points, 1.8, worker);
  for (int round = 0; round < 4; ++round)
    for (auto* sample : {&few, &many}) sample->measure();
  NearRates rates;
  fit_line(few.terms().near_flops, few.seconds({"p2p"}), many.terms().near_flops, many.seconds({"p2p"}), rates.flop,
           rates.target);
  rates.target /= double(points);
  return rates;
}

template <class T>
MachineShape machine_shape(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions const& options) {
  MachineShape machine = cpus_alone();
  char const* const wish = std::getenv("NEARFAR_RATES");
  if (options.implementation == Implementation::portable || (wish != nullptr && wish == std::string_view("default")))
    return machine;
  auto const gpus = gpu_workers<T>();
  if (gpus.empty()) return machine;
  static KeptRates<NearRates> kept({&NearRates::flop, &NearRates::target});
  NearRates const rates = kept.get(rates_file<T>("gpu-rates-1-" + device_of(gpus.front())), NearRates{},
                                   [&] { return measure_near<T>(runtime, gpus.front(), gpu_points); });
  machine.gpus = int(gpus.size());
  machine.gpu_flop = rates.flop;
  machine.gpu_target = rates.target;
  return machine;
}

#define NEARFAR_INSTANTIATE(T)                                                                       \
  template MachineShape machine_shape<T>(std::shared_ptr<RuntimeState> const&, EwaldOptions const&); \
  template NearRates measure_near<T>(std::shared_ptr<RuntimeState> const&, unsigned worker, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
