// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace nearfar::oracle {

namespace {

using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;
const Real root_pi = std::sqrt(pi);

/// A symmetric tensor of rank 3 as a mode of the double layer has it: real and imaginary parts, set for one order of
/// indices and good for all.
class Symmetric {
 public:
  void set(int j, int l, int m, Real value) {
    for (auto const& [a, b, c] : {std::array{j, l, m}, {j, m, l}, {l, j, m}, {l, m, j}, {m, j, l}, {m, l, j}})
      value_[a][b][c] = value;
  }
  /// u_j += factor Q_jlm q_l n_m
  void add(Real factor, double const* q, double const* n, Real* u) const {
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l)
        for (int m = 0; m < 3; ++m) u[j] += factor * value_[j][l][m] * q[l] * n[m];
  }

 private:
  Real value_[3][3][3] = {};
};

/// One pair's part of the far field (ewald.md, Sec. 4): of one mode and its conjugate, or of the mode k = 0.
struct Target {
  Kernel kernel;
  bool gradient;
  double const* strength;
  Real* u;

  double const* q() const { return strength + (kernel == Kernel::stokes ? 3 : 0); }
  double const* n() const { return q() + 3; }
};

/// Periodic along x and y.
class Layer {
 public:
  Layer(Box const& box, double xi, Real band) : lx_(box[0]), ly_(box[1]), xi_(xi), band_(band) {}

  void add(Target const& t, Real const r[3]) const {
    add_constant_mode(t, r[2]);
    long const nx = std::lround(std::floor(band_ * lx_ / (2 * pi))),
               ny = std::lround(std::floor(band_ * ly_ / (2 * pi)));
    for (long i = 0; i <= nx; ++i)
      for (long j = i == 0 ? 1 : -ny; j <= ny; ++j) {
        Real const kx = 2 * pi * i / lx_, ky = 2 * pi * j / ly_, K = std::hypot(kx, ky);
        if (K <= band_) add_mode(t, r, kx, ky, K);
      }
  }

 private:
  void add_constant_mode(Target const& t, Real z) const {
    Real const area = lx_ * ly_, e = std::exp(-xi_ * xi_ * z * z), f = std::erf(xi_ * z);
    if (t.kernel == Kernel::laplace) {
      t.u[0] -= 2 * root_pi / area * (e / xi_ + root_pi * z * f) * t.strength[0];
      if (t.gradient) t.u[3] -= 2 * pi / area * f * t.strength[0];
      return;
    }
    for (int d = 0; d < 2 && has_stokeslet(t.kernel); ++d)
      t.u[d] -= 4 * root_pi / area * (e / (2 * xi_) + root_pi * z * f) * t.strength[d];
    if (!has_stresslet(t.kernel)) return;
    Symmetric tensor;
    for (int d = 0; d < 3; ++d) tensor.set(d, d, 2, -8 * pi * root_pi * xi_ * z * e - 8 * pi * pi * f);
    tensor.add(1 / (2 * pi * area), t.q(), t.n(), t.u);
  }

