// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/real_space.hpp"

#include "tests/oracle/images.hpp"
#include "tests/oracle/pair.hpp"

#include <numbers>
#include <stdexcept>

namespace nearfar::oracle {

namespace {

template <class T>
Screen<T> gaussian_screen(T xi, T R, T inverse_root_pi) {
  T const slope = 2 * xi * inverse_root_pi * std::exp(-xi * xi * R * R);
  return {std::erfc(xi * R), slope, -2 * xi * xi * R * slope};
}

}  // namespace

void add_real_space(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                    std::span<double const> targets, std::span<double const> strengths, double cutoff, double xi,
                    std::span<long double> result) {
  constexpr long double inverse_root_pi = std::numbers::inv_sqrtpi_v<long double>;
  Images const images(box, sources);
  std::size_t const in = strength_row(kernel), out = result_row(kernel, gradient);
  long double const close = 0.3 / xi;  // few pairs, the largest terms: these in long double
  for (std::size_t t = 0; t < targets.size() / 3; ++t) {
    long double* const u = result.data() + t * out;
    images.visit(&targets[3 * t], cutoff, [&](std::size_t n, long double const* r) {
      double const* strength = &strengths[in * n];
      long double const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      if (r2 == 0) {
        add_self<long double>(kernel, 2 * xi * inverse_root_pi, strength, u);
      } else if (r2 < close * close) {
        long double const R = std::sqrt(r2);
        auto const screen = gaussian_screen<long double>(xi, R, inverse_root_pi);
        add_pair<long double>(kernel, gradient, r, R, screen, strength, u);
      } else {
        double const rd[3] = {double(r[0]), double(r[1]), double(r[2])};
        double const R = std::sqrt(double(r2));
        double term[4] = {};
        add_pair<double>(kernel, gradient, rd, R, gaussian_screen<double>(xi, R, inverse_root_pi), strength, term);
        for (std::size_t j = 0; j < out; ++j) u[j] += term[j];
      }
    });
  }
}

std::vector<double> near_part(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                              std::span<double const> targets, std::span<double const> strengths, double cutoff,
                              Radial const& phi, Radial const& phi1, Radial const& phi2) {
  if (has_stresslet(kernel) && !phi2) throw std::invalid_argument("near_part: a stresslet needs Phi''");
  Images const images(box, sources);
  std::size_t const in = strength_row(kernel), out = result_row(kernel, gradient);
  std::vector<double> result(targets.size() / 3 * out);
  for (std::size_t t = 0; t < targets.size() / 3; ++t) {
    long double u[4] = {};
    images.visit(&targets[3 * t], cutoff, [&](std::size_t n, long double const* r) {
      double const* strength = &strengths[in * n];
      long double const R = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      if (R == 0) return add_self(kernel, phi1(0), strength, u);
      Screen<long double> const screen{1 - phi(R), phi1(R), phi2 ? phi2(R) : 0};
      add_pair(kernel, gradient, r, R, screen, strength, u);
    });
    for (std::size_t j = 0; j < out; ++j) result[t * out + j] = double(u[j]);
  }
  return result;
}

std::vector<double> free_space(Kernel kernel, bool gradient, std::span<double const> sources,
                               std::span<double const> targets, std::span<double const> strengths) {
  std::size_t const in = strength_row(kernel), out = result_row(kernel, gradient);
  std::vector<double> result(targets.size() / 3 * out);
  for (std::size_t t = 0; t < targets.size() / 3; ++t) {
    long double u[4] = {};
    for (std::size_t n = 0; n < sources.size() / 3; ++n) {
      long double r[3];
      for (int d = 0; d < 3; ++d) r[d] = static_cast<long double>(targets[3 * t + d]) - sources[3 * n + d];
      long double const R = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      if (R != 0) add_pair<long double>(kernel, gradient, r, R, {1, 0, 0}, &strengths[in * n], u);
    }
    for (std::size_t j = 0; j < out; ++j) result[t * out + j] = double(u[j]);
  }
  return result;
}

}  // namespace nearfar::oracle
