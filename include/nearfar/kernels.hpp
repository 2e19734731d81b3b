// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <vector>

namespace nearfar {

/// A kernel, and what can be asked of it. Columns, numbers and names: nearfar/kernel.hpp.
struct KernelInfo {
  Kernel kernel;
  Outputs outputs;      ///< all that it has; Ewald sums and direct sums compute any set of them that holds the first
  Outputs fmm_outputs;  ///< those that the multipole method computes; empty: it does not sum this kernel

  /// In which boxes Ewald sums and multipole sums repeat it. Direct sums are in free space.
  std::vector<Periodicity> periodicities, fmm_periodicities;

  /// The fewest with which reports of whole sums have an energy, and a virial if that is asked for
  /// (EwaldOptions::virial); empty: it has none.
  Outputs energy_outputs, virial_outputs;

  // Options of its own (EwaldOptions): one that it lacks is refused.
  bool screening;     ///< needs a screening
  bool zero_mode;     ///< in a box periodic xyz
  bool gauge_length;  ///< in a box with one period
};

/// Every kernel, in the order of the enumeration: made from their descriptions, once. Thread-safe.
std::vector<KernelInfo> const& kernel_list();

/// That of one kernel. Throws std::logic_error for a value that is none of the enumeration.
KernelInfo const& kernel_info(Kernel kernel);

}  // namespace nearfar