  void add_mode(Target const& t, Real const r[3], Real kx, Real ky, Real K) const {
    Real const area = lx_ * ly_, z = r[2];
    if (xi_ * std::abs(z) > 60 && K * std::abs(z) > 60) return;  // e^{-K z}, as the product of a huge and a tiny number
    Real const plus = std::exp(K * z) * std::erfc(K / (2 * xi_) + xi_ * z);
    Real const minus = std::exp(-K * z) * std::erfc(K / (2 * xi_) - xi_ * z);
    Real const sum = plus + minus, difference = plus - minus;
    Real const phase = kx * r[0] + ky * r[1], c = std::cos(phase), s = std::sin(phase);
    if (t.kernel == Kernel::laplace) {
      Real const q = 2 * pi / area * t.strength[0];
      t.u[0] += q * c * sum / K;
      if (!t.gradient) return;
      t.u[1] -= q * s * kx * sum / K;
      t.u[2] -= q * s * ky * sum / K;
      t.u[3] += q * c * difference;
      return;
    }
    Real const lambda = std::exp(-K * K / (4 * xi_ * xi_) - xi_ * xi_ * z * z);
    if (has_stresslet(t.kernel)) add_double_layer(t, kx, ky, K, z, lambda, sum, difference, c, s);
    if (!has_stokeslet(t.kernel)) return;
    double const* f = t.strength;
    Real const cl = 2 * root_pi * lambda + pi * xi_ * (sum / K - z * difference), lm = -sum / K - z * difference;
    Real const turn = cl * (ky * f[0] - kx * f[1]) / (4 * xi_ * K * K), across = pi * z * sum / (4 * K);
    Real const re[3] = {turn * ky - pi / 4 * lm * f[0], -turn * kx - pi / 4 * lm * f[1], cl * f[2] / (4 * xi_)};
    Real const im[3] = {-across * kx * f[2], -across * ky * f[2], -across * (kx * f[0] + ky * f[1])};
    for (int d = 0; d < 3; ++d) t.u[d] += 8 / area * (c * re[d] - s * im[d]);
  }

  void add_double_layer(Target const& t, Real kx, Real ky, Real K, Real z, Real lambda, Real sum, Real difference,
                        Real c, Real s) const {
    Real const a = pi * root_pi * lambda / xi_, p = pi * pi, h[2] = {kx / K, ky / K}, k[2] = {kx, ky};
    Real const gauss = -8 * pi * root_pi * xi_ * z * lambda;
    Symmetric re, im;
    for (int d = 0; d < 2; ++d) {
      Real const own = h[d] * h[d], other = h[1 - d] * h[1 - d];
      im.set(d, d, d, 4 * k[d] * (a * (1 + 2 * other) + p * ((2 + other) * sum / K + own * z * difference)));
      im.set(d, d, 1 - d, -4 * k[1 - d] * (a * (1 - 2 * other) - p * (other * sum / K + own * z * difference)));
      im.set(d, 2, 2, 4 * k[d] * (a - p * z * difference));
      re.set(d, d, 2, gauss + 4 * p * (K * own * z * sum + difference));
    }
    re.set(2, 2, 2, gauss - 4 * p * (K * z * sum - difference));
    re.set(0, 1, 2, 4 * p * K * h[0] * h[1] * z * sum);
    Real const factor = 1 / (pi * lx_ * ly_);
    re.add(factor * c, t.q(), t.n(), t.u);
    im.add(-factor * s, t.q(), t.n(), t.u);
  }

  Real lx_, ly_, xi_, band_;
};

