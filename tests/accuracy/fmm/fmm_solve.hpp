// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/fmm.hpp>

#include <algorithm>
#include <vector>

namespace nearfar {

/// The library's answer by the multipole method; kernel, gradient and periodicity are set from the system.
template <class T = double>
std::vector<double> solve_fmm(Runtime const& runtime, System const& system, FmmOptions options,
                              FmmPlanning* parameters = nullptr) {
  options.kernel = system.kernel;
  options.outputs = system.outputs();
  options.periodicity = system.periodicity;
  if (system.periodicity != Periodicity::none) options.box = system.box;
  BasicFmm<T> plan(runtime, options);
  std::vector<T> const x(system.sources.begin(), system.sources.end()), y(system.targets.begin(), system.targets.end()),
      f(system.strengths.begin(), system.strengths.end());
  auto const points = system.targets == system.sources ? plan.set_points(x) : plan.set_points(x, y);
  std::vector<T> u(points.targets() * std::size_t(result_components(system.kernel, system.outputs())));
  plan.submit(points, f, u).wait();
  if (parameters != nullptr) *parameters = points.parameters();
  return {u.begin(), u.end()};
}

/// Charges in the unit cube, positive and negative by turns, or all of them 1.
inline System charges(std::size_t count, bool mixed, unsigned seed = 1) {
  System s = random_system(Kernel::laplace, {1, 1, 1}, count, count, seed);
  for (std::size_t i = 0; i < count; ++i) s.strengths[i] = mixed && i % 2 != 0 ? -1 : 1;
  s.periodicity = Periodicity::none;
  return s;
}

struct Errors {
  double potential, gradient;
};

inline Errors errors_of(std::vector<double> const& result, std::vector<double> const& reference) {
  return {oracle::relative_error(result, reference, 4, 0, 1), oracle::relative_error(result, reference, 4, 1, 3)};
}

}  // namespace nearfar
