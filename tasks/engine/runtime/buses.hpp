// SPDX-License-Identifier: BSD-3-Clause
// StarPU measures the buses of a machine when it first starts there. It resets all NVIDIA GPUs for that, with what this
// process has on them: data of the caller's, or of a library such as PyTorch.
#pragma once

#include <string>

namespace nearfar::detail {

/// NVIDIA GPUs as this process sees them.
struct NvidiaGpus {
  int count = 0;  ///< 0 as long as nothing has called the driver
  int used = -1;  ///< the first on which this process has a context, and so perhaps data; -1: none
};
NvidiaGpus nvidia_gpus();

/// Whether StarPU has a record of the buses of this machine with so many GPUs.
bool buses_are_recorded(int gpus);

/// Runs `program info`, whose StarPU measures, in a process of its own. Whether it ended well.
bool measure_buses_by(std::string const& program);

/// Has another process measure where StarPU would reset a GPU that is in use. Throws Error{no_resource} if that fails.
void keep_gpus_in_use();

}  // namespace nearfar::detail