/// K_n(u, v) = int_1^inf t^(-n-1) e^(-u t - v / t) dt for n = 0, 1 and 2, with t = e^s, by Gauss-Legendre on short
/// panels.
class IncompleteBessel {
 public:
  IncompleteBessel() {
    for (int i = 0; i < order; ++i) {
      Real x = std::cos(pi * (i + 0.75L) / (order + 0.5L)), slope = 1;
      for (int step = 0; step < 20; ++step) {
        Real p0 = 1, p1 = x;
        for (int n = 2; n <= order; ++n) {
          Real const p2 = ((2 * n - 1) * x * p1 - (n - 1) * p0) / n;
          p0 = p1, p1 = p2;
        }
        slope = order * (x * p1 - p0) / (x * x - 1);
        x -= p1 / slope;
      }
      node_[i] = x;
      weight_[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  void operator()(Real u, Real v, Real& k0, Real& k1, Real& k2) const {
    k0 = k1 = k2 = 0;
    Real const end = std::log1p(60 / u), width = end / panels;
    for (int p = 0; p < panels; ++p)
      for (int i = 0; i < order; ++i) {
        Real const t = std::exp(width * (p + (1 + node_[i]) / 2));
        Real const value = width / 2 * weight_[i] * std::exp(-u * t - v / t);
        k0 += value;
        k1 += value / t;
        k2 += value / (t * t);
      }
  }

 private:
  static constexpr int order = 24, panels = 4;
  Real node_[order], weight_[order];
};

/// Periodic along x.
class Line {
 public:
  Line(Box const& box, double xi, Real band) : length_(box[0]), xi_(xi), band_(band) {}

  void add(Target const& t, Real const r[3]) const {
    add_constant_mode(t, r);
    for (int n = 1; 2 * pi * n / length_ <= band_; ++n) add_mode(t, r, 2 * pi * n / length_);
  }

 private:
  void add_constant_mode(Target const& t, Real const r[3]) const {
    Real const rho2 = r[1] * r[1] + r[2] * r[2], v = xi_ * xi_ * rho2, e = std::exp(-v);
    Real const log_part =
        rho2 > 0 ? std::log(rho2) - std::expint(-v) : -(std::numbers::egamma_v<Real> + 2 * std::log(xi_));
    // (1 - e^-v) / rho^2
    Real const shrink = rho2 > 0 ? -std::expm1(-v) / rho2 : xi_ * xi_;
    if (t.kernel == Kernel::laplace) {
      Real const q = t.strength[0] / length_;
      t.u[0] -= q * log_part;
      for (int d = 1; d < 3 && t.gradient; ++d) t.u[1 + d] -= 2 * q * r[d] * shrink;
      return;
    }
    if (has_stresslet(t.kernel)) {
      Real const k1 = shrink / (xi_ * xi_), k2 = v > 1e-4L ? (1 - (1 + v) * e) / (v * v) : 0.5L - v / 3 + v * v / 8;
      double_layer(r, 0, v, 0, k1, k2).add(1 / length_, t.q(), t.n(), t.u);
    }
    if (!has_stokeslet(t.kernel)) return;
    double const* f = t.strength;
    Real const b = e - log_part, along = r[1] * f[1] + r[2] * f[2];
    t.u[0] += 2 / length_ * (b - 2) * f[0];
    for (int d = 1; d < 3; ++d) t.u[d] += ((e + b - 3) * f[d] + 2 * shrink * along * r[d]) / length_;
  }

  void add_mode(Target const& t, Real const r[3], Real k) const {
    Real const y = r[1], z = r[2], u = k * k / (4 * xi_ * xi_), v = xi_ * xi_ * (y * y + z * z);
    Real k0, k1, k2;
    bessel_(u, v, k0, k1, k2);
    Real const c = std::cos(k * r[0]), s = std::sin(k * r[0]);
    if (t.kernel == Kernel::laplace) {
      Real const q = 2 / length_ * t.strength[0];
      t.u[0] += q * c * k0;
      if (!t.gradient) return;
      t.u[1] -= q * k * s * k0;
      t.u[2] -= q * 2 * xi_ * xi_ * y * c * k1;
      t.u[3] -= q * 2 * xi_ * xi_ * z * c * k1;
      return;
    }
    Real const lower = std::exp(-u - v) + v * k1;  // u K_-1
    if (has_stresslet(t.kernel)) {
      Real const across = 4 * lower, yz = 4 * xi_ * xi_ * k1;  // k^2 K_-1 / xi^2 = 4 u K_-1
      Symmetric imaginary;
      imaginary.set(0, 0, 0, k / 2 * (across + 12 * k0 - 12 * v * k1));
      imaginary.set(0, 1, 1, k / 2 * (across + yz * (y * y - z * z)));
      imaginary.set(0, 2, 2, k / 2 * (across + yz * (z * z - y * y)));
      imaginary.set(0, 1, 2, k * yz * y * z);
      double_layer(r, k, v, k0, k1, k2).add(2 / length_ * c, t.q(), t.n(), t.u);
      imaginary.add(-2 / length_ * s, t.q(), t.n(), t.u);
    }
    if (!has_stokeslet(t.kernel)) return;
    double const* f = t.strength;
    Real const near = k0 / 2 + lower, square = xi_ * xi_ * k1;
    Real const re[3] = {f[0] * (k0 - v * k1), f[1] * (near - z * z * square) + f[2] * y * z * square,
                        f[2] * (near - y * y * square) + f[1] * y * z * square};
    Real const im[3] = {-k / 2 * k0 * (y * f[1] + z * f[2]), -k / 2 * k0 * y * f[0], -k / 2 * k0 * z * f[0]};
    for (int d = 0; d < 3; ++d) t.u[d] += 4 / length_ * (c * re[d] - s * im[d]);
  }

  /// The real part.
  Symmetric double_layer(Real const r[3], Real k, Real v, Real k0, Real k1, Real k2) const {
    Real const square = xi_ * xi_;
    Symmetric re;
    for (int d = 1; d < 3; ++d) {
      Real const x = r[d], other = r[3 - d], difference = x * x - other * other;
      re.set(0, 0, d, x * (k * k * k0 - 8 * square * k1 + 4 * square * v * k2));
      re.set(d, d, d, x * (-3 * k * k * k0 - 12 * square * k1 + 4 * square * (v + 2 * square * other * other) * k2));
      re.set(d, 3 - d, 3 - d, x * (-k * k * k0 - 4 * square * k1 + 4 * square * square * difference * k2));
    }
    return re;
  }

  Real length_, xi_, band_;
  IncompleteBessel bessel_;
};

template <class Modes>
void add_far(Modes const& modes, Kernel kernel, bool gradient, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::vector<double>& result) {
  std::size_t const in = strength_row(kernel), out = result_row(kernel, gradient);
  for (std::size_t t = 0; t < targets.size() / 3; ++t) {
    Real u[4] = {};
    for (std::size_t n = 0; n < sources.size() / 3; ++n) {
      Real r[3];
      for (std::size_t d = 0; d < 3; ++d) r[d] = Real(targets[3 * t + d]) - sources[3 * n + d];
      modes.add({kernel, gradient, &strengths[in * n], u}, r);
    }
    for (std::size_t d = 0; d < out; ++d) result[out * t + d] = double(Real(result[out * t + d]) + u[d]);
  }
}

}  // namespace

Box without_images(Periodicity periodicity, Box box, std::span<double const> points, double cutoff) {
  for (std::size_t d = std::size_t(periodicity); d < 3; ++d) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t i = d; i < points.size(); i += 3) {
      low = std::min(low, points[i]);
      high = std::max(high, points[i]);
    }
    box[d] = high - low + 2 * cutoff;
  }
  return box;
}

