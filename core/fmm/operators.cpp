// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/operators.hpp"

#include "core/fmm/packed.hpp"
#include "core/fmm/rotation.hpp"
#include "core/math/expects.hpp"
#include "core/tree/vectors.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <utility>

namespace nearfar {

namespace {

/// Which matrix is made from the rotation of multipoles about y, up to the factors given beside it. Locals rotate such
/// that the sum of conj(M) L is invariant.
enum class Turn { multipole, multipole_back, local, local_back };

double entry(Turn turn, AxisRotation const& r, bool imag, int m, int l) {
  auto at = [&](int row, int column) { return imag ? r.imag(row, column) : r.real(row, column); };
  double const back = (m + l) % 2 == 0 ? 1 : -1;
  double const weight = (l == 0 ? 1.0 : 2.0) / (m == 0 ? 1.0 : 2.0);
  switch (turn) {
    case Turn::multipole: return at(m, l);
    case Turn::multipole_back: return back * at(m, l);
    case Turn::local: return back * weight * at(l, m);
    case Turn::local_back: return weight * at(l, m);
  }
  return 0;
}

/// Appends the matrices of all degrees in panels; scale(n, m, l) is a sign or a power of two.
template <class T, class Scale>
void append_panels(std::vector<T>& out, std::vector<AxisRotation> const& rotations, Turn turn, Scale const& scale) {
  for (auto const& r : rotations)
    for (bool imag : {false, true}) {
      int const n = r.degree, low = imag ? 1 : 0;
      for (int row = low, rows = 0; row <= n; row += rows) {
        rows = rows_of_panel(n + 1 - row);
        for (int l = low; l <= n; ++l)
          for (int m = row; m < row + rows; ++m) out.push_back(T(scale(n, m, l) * entry(turn, r, imag, m, l)));
      }
    }
}

std::vector<AxisRotation> rotations(SwapMatrices const& swap, int order, double sine, double cosine) {
  std::vector<AxisRotation> r;
  for (int n = 0; n <= order; ++n) r.push_back(axis_rotation(swap, n, sine, cosine));
  return r;
}

/// Cosines and sines of the azimuth of (x, y): plain ones, then those for even and for odd degrees that include the
/// sign of the reflection z -> -z, (-1)^(n+m). Returns where they begin.
template <class T>
std::int32_t append_phases(std::vector<T>& out, int order, double x, double y) {
  auto const at = std::int32_t(out.size());
  double const rho = std::hypot(x, y);
  std::complex<double> const unit = rho > 0 ? std::complex<double>(x / rho, y / rho) : 1.0;
  for (int variant = 0; variant < 3; ++variant) {
    std::complex<double> power = variant == 2 ? -1.0 : 1.0;
    for (int m = 0; m <= order; ++m, power *= variant == 0 ? unit : -unit) {
      out.push_back(T(power.real()));
      out.push_back(T(power.imag()));
    }
  }
  return at;
}

auto const as_it_is = [](int, int, int) { return 1.0; };

}  // namespace

template <class T>
std::vector<T> make_fmm_operators(int order, int separation, std::array<double, 3> const& aspect) {
  EXPECTS(order >= 0 && order <= max_fmm_order && (separation == 1 || separation == 2), order, separation);
  SwapMatrices const swap(order);
  int const count = vector_count(separation);
  std::vector<std::int32_t> word(std::size_t(FmmOperators<T>::head + 2 * count));
  std::vector<T> out((word.size() * sizeof(std::int32_t) + sizeof(T) - 1) / sizeof(T));

  word[0] = order;
  word[1] = separation;
  word[2] = std::int32_t(out.size());
  double const across = std::hypot(aspect[0], aspect[1]), diagonal = std::hypot(across, aspect[2]);
  auto const octant = rotations(swap, order, across / diagonal, aspect[2] / diagonal);
  append_panels(out, octant, Turn::multipole, [](int n, int, int) { return std::ldexp(1.0, -n); });
  append_panels(out, octant, Turn::multipole_back, as_it_is);
  append_panels(out, octant, Turn::local, as_it_is);
  append_panels(out, octant, Turn::local_back, [](int n, int, int) { return std::ldexp(1.0, -n - 1); });
  out.resize(out.size() + std::size_t(order));
  double term = 1;
  for (int n = 0; n <= order; term *= diagonal / 2 / ++n) out.push_back(T(term));
  word[3] = std::int32_t(out.size());
  for (double x : {-0.5, 0.5})
    for (double y : {-0.5, 0.5}) append_phases(out, order, x * aspect[0], y * aspect[1]);

  std::map<std::pair<double, double>, std::int32_t> matrices;
  std::map<std::pair<int, int>, std::int32_t> phases;
  for (int id = 0; id < count; ++id) {
    int d[3];
    vector_of(id, separation, d);
    if (std::abs(d[0]) <= separation && std::abs(d[1]) <= separation && std::abs(d[2]) <= separation) continue;
    double const x = d[0] * aspect[0], y = d[1] * aspect[1], rho2 = x * x + y * y;
    double const height = std::abs(d[2] * aspect[2]);
    auto const [known, is_new] = matrices.try_emplace({rho2, height}, std::int32_t(out.size()));
    if (is_new) {
      double const distance = std::sqrt(rho2 + height * height);
      auto const turns = rotations(swap, order, std::sqrt(rho2) / distance, height / distance);
      append_panels(out, turns, Turn::multipole, as_it_is);
      append_panels(out, turns, Turn::local_back, [](int n, int, int l) { return (n + l) % 2 == 0 ? 1.0 : -1.0; });
      double t = 1 / (2 * distance);  // the sides are 2
      for (int n = 0; n <= 2 * order; t *= ++n / (2 * distance)) out.push_back(T(t));
    }
    auto const [direction, is_new_direction] = phases.try_emplace({d[0], d[1]}, std::int32_t(out.size()));
    if (is_new_direction) append_phases(out, order, x, y);
    std::size_t const at = std::size_t(FmmOperators<T>::head + 2 * id);
    word[at] = known->second;
    word[at + 1] = d[2] < 0 ? -direction->second : direction->second;
  }
  std::memcpy(out.data(), word.data(), word.size() * sizeof(std::int32_t));
  return out;
}

template std::vector<double> make_fmm_operators(int, int, std::array<double, 3> const&);
template std::vector<float> make_fmm_operators(int, int, std::array<double, 3> const&);

}  // namespace nearfar
