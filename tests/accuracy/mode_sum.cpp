// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/mode_sum.hpp"

#include "core/ewald/far/far_multiplier.hpp"
#include "core/kernels/description/description.hpp"
#include "core/math/constants.hpp"
#include "tests/oracle/pair.hpp"

#include <array>
#include <cmath>
#include <complex>

namespace nearfar {

namespace {

using Vector = std::array<std::complex<double>, 3>;

/// One source's strengths through the kernel's transform, but for the multiplier of ewald.md, Sec. 1: q, or u.
Vector transformed(Kernel kernel, double const* k, double const* strength) {
  if (kernel == Kernel::laplace) return {strength[0], 0, 0};
  auto const along_k = [&](double const* v) { return k[0] * v[0] + k[1] * v[1] + k[2] * v[2]; };
  std::complex<double> const i(0, 1);
  double const k2 = along_k(k);
  Vector g{};
  std::complex<double> lengthwise = 0;
  if (kernel == Kernel::stokeslet || kernel == Kernel::stokes) g = {strength[0], strength[1], strength[2]};
  if (describe(kernel).has_double_layer()) {
    double const* q = strength + (kernel == Kernel::stokes ? 3 : 0);
    double const* n = q + 3;
    for (std::size_t m = 0; m < 3; ++m) g[m] += i * (q[m] * along_k(n) + n[m] * along_k(q));
    lengthwise = i * (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]);
  }
  for (std::size_t m = 0; m < 3; ++m) lengthwise -= k[m] * g[m] / k2;
  for (std::size_t m = 0; m < 3; ++m) g[m] += k[m] * lengthwise;
  return g;
}

}  // namespace

std::vector<double> mode_sum(System const& s, Profile const& profile, double error) {
  auto const far = make_far_multiplier<double>(profile, describe(s.kernel).base, error);
  int const in = oracle::strength_row(s.kernel), out = oracle::result_row(s.kernel, s.gradient());
  auto const& box = s.box;
  double const volume = box[0] * box[1] * box[2];
  std::size_t const count = s.sources.size() / 3, judged = s.targets.size() / 3;
  std::vector<double> u(judged * out);
  if (s.kernel == Kernel::laplace)
    for (std::size_t t = 0; t < judged; ++t)
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
        auto const phase = [&](double const* p) { return std::polar(1.0, k[0] * p[0] + k[1] * p[1] + k[2] * p[2]); };
        Vector mode{};
        for (std::size_t n = 0; n < count; ++n) {
          auto const g = transformed(s.kernel, k, &s.strengths[in * n]);
          auto const back = std::conj(phase(&s.sources[3 * n]));
          for (std::size_t m = 0; m < 3; ++m) mode[m] += g[m] * back;
        }
        for (std::size_t t = 0; t < judged; ++t) {
          auto const forth = multiplier * phase(&s.targets[3 * t]);
          double* v = &u[out * t];
          if (s.kernel == Kernel::laplace) *v++ += (mode[0] * forth).real();
          for (std::size_t m = 0; m < 3; ++m)
            v[m] += s.kernel == Kernel::laplace ? -k[m] * (mode[0] * forth).imag() : (mode[m] * forth).real();
        }
      }
  return u;
}

}  // namespace nearfar
