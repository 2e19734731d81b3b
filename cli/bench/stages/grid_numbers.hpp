// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>
#include <nearfar/kernel.hpp>

#include <string>

namespace nearfar::cli {

/// Numbers of a grid point that P2G spreads, and that G2P gathers.
struct GridNumbers {
  double spread, gathered;
};

/// Those of the kernels whose stages are measured; throws Error{bad_input} for others.
inline GridNumbers grid_numbers(Kernel kernel) {
  switch (kernel) {
    case Kernel::laplace: return {1, 1};
    case Kernel::stokeslet: return {3, 3};
    case Kernel::stresslet:
    case Kernel::stokes: return {4, 3};
    default:
      throw Error{Fault::bad_input,
                  "kernel is " + std::string(name(kernel)) +
                      " (how many numbers it has on the grid is not known to the measurements of single stages). Give "
                      "laplace, stokeslet, stresslet or stokes, or measure whole sums: nearfar bench operators"};
  }
}

}  // namespace nearfar::cli
