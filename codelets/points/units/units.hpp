// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/kernels/strength_unit.hpp"

#include <cstdint>

namespace nearfar {

struct LargestArgs {
  int strengths = 1;                ///< numbers of a source in one vector
  int vectors = 1;                  ///< of strengths
  std::int64_t begin = 0, end = 0;  ///< sources, by the caller's order
};

/// The largest |strength| of a range of sources: for each vector one number per group (core/kernels/strength_unit.hpp).
/// What is not finite does not count; bin refuses it.
template <class T>
struct Largest {
  using Args = LargestArgs;
  using Accesses = AccessList<Read,    // the caller's strengths, rows
                              Write>;  // doubles: strength_groups() for each vector
  static constexpr char const* name = "largest";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)
  static constexpr bool gpu_with_all = true;  ///< where GPUs run all stages of a solve, else on CPUs
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
#endif
};

struct UnitsArgs {
  int strengths = 1;
  int vectors = 1;
  int length = 0;  ///< exponent of the unit of length
};

/// The units of a solve, from the largest strengths of all ranges: the same whatever the ranges are.
struct Units {
  using Args = UnitsArgs;
  using Accesses = AccessList<ReadMany,  // largest strengths of all ranges
                              Write>;    // a StrengthUnit for each vector
  static constexpr char const* name = "units";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
