// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_alias.hpp"

#include <mutex>

namespace nearfar {

/// Calls prepare() the first time that a GPU is the current one, once for each type of `prepare`. For .cu files.
template <class F>
void once_per_device(F const& prepare) {
  constexpr int max_devices = 64;
  static std::once_flag prepared[max_devices];
  int device = 0;
  gpu_expect(gpu_device(&device), "no device for translations");
  std::call_once(prepared[device % max_devices], prepare);
}

}  // namespace nearfar
