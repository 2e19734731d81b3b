// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/operators/sets.hpp"

namespace nearfar::cli {

std::vector<Outputs> sets_of_outputs(KernelInfo const& kernel) {
  std::vector<Outputs> sets;
  Outputs set;
  for (Output const output : list_of(kernel.outputs)) sets.push_back(set = set | output);
  return sets;
}

std::optional<double> screening_for(Kernel kernel, std::optional<double> given) {
  if (!kernel_info(kernel).screening) return {};
  return given.value_or(3);
}

}  // namespace nearfar::cli
