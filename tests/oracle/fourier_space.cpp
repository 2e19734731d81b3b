// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/fourier_space.hpp"

#include "tests/oracle/pair.hpp"
#include "tests/oracle/phases.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace nearfar::oracle {

namespace {

using Complex = std::complex<long double>;

constexpr std::size_t max_fields = 9;  // f, and the six of q n + n q

constexpr std::size_t field_count(Kernel kernel) {
  return kernel == Kernel::laplace ? 1 : (has_stokeslet(kernel) ? 3 : 0) + (has_stresslet(kernel) ? 6 : 0);
}

/// Sums of the four products of a complex amplitude (a, b) with a phase (c, s), over one block.
struct Products {
  long double ac = 0, bc = 0, as = 0, bs = 0;

  void add(Lanes const& a, Lanes const& b, Lanes const& c, Lanes const& s) {
    constexpr std::size_t width = 4;  // independent sums, which the compiler may turn into vectors
    double sum[4][width] = {};
    for (std::size_t i = 0; i < lanes; i += width)
      for (std::size_t l = 0; l < width; ++l) {
        sum[0][l] += a[i + l] * c[i + l];
        sum[1][l] += b[i + l] * c[i + l];
        sum[2][l] += a[i + l] * s[i + l];
        sum[3][l] += b[i + l] * s[i + l];
      }
    auto const total = [](double const* v) { return (v[0] + v[1]) + (v[2] + v[3]); };
    ac += total(sum[0]);
    bc += total(sum[1]);
    as += total(sum[2]);
    bs += total(sum[3]);
  }
};

/// Amplitudes of one source: q | f | q n + n q (xx yy zz xy xz yz), each with its own structure factor.
void set_fields(Kernel kernel, double const* strength, double* field) {
  if (kernel == Kernel::laplace) *field++ = strength[0];
  if (has_stokeslet(kernel)) field = std::copy_n(strength, 3, field);
  if (has_stresslet(kernel)) {
    double const* q = strength + (kernel == Kernel::stokes ? 3 : 0);
    double const* n = q + 3;
    for (int j = 0; j < 3; ++j) *field++ = 2 * q[j] * n[j];
    for (auto [j, l] : {std::pair{0, 1}, {0, 2}, {1, 2}}) *field++ = q[j] * n[l] + q[l] * n[j];
  }
}

/// Structure factors sum_n field e^{-i k y}, of all fields and modes: [field * modes + mode].
std::vector<Products> structure_factors(Kernel kernel, Box const& box, std::span<double const> sources,
                                        std::span<double const> strengths, Modes const& modes) {
  std::size_t const fields = field_count(kernel), count = sources.size() / 3;
  std::vector<Products> factors(fields * modes.count);
  std::vector<Lanes> amplitude(fields);
  PhaseBlock phases(modes);
  Lanes a, b;
  for (std::size_t first = 0; first < count; first += lanes) {
    phases.set(box, sources, first);
    for (std::size_t i = 0; i < lanes; ++i) {
      double field[max_fields] = {};
      if (first + i < count) set_fields(kernel, &strengths[(first + i) * strength_row(kernel)], field);
      for (std::size_t f = 0; f < fields; ++f) amplitude[f][i] = field[f];
    }
    for (Row const& row : modes.rows) {
      phases.start_row(row);
      for (std::size_t f = 0; f < fields; ++f) {
        for (std::size_t i = 0; i < lanes; ++i) {
          a[i] = amplitude[f][i] * phases.row_cosine[i];
          b[i] = -amplitude[f][i] * phases.row_sine[i];
        }
        Products* const factor = &factors[f * modes.count + row.first];
        for (int nz = 0; nz <= row.last; ++nz) factor[nz].add(a, b, phases.z.cosine(nz), phases.z.sine(nz));
      }
    }
  }
  return factors;
}

/// The far field of one mode (ewald.md, Sec. 1) from its structure factors; q = k^2 / (4 xi^2).
/// With G = F + i (M + M^T) k and s = tr M: u = (8 pi w / k^2) [(I - kk/k^2) G + i k s], w = (1 + q) e^{-q}.
void far_mode(Kernel kernel, bool gradient, long double const* k, double xi, Complex const* field, Complex* u) {
  constexpr long double pi = std::numbers::pi_v<long double>;
  constexpr Complex i{0, 1};
  long double const k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  long double const q = k2 / (4 * static_cast<long double>(xi) * xi);
  if (kernel == Kernel::laplace) {
    u[0] = 4 * pi * std::exp(-q) / k2 * field[0];
    if (gradient)
      for (int j = 0; j < 3; ++j) u[1 + j] = i * k[j] * u[0];
    return;
  }
  Complex g[3] = {}, trace = 0;
  if (has_stokeslet(kernel)) {
    std::copy_n(field, 3, g);
    field += 3;
  }
  if (has_stresslet(kernel)) {
    Complex const &xx = field[0], &yy = field[1], &zz = field[2], &xy = field[3], &xz = field[4], &yz = field[5];
    g[0] += i * (xx * k[0] + xy * k[1] + xz * k[2]);
    g[1] += i * (xy * k[0] + yy * k[1] + yz * k[2]);
    g[2] += i * (xz * k[0] + yz * k[1] + zz * k[2]);
    trace = (xx + yy + zz) / 2.0L;
  }
  Complex const along = (k[0] * g[0] + k[1] * g[1] + k[2] * g[2]) / k2;
  for (int j = 0; j < 3; ++j) u[j] = 8 * pi * (1 + q) * std::exp(-q) / k2 * (g[j] - k[j] * along + i * k[j] * trace);
}

/// What the modes +nz and -nz of a row add at a target: e^{i (kx x + ky y)} (even cos kz z + odd sin kz z).
struct Pair {
  std::complex<double> even, odd;
};

/// All modes with nz >= 0 of all results: [result * modes + mode].
std::vector<Pair> far_modes(Kernel kernel, bool gradient, Box const& box, double xi, Modes const& modes,
                            std::vector<Products> const& factors) {
  std::size_t const fields = field_count(kernel), out = result_row(kernel, gradient);
  long double const per_volume = 1 / (static_cast<long double>(box[0]) * box[1] * box[2]);
  std::vector<Pair> pairs(out * modes.count);
  for (Row const& row : modes.rows)
    for (int nz = 0; nz <= row.last; ++nz) {
      bool const origin = row.nx == 0 && row.ny == 0;
      if (origin && nz == 0) continue;
      // A row stands for its conjugate, but (0, 0) is whole; nz = 0 would come twice, as +0 and -0.
      long double const weight = (origin ? 1 : 2) * (nz == 0 ? 0.5L : 1) * per_volume;
      Complex up_field[max_fields], down_field[max_fields], up[4] = {}, down[4] = {};
      for (std::size_t f = 0; f < fields; ++f) {
        Products const& p = factors[f * modes.count + row.first + nz];
        up_field[f] = {p.ac + p.bs, p.bc - p.as};
        down_field[f] = {p.ac - p.bs, p.bc + p.as};
      }
      long double k[3] = {row.nx * modes.step[0], row.ny * modes.step[1], nz * modes.step[2]};
      far_mode(kernel, gradient, k, xi, up_field, up);
      k[2] = -k[2];
      far_mode(kernel, gradient, k, xi, down_field, down);
      for (std::size_t j = 0; j < out; ++j) {
        Complex const even = weight * (up[j] + down[j]), odd = weight * Complex(0, 1) * (up[j] - down[j]);
        pairs[j * modes.count + row.first + nz] = {std::complex<double>(even), std::complex<double>(odd)};
      }
    }
  return pairs;
}

}  // namespace

