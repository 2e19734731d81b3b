// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <cstddef>
#include <vector>

namespace nearfar::accuracy {

/// What has to be computed beside a virial: the forces on all strengths.
inline Outputs outputs_for_virial(Kernel kernel) {
  return kernel == Kernel::laplace || kernel == Kernel::yukawa ? Output::potential | Output::gradient
                                                               : outputs_of(kernel);
}

/// The report of one solve by a plan in precision T, of points that are their own targets.
template <template <class> class Plan, class T, class Options>
SolveReport report_of(Runtime const& runtime, Options const& options, std::vector<double> const& positions,
                      std::vector<double> const& strengths) {
  Plan<T> plan(runtime, options);
  std::vector<T> const x(positions.begin(), positions.end()), s(strengths.begin(), strengths.end());
  std::vector<T> u(x.size() / 3 * std::size_t(result_components(options.kernel, options.outputs)));
  return plan.submit(plan.set_points(x), s, u).report();
}

}  // namespace nearfar::accuracy
