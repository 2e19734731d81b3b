// SPDX-License-Identifier: BSD-3-Clause
#include "core/constants.hpp"
#include "core/far_multiplier.hpp"
#include "core/near_kernel.hpp"
#include "core/profile.hpp"
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

// The numbers that a plan hands to its tasks, without grid, window or tasks: the near kernel summed over pairs and the
// far multiplier over modes must each be what the oracle says. A solve that fails while this passes fails on the grid.

namespace {

constexpr std::size_t count = 60;
constexpr oracle::Box box{1, 1.2, .9};

std::vector<double> near_sum(System const& s, Profile const& profile, double error) {
  auto const near = make_near_kernel<double>(profile, s.kernel, error);
  int const in = oracle::strength_row(s.kernel), out = oracle::result_row(s.kernel, s.gradient());
  std::vector<double> u(count * out);
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t n = 0; n < count; ++n) {
      double r[3], r2 = 0;
      for (int d = 0; d < 3; ++d) {  // the cutoff is under half an edge: one image
        r[d] = s.targets[3 * t + d] - s.sources[3 * n + d];
        r[d] -= box[d] * std::round(r[d] / box[d]);
        r2 += r[d] * r[d];
      }
      if (r2 > near.cutoff_squared) continue;
      double const inverse = r2 > 0 ? 1 / std::sqrt(r2) : 0, x = near.scale * r2 - 1;
      double const a = inverse - near.a(x), b = inverse * inverse * inverse - near.b(x);
      double const* f = &s.strengths[in * n];
      if (s.kernel == Kernel::laplace) {
        u[out * t] += a * f[0];
        for (int j = 0; j < 3; ++j) u[out * t + 1 + j] -= b * f[0] * r[j];
      } else {
        for (int j = 0; j < 3; ++j) u[out * t + j] += a * f[j] + b * (r[0] * f[0] + r[1] * f[1] + r[2] * f[2]) * r[j];
      }
    }
  return u;
}

std::vector<double> far_sum(System const& s, Profile const& profile, double error) {
  auto const far = make_far_multiplier<double>(profile, s.kernel, error);
  int const in = oracle::strength_row(s.kernel), out = oracle::result_row(s.kernel, s.gradient());
  double const volume = box[0] * box[1] * box[2];
  std::vector<double> u(count * out);
  if (s.kernel == Kernel::laplace)
    for (std::size_t t = 0; t < count; ++t)
      for (double q : s.strengths) u[out * t] -= 2 * pi<double> * double(profile.second_moment()) * q / volume;
  int last[3];
  for (int d = 0; d < 3; ++d) last[d] = int(std::sqrt(far.band_squared) * box[d] / (2 * pi<double>)) + 1;
  for (int i = -last[0]; i <= last[0]; ++i)
    for (int j = -last[1]; j <= last[1]; ++j)
      for (int l = -last[2]; l <= last[2]; ++l) {
        double const k[3] = {2 * pi<double> * i / box[0], 2 * pi<double> * j / box[1], 2 * pi<double> * l / box[2]};
        double const k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        if (k2 == 0 || k2 > far.band_squared) continue;
        double const multiplier = far(k2) / volume;
        auto const angle = [&](double const* p) { return k[0] * p[0] + k[1] * p[1] + k[2] * p[2]; };
        double c[3] = {}, d[3] = {};  // structure factors c - i d
        for (std::size_t n = 0; n < count; ++n)
          for (int m = 0; m < in; ++m) {
            c[m] += s.strengths[in * n + m] * std::cos(angle(&s.sources[3 * n]));
            d[m] += s.strengths[in * n + m] * std::sin(angle(&s.sources[3 * n]));
          }
        double const kc = angle(c) / k2, kd = angle(d) / k2;
        for (std::size_t t = 0; t < count; ++t) {
          double const cosine = std::cos(angle(&s.targets[3 * t])), sine = std::sin(angle(&s.targets[3 * t]));
          double* v = &u[out * t];
          if (s.kernel == Kernel::laplace) {
            v[0] += multiplier * (c[0] * cosine + d[0] * sine);
            for (int m = 0; m < 3; ++m) v[1 + m] += multiplier * k[m] * (d[0] * cosine - c[0] * sine);
          } else {
            for (int m = 0; m < 3; ++m)
              v[m] += multiplier * ((c[m] - k[m] * kc) * cosine + (d[m] - k[m] * kd) * sine);
          }
        }
      }
  return u;
}

}  // namespace

TEST_CASE("split: near kernel and far multiplier as a plan uses them") {
  for (Kernel kernel : {Kernel::stokeslet, Kernel::laplace}) {
    auto const system = random_system(kernel, box, count, count, 21);
    auto const whole = whole_reference(system);
    for (auto [split, parameter] : {std::pair{Split::pswf, 36.0}, {Split::gaussian, 5.6}}) {
      EwaldParameters parameters;
      parameters.cutoff = 0.4;
      parameters.split_parameter = parameter;
      Profile const profile(split, parameter, parameters.cutoff);
      auto const far = far_reference(system, whole, split, parameters);
      auto near = whole;
      for (std::size_t i = 0; i < near.size(); ++i) near[i] -= far[i];
      auto const label = describe(system, split, parameters);
      check_error(label + ", near", system, near_sum(system, profile, 1e-14), near, 1e-12);
      check_error(label + ", far", system, far_sum(system, profile, 1e-14), far, 1e-12);
    }
  }
}