void add_fourier_space(Kernel kernel, bool gradient, Box const& box, std::span<double const> sources,
                       std::span<double const> targets, std::span<double const> strengths, double band, double xi,
                       std::span<long double> result) {
  Modes const modes = make_modes(box, band);
  auto const factors = structure_factors(kernel, box, sources, strengths, modes);
  auto const pairs = far_modes(kernel, gradient, box, xi, modes, factors);
  std::size_t const out = result_row(kernel, gradient), count = targets.size() / 3;
  PhaseBlock phases(modes);
  for (std::size_t first = 0; first < count; first += lanes) {
    phases.set(box, targets, first);
    for (Row const& row : modes.rows) {
      phases.start_row(row);
      for (std::size_t j = 0; j < out; ++j) {
        Lanes re{}, im{};
        for (int nz = 0; nz <= row.last; ++nz) {
          auto const [even, odd] = pairs[j * modes.count + row.first + nz];
          Lanes const &c = phases.z.cosine(nz), &s = phases.z.sine(nz);
          for (std::size_t i = 0; i < lanes; ++i) {
            re[i] += even.real() * c[i] + odd.real() * s[i];
            im[i] += even.imag() * c[i] + odd.imag() * s[i];
          }
        }
        for (std::size_t i = 0; i < std::min(lanes, count - first); ++i)
          result[(first + i) * out + j] += re[i] * phases.row_cosine[i] - im[i] * phases.row_sine[i];
      }
    }
  }
}

}  // namespace nearfar::oracle
