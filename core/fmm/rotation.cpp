// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/rotation.hpp"

#include <complex>

namespace nearfar {

SwapMatrices::SwapMatrices(int order) {
  degree_.push_back({1.0});
  for (int n = 1; n <= order; ++n) {
    int const width = 2 * n + 1;
    degree_.emplace_back(std::size_t(width * width));
    auto& b = degree_.back();
    auto at = [&](int m, int l) -> double& { return b[std::size_t((m + n) * width + l + n)]; };
    for (int m = -n; m <= n; ++m) {
      at(m, 0) = 0.5 * ((*this)(n - 1, m - 1, 0) - (*this)(n - 1, m + 1, 0));
      for (int l = 1; l <= n; ++l)
        at(m, l) = (*this)(n - 1, m, l - 1) + 0.5 * ((*this)(n - 1, m - 1, l - 1) + (*this)(n - 1, m + 1, l - 1));
    }
    for (int m = -n; m <= n; ++m)
      for (int l = -n; l < 0; ++l) at(m, l) = (m + l) % 2 == 0 ? at(-m, -l) : -at(-m, -l);
  }
}

double SwapMatrices::operator()(int n, int m, int l) const noexcept {
  if (m < -n || m > n || l < -n || l > n) return 0;
  return degree_[std::size_t(n)][std::size_t((m + n) * (2 * n + 1) + l + n)];
}

/// A rotation about y by way of one about z: the frame is turned by -90 degrees about z, its axes x and z are swapped,
/// it is turned about the new z axis, and the first two steps are undone. An entry is the real part of i^(l - m) times
/// a sum over e^(-i k b), of which that takes the cosines or the sines.
AxisRotation axis_rotation(SwapMatrices const& swap, int degree, double sine, double cosine) {
  int const n = degree, width = n + 1;
  auto const terms = std::size_t(2 * n + 1);
  AxisRotation r{n, std::vector<double>(std::size_t(width * width)), std::vector<double>(std::size_t(width * width))};
  std::vector<double> cosines(terms), sines(terms);  // of -k b, k = -n .. n
  std::complex<double> power = 1;
  for (int k = 0; k <= n; ++k, power *= std::complex<double>(cosine, -sine)) {
    cosines[std::size_t(n + k)] = cosines[std::size_t(n - k)] = power.real();
    sines[std::size_t(n + k)] = power.imag();
    sines[std::size_t(n - k)] = -power.imag();
  }
  std::vector<double> rows, columns;
  for (int m = -n; m <= n; ++m)
    for (int k = -n; k <= n; ++k) {
      rows.push_back(swap(n, m, k));
      columns.push_back(swap(n, k, m));
    }
  auto const entry = [&](int m, int l) {
    double const *const row = &rows[std::size_t(n + m) * terms], *const column = &columns[std::size_t(n + l) * terms];
    int const quarters = ((l - m) % 4 + 4) % 4;
    auto const& waves = quarters % 2 == 0 ? cosines : sines;
    double sum = 0;
    for (std::size_t k = 0; k < terms; ++k) sum += row[k] * column[k] * waves[k];
    return quarters == 1 || quarters == 2 ? -sum : sum;
  };
  for (int m = 0; m <= n; ++m)
    for (int l = 0; l <= n; ++l) {
      auto const at = std::size_t(m * width + l);
      double const plus = entry(m, l);
      if (l == 0) {
        r.real_part[at] = plus;
        continue;
      }
      double const minus = l % 2 == 0 ? entry(m, -l) : -entry(m, -l);
      r.real_part[at] = plus + minus;
      if (m > 0) r.imag_part[at] = plus - minus;
    }
  return r;
}

}  // namespace nearfar
