// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace nearfar {

/// StarPU's heteroprio takes a task's priority as the number of a bucket. Ours: one
/// per priority for tasks that CPUs keep for themselves, and another one for those
/// that suit GPUs. CPUs take buckets from the highest priority down, GPUs from P2P up.
inline constexpr int heteroprio_buckets = 100, heteroprio_gpu_buckets = 50;

/// The bucket for a task of this priority, 0 to 49.
int heteroprio_bucket(int priority, starpu_codelet const& codelet);

/// For starpu_conf: tells heteroprio about the buckets. nullptr if StarPU's heteroprio has another interface.
void (*heteroprio_set_up())(unsigned context);

}  // namespace nearfar