std::vector<double> mixed_ewald(Kernel kernel, bool gradient, Periodicity periodicity, Box const& box,
                                std::span<double const> sources, std::span<double const> targets,
                                std::span<double const> strengths, double cutoff) {
  Real const digits = 5.9;  // erfc(5.9) = 7e-17
  double const xi = double(digits / cutoff);
  Real const band = 2 * xi * digits;
  std::vector<double> all(sources.begin(), sources.end());
  all.insert(all.end(), targets.begin(), targets.end());
  auto result = near_part(
      kernel, gradient, without_images(periodicity, box, all, cutoff), sources, targets, strengths, cutoff,
      [&](Real r) { return std::erf(xi * r); }, [&](Real r) { return 2 * xi / root_pi * std::exp(-xi * xi * r * r); },
      [&](Real r) { return -4 * xi * xi * xi * r / root_pi * std::exp(-xi * xi * r * r); });
  if (periodicity == Periodicity::xy)
    add_far(Layer(box, xi, band), kernel, gradient, sources, targets, strengths, result);
  else if (periodicity == Periodicity::x)
    add_far(Line(box, xi, band), kernel, gradient, sources, targets, strengths, result);
  else throw std::invalid_argument("not a mixed periodicity");
  return result;
}

}  // namespace nearfar::oracle
