// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/gpu_workers.hpp"

#include <algorithm>
#include <cctype>

namespace nearfar::detail {

std::vector<unsigned> gpu_workers(starpu_codelet const& stage) {
  std::vector<unsigned> workers;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    bool can = false;
    switch (starpu_worker_get_type(int(w))) {
      case STARPU_CUDA_WORKER: can = stage.cuda_funcs[0] != nullptr; break;
#if defined(NEARFAR_WITH_HIP) && defined(STARPU_USE_HIP)
      case STARPU_HIP_WORKER: can = stage.hip_funcs[0] != nullptr; break;
#endif
      default: break;
    }
    if (can) workers.push_back(w);
  }
  return workers;
}

std::string device_of(unsigned worker) {
  char name[64] = "";
  starpu_worker_get_name(int(worker), name, sizeof name);
  std::string const all = name;  // "CUDA 0.0 (NVIDIA H200 139.8 GiB ...)"
  std::string device;
  for (char c : all.substr(std::min(all.size(), all.find('('))))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) device += c;
  return device.empty() ? "gpu" : device;
}

}  // namespace nearfar::detail
