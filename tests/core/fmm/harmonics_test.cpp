// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/harmonics.hpp"

#include "core/fmm/complex_view.hpp"
#include "core/fmm/rotation.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace nearfar;
using Complex = std::complex<double>;
using Point = std::array<double, 3>;

namespace {

std::vector<double> regular(int order, Point const& x) {
  std::vector<double> r(std::size_t(coefficient_count(order)));
  regular_harmonics<double>(order, x[0], x[1], x[2], r.data());
  return r;
}
std::vector<double> irregular(int order, Point const& x) {
  std::vector<double> r(std::size_t(coefficient_count(order)));
  irregular_harmonics<double>(order, x[0], x[1], x[2], 1 / std::hypot(x[0], x[1], x[2]), r.data());
  return r;
}
bool close(Complex a, Complex b, double tolerance) { return std::abs(a - b) <= tolerance * (1e-3 + std::abs(b)); }

Point const a{0.3, -0.2, 0.4}, b{-0.1, 0.5, 0.2}, far_away{2, -1.5, 1.7};

}  // namespace

TEST_CASE("harmonics: known values at (1, 2, 3)") {  // fmm.md, Sec. 1.1
  auto const r = regular(3, {1, 2, 3}), i = irregular(3, {1, 2, 3});
  CHECK(close(coefficient(r.data(), 0, 0), 1, 1e-15));
  CHECK(close(coefficient(r.data(), 1, 1), {0.5, 1}, 1e-15));
  CHECK(close(coefficient(r.data(), 2, 0), 3.25, 1e-15));
  CHECK(close(coefficient(r.data(), 2, 1), {1.5, 3}, 1e-15));
  CHECK(close(coefficient(r.data(), 2, 2), {-0.375, 0.5}, 1e-15));
  CHECK(close(coefficient(r.data(), 3, 0), 0.75, 1e-14));
  CHECK(close(coefficient(r.data(), 3, 3), {-0.2291666667, -0.0416666667}, 1e-9));
  CHECK(close(coefficient(i.data(), 0, 0), 0.267261241912424, 1e-14));
  CHECK(close(coefficient(i.data(), 1, 0), 0.0572702661240909, 1e-14));
  CHECK(close(coefficient(i.data(), 2, 2), {-0.0122721998837338, 0.0163629331783117}, 1e-14));
  CHECK(close(coefficient(i.data(), 3, 1), {0.00905805229513683, 0.0181161045902737}, 1e-14));
}

TEST_CASE("harmonics: 1 / |x - a|") {
  int const order = 60;
  auto const r = regular(order, a), i = irregular(order, far_away);
  double sum = 0;
  for (int n = 0; n <= order; ++n)
    for (int m = -n; m <= n; ++m) sum += (std::conj(coefficient(r.data(), n, m)) * coefficient(i.data(), n, m)).real();
  CHECK(sum * std::hypot(far_away[0] - a[0], far_away[1] - a[1], far_away[2] - a[2]) ==
        doctest::Approx(1).epsilon(1e-15));
}

TEST_CASE("harmonics: addition theorems") {
  int const order = 12, terms = 45;
  auto const ra = regular(terms, a), rb = regular(terms, b),
             sum = regular(order, {a[0] + b[0], a[1] + b[1], a[2] + b[2]});
  auto const ia = irregular(terms + order, far_away);
  auto const moved = irregular(order, {far_away[0] - b[0], far_away[1] - b[1], far_away[2] - b[2]});
  for (int n = 0; n <= order; ++n)
    for (int m = 0; m <= n; ++m) {
      Complex r = 0, i = 0;
      for (int k = 0; k <= n; ++k)
        for (int l = -k; l <= k; ++l) r += coefficient(ra.data(), k, l) * coefficient(rb.data(), n - k, m - l);
      for (int k = 0; k <= terms; ++k)
        for (int l = -k; l <= k; ++l)
          i += std::conj(coefficient(rb.data(), k, l)) * coefficient(ia.data(), n + k, m + l);
      CHECK(std::abs(r - coefficient(sum.data(), n, m)) < 1e-14);
      CHECK(close(i, coefficient(moved.data(), n, m), 1e-11));
    }
}

