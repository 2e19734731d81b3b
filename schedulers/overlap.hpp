// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace nearfar {

/// Our own policy, written on StarPU's scheduling interface: the far-field chain by priority, P2P
/// in its gaps, the largest tasks first, and on GPUs if there are any. See docs/schedulers.md.
starpu_sched_policy& overlap_policy();

}  // namespace nearfar
