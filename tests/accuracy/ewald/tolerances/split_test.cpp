// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/split/near_kernel.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/kernels/description/description.hpp"
#include "tests/accuracy/measure.hpp"
#include "tests/accuracy/mode_sum.hpp"
#include "tests/core/ewald/near_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

// The numbers that a plan hands to its tasks, without grid, window or tasks: the near kernel summed over pairs and the
// far multiplier over modes must each be what the oracle says. A solve that fails while this passes fails on the grid.

namespace {

constexpr std::size_t count = 60;
constexpr oracle::Box box{1, 1.2, .9};

std::vector<double> near_sum(System const& s, Profile const& profile, double error) {
  auto const near = make_near_kernel<double>(profile, describe(s.kernel).near_layers, error);
  int const in = oracle::strength_row(s.kernel), out = oracle::result_row(s.kernel, s.gradient());
  std::vector<double> u(count * out);
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t n = 0; n < count; ++n) {
      double r[3];
      for (int d = 0; d < 3; ++d) {  // the cutoff is under half an edge: one image
        r[d] = s.targets[3 * t + d] - s.sources[3 * n + d];
        r[d] -= box[d] * std::round(r[d] / box[d]);
      }
      reference::add_near(s.kernel, s.gradient(), near, r, &s.strengths[in * n], &u[out * t]);
    }
  return u;
}

}  // namespace

TEST_CASE("split: near kernel and far multiplier as a plan uses them") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace}) {
    auto const system = random_system(kernel, box, count, count, 21);
    auto const whole = whole_reference(system, oracle::ZeroMode::zero_mean_flow);
    for (auto [split, parameter] : {std::pair{Split::pswf, 36.0}, {Split::gaussian, 5.6}}) {
      EwaldPlanning parameters;
      parameters.cutoff = 0.4;
      parameters.split_parameter = parameter;
      Profile const profile(split, parameter, parameters.cutoff);
      auto const far = far_reference(system, whole, split, parameters);
      auto near = whole;
      for (std::size_t i = 0; i < near.size(); ++i) near[i] -= far[i];
      auto const label = describe(system, split, parameters);
      check_error(label + ", near", system, near_sum(system, profile, 1e-14), near, 1e-12);
      check_error(label + ", far", system, mode_sum(system, profile, 1e-14), far, 1e-12);
    }
  }
}
