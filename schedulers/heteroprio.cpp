// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/heteroprio.hpp"

#include "schedulers/priorities.hpp"

#include <algorithm>

#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
#define NEARFAR_HETEROPRIO
#include <starpu_heteroprio.h>
#endif

namespace nearfar {

namespace {

#ifdef NEARFAR_HETEROPRIO
/// CPUs leave a bucket to the GPUs until it holds this many tasks per GPU: in plans that count on GPUs, such a task
/// takes a CPU a tenth of a second.
constexpr float gpu_speed = 64;

void set_up(unsigned context) {
  constexpr int each = heteroprio_gpu_buckets;
  starpu_heteroprio_set_nb_prios(context, STARPU_CPU_WORKER, heteroprio_buckets);
  for (int place = 0; place < each; ++place) {
    unsigned const cpu_only = unsigned(each - 1 - place);
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, unsigned(2 * place), cpu_only);
    starpu_heteroprio_set_mapping(context, STARPU_CPU_WORKER, unsigned(2 * place + 1), each + cpu_only);
  }
  starpu_worker_archtype const gpus[] = {
      STARPU_CUDA_WORKER,
#ifdef STARPU_USE_HIP
      STARPU_HIP_WORKER,
#endif
  };
  for (starpu_worker_archtype const gpu : gpus) {
    if (starpu_worker_get_count_by_type(gpu) <= 0) continue;
    starpu_heteroprio_set_nb_prios(context, gpu, each);
    for (unsigned place = 0; place < each; ++place) {
      unsigned const bucket = each + place;
      starpu_heteroprio_set_mapping(context, gpu, place, bucket);
      starpu_heteroprio_set_faster_arch(context, gpu, bucket);
      starpu_heteroprio_set_arch_slow_factor(context, STARPU_CPU_WORKER, bucket, gpu_speed);
    }
  }
}
#endif

}  // namespace

int heteroprio_bucket(int priority, starpu_codelet const& codelet) {
  bool gpu = codelet.cuda_funcs[0] != nullptr;
#ifdef STARPU_USE_HIP
  gpu = gpu || codelet.hip_funcs[0] != nullptr;
#endif
  bool const shared = gpu && suits_gpus(priority);
  return std::clamp(priority, 0, heteroprio_gpu_buckets - 1) + (shared ? heteroprio_gpu_buckets : 0);
}

void (*heteroprio_set_up())(unsigned) {
#ifdef NEARFAR_HETEROPRIO
  return set_up;
#else
  return nullptr;
#endif
}

}  // namespace nearfar
