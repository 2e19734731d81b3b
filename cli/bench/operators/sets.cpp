// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/operators/sets.hpp"

namespace nearfar::cli {

std::vector<Outputs> sets_of_outputs(KernelInfo const& kernel) {
  std::vector<Outputs> sets;
  Outputs set;
  for (Output const output : list_of(kernel.outputs)) sets.push_back(set = set | output);
  return sets;
}

KernelInfo const& simplest_like(KernelInfo const& kernel) {
  for (KernelInfo const& other : kernel_list())
    if (other.outputs == kernel.outputs) return other;
  return kernel;
}

std::optional<double> screening_for(Kernel kernel, std::optional<double> given) {
  if (!kernel_info(kernel).screening) return {};
  return given.value_or(3);
}

}  // namespace nearfar::cli
