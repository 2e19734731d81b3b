// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/fourier_space.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/pair.hpp"
#include "tests/oracle/real_space.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nearfar::oracle {

namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

/// The radius at which both parts take the same time: pairs grow like its cube, modes like the inverse of it.
double balanced_cutoff(Kernel kernel, bool gradient, Box const& box, double sources, double targets, double digits) {
  double const volume = box[0] * box[1] * box[2];
  double const pairs = 4 * pi / 3 * sources * targets / volume * 50e-9;  // seconds per pair
  double const modes = std::pow(2 * digits, 3) * volume / (12 * pi * pi) *
                       (sources * strength_row(kernel) + targets * result_row(kernel, gradient)) * 1e-9;
  double const edge = std::min({box[0], box[1], box[2]});
  return std::clamp(std::pow(modes / pairs, 1.0 / 6), 0.4 * edge, 1.5 * edge);
}

/// The mode k = 0 of Laplace: the neutralising background; of the stresslet: zero flux through the faces of the cell.
void add_zero_mode(Kernel kernel, bool gradient, long double volume, std::span<double const> sources,
                   std::span<double const> targets, std::span<double const> strengths, double xi, ZeroMode zero_mode,
                   std::span<long double> result) {
  std::size_t const in = strength_row(kernel), out = result_row(kernel, gradient);
  std::size_t const count = sources.size() / 3;
  if (kernel == Kernel::laplace) {
    long double charge = 0;
    for (double q : strengths) charge += q;
    for (std::size_t t = 0; t < targets.size() / 3; ++t) result[t * out] -= pi * charge / (volume * xi * xi);
  }
  if (has_stresslet(kernel) && zero_mode == ZeroMode::zero_face_flux) {
    long double total = 0, moment[3] = {};
    for (std::size_t n = 0; n < count; ++n) {
      double const* q = &strengths[in * n + (kernel == Kernel::stokes ? 3 : 0)];
      long double const qn = static_cast<long double>(q[0]) * q[3] + static_cast<long double>(q[1]) * q[4] +
                             static_cast<long double>(q[2]) * q[5];
      total += qn;
      for (int j = 0; j < 3; ++j) moment[j] += sources[3 * n + j] * qn;
    }
    for (std::size_t t = 0; t < targets.size() / 3; ++t)
      for (int j = 0; j < 3; ++j) result[t * out + j] -= 8 * pi / volume * (targets[3 * t + j] * total - moment[j]);
  }
}

}  // namespace

std::vector<double> ewald(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                          std::span<double const> targets, std::span<double const> strengths, double accuracy,
                          double cutoff, ZeroMode zero_mode) {
  // Both parts fall like e^{-digits}; the 5 covers the powers in front (ewald.md, Sec. 6: largest for the stresslet).
  double const digits = std::log(1 / accuracy) + 5;
  if (cutoff <= 0)
    cutoff = balanced_cutoff(kernel, gradient, box, double(sources.size() / 3), double(targets.size() / 3), digits);
  double const xi = std::sqrt(digits) / cutoff;
  double const band = 2 * xi * std::sqrt(digits);

  std::vector<long double> sum(targets.size() / 3 * result_row(kernel, gradient));
  add_real_space(kernel, gradient, box, sources, targets, strengths, cutoff, xi, sum);
  add_fourier_space(kernel, gradient, box, sources, targets, strengths, band, xi, sum);
  add_zero_mode(kernel, gradient, static_cast<long double>(box[0]) * box[1] * box[2], sources, targets, strengths, xi,
                zero_mode, sum);
  return {sum.begin(), sum.end()};
}

double relative_error(std::span<double const> a, std::span<double const> b, int width, int first, int count) {
  long double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    int const column = int(i % std::size_t(width));
    if (count > 0 && (column < first || column >= first + count)) continue;
    long double const d = static_cast<long double>(a[i]) - b[i];
    difference += d * d;
    norm += static_cast<long double>(b[i]) * b[i];
  }
  return a.size() == b.size() ? double(std::sqrt(difference / norm)) : HUGE_VAL;
}

}  // namespace nearfar::oracle
