// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/direct_shift.hpp"

#include "core/fmm/complex_view.hpp"
#include "core/fmm/harmonics.hpp"

#include <cmath>
#include <vector>

namespace nearfar {

namespace {

/// Adds f(n, m), for every coefficient.
template <class T, class F>
void add_each(int order, T* out, F const& f) {
  for (int n = 0; n <= order; ++n)
    for (int m = 0; m <= n; ++m) set_coefficient(out, n, m, coefficient(out, n, m) + f(n, m));
}

}  // namespace

template <class T>
void shift_multipole(int order, T const t[3], T const* multipole, T* out) {
  std::vector<T> regular(std::size_t(coefficient_count(order)));
  regular_harmonics<T>(order, t[0], t[1], t[2], regular.data());
  add_each(order, out, [&](int n, int m) {
    std::complex<T> sum{};
    for (int k = 0; k <= n; ++k)
      for (int l = -k; l <= k; ++l) sum += coefficient(regular.data(), n - k, m - l) * coefficient(multipole, k, l);
    return sum;
  });
}

template <class T>
void multipole_to_local_with(int order, double const* irregular, T const* multipole, T* out) {
  add_each(order, out, [&](int j, int i) {
    std::complex<double> sum{};
    for (int k = 0; k <= order; ++k)
      for (int l = -k; l <= k; ++l)
        sum += std::conj(std::complex<double>(coefficient(multipole, k, l))) * coefficient(irregular, j + k, i + l);
    return std::complex<T>(j % 2 == 0 ? sum : -sum);
  });
}

template <class T>
void multipole_to_local(int order, T const d[3], T const* multipole, T* out) {
  std::vector<double> irregular(std::size_t(coefficient_count(2 * order)));
  double const x[3] = {double(d[0]), double(d[1]), double(d[2])};
  irregular_harmonics<double>(2 * order, x[0], x[1], x[2], 1 / std::hypot(x[0], x[1], x[2]), irregular.data());
  multipole_to_local_with(order, irregular.data(), multipole, out);
}

template <class T>
void shift_local(int order, T const s[3], T const* local, T* out) {
  std::vector<T> regular(std::size_t(coefficient_count(order)));
  regular_harmonics<T>(order, s[0], s[1], s[2], regular.data());
  add_each(order, out, [&](int j, int i) {
    std::complex<T> sum{};
    for (int n = j; n <= order; ++n)
      for (int m = -n; m <= n; ++m)
        sum += std::conj(coefficient(regular.data(), n - j, m - i)) * coefficient(local, n, m);
    return sum;
  });
}

#define NEARFAR_INSTANTIATE(T)                                             \
  template void shift_multipole(int, T const*, T const*, T*);              \
  template void multipole_to_local_with(int, double const*, T const*, T*); \
  template void multipole_to_local(int, T const*, T const*, T*);           \
  template void shift_local(int, T const*, T const*, T*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