TEST_CASE("harmonics: derivatives") {
  int const order = 8;
  double const h = 1e-5;
  for (bool outside : {false, true}) {
    auto at = [&](double x, double y, double z) {
      return outside ? irregular(order + 1, {far_away[0] + x, far_away[1] + y, far_away[2] + z})
                     : regular(order + 1, {a[0] + x, a[1] + y, a[2] + z});
    };
    auto const here = at(0, 0, 0);
    std::vector<double> const up[3] = {at(h, 0, 0), at(0, h, 0), at(0, 0, h)};
    std::vector<double> const down[3] = {at(-h, 0, 0), at(0, -h, 0), at(0, 0, -h)};
    for (int n = 0; n <= order; ++n)
      for (int m = 0; m <= n; ++m) {
        Complex d[3];
        for (int k = 0; k < 3; ++k)
          d[k] = (coefficient(up[k].data(), n, m) - coefficient(down[k].data(), n, m)) / (2 * h);
        Complex const i{0, 1};
        auto x = [&](int l, int j) { return coefficient(here.data(), l, j); };
        // (fmm.md, Sec. 1.1): d/dz, d/dx - i d/dy, d/dx + i d/dy
        CHECK(close(d[2], outside ? -x(n + 1, m) : x(n - 1, m), 1e-6));
        CHECK(close(d[0] - i * d[1], outside ? x(n + 1, m - 1) : x(n - 1, m - 1), 1e-6));
        CHECK(close(d[0] + i * d[1], outside ? -x(n + 1, m + 1) : -x(n - 1, m + 1), 1e-6));
      }
  }
}

TEST_CASE("swap matrices: known entries, own inverse, what they do to R") {  // fmm.md, Sec. 1.5
  int const order = 28;
  SwapMatrices const swap(order);
  double const one[3][3] = {{.5, -.5, .5}, {-1, 0, 1}, {.5, .5, .5}};
  for (int m = -1; m <= 1; ++m)
    for (int l = -1; l <= 1; ++l) CHECK(swap(1, m, l) == one[m + 1][l + 1]);
  double const row[5] = {1.5, 0, -.5, 0, 1.5};
  for (int l = -2; l <= 2; ++l) CHECK(swap(2, 0, l) == row[l + 2]);
  auto const r = regular(order, a), swapped = regular(order, {a[2], a[1], a[0]});
  for (int n : {1, 2, 3, 7, 14, 28})
    for (int m = -n; m <= n; ++m) {
      Complex sum = 0;
      double size = 0;
      for (int l = -n; l <= n; ++l) {
        sum += swap(n, m, l) * coefficient(r.data(), n, l);
        size += std::abs(swap(n, m, l) * coefficient(r.data(), n, l));
      }
      CHECK(std::abs(sum - coefficient(swapped.data(), n, m)) < 1e-14 * size);
      for (int l = -n; l <= n; ++l) {
        double square = 0, most = 0;
        for (int k = -n; k <= n; ++k) {
          square += swap(n, m, k) * swap(n, k, l);
          most = std::max(most, std::abs(swap(n, m, k) * swap(n, k, l)));
        }
        CHECK(std::abs(square - (m == l ? 1 : 0)) <= 1e-14 * (1 + most));
      }
    }
  // Half of the entries for m, l >= 0 vanish: fmm.md's example of degree 3.
  double const real[4][4] = {{0, -1, 0, 5}, {-.375, 0, 1.25, 0}, {0, .5, 0, 1.5}, {.125, 0, .25, 0}};
  for (int m = 0; m <= 3; ++m)
    for (int l = 0; l <= 3; ++l)
      CHECK(swap(3, m, l) + (l == 0 ? 0 : (l % 2 == 0 ? 1 : -1) * swap(3, m, -l)) == real[m][l]);
}

TEST_CASE("a turn about y is what it says") {
  int const order = 30;
  SwapMatrices const swap(order);
  for (double angle : {0.0, 0.3, 1.1, 1.5707963267948966, 2.9, 3.141592653589793}) {
    CAPTURE(angle);
    double const s = std::sin(angle), c = std::cos(angle);
    auto const r = regular(order, a), turned = regular(order, {c * a[0] - s * a[2], a[1], s * a[0] + c * a[2]});
    for (int n : {0, 1, 2, 5, 12, 30}) {
      auto const rotation = axis_rotation(swap, n, s, c);
      double size = 0, error = 0;
      for (int m = 0; m <= n; ++m) {
        double re = 0, im = 0;
        for (int l = 0; l <= n; ++l) {
          re += rotation.real(m, l) * coefficient(r.data(), n, l).real();
          im += rotation.imag(m, l) * coefficient(r.data(), n, l).imag();
        }
        size = std::max(size, std::abs(coefficient(turned.data(), n, m)));
        error = std::max(error, std::abs(Complex(re, im) - coefficient(turned.data(), n, m)));
      }
      CHECK(error <= 1e-13 * size);
    }
  }
}
