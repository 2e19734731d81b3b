// SPDX-License-Identifier: BSD-3-Clause
// Energy and virial of dipoles, of charges with dipoles, and of screened charges, by Ewald sums: the energy is that of
// sums over pairs, the virial its derivative by strain.
#include "tests/accuracy/energy/report_of.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

using Rows = std::array<std::array<double, 3>, 3>;
using Virial = std::array<double, 6>;

constexpr Kernel kernels[] = {Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa};
constexpr Periodicity periodicities[] = {Periodicity::x, Periodicity::yz, Periodicity::xyz};
/// Skewed, with rows of free directions along their axes.
constexpr Rows rows_for(Periodicity periodicity) {
  Rows rows{{{1, 0, 0}, {0.2, 1.2, 0}, {-0.1, 0.15, 0.9}}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (i != j && !(is_periodic(periodicity, int(i)) && is_periodic(periodicity, int(j)))) rows[i][j] = 0;
  return rows;
}
constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

struct Particles {
  std::vector<double> x, strengths;
};

/// On the places of a lattice but for some disorder, so that no pair outweighs all others.
Particles points_for(Kernel kernel, Rows const& rows, int m, unsigned seed) {
  auto const count = std::size_t(m) * m * m;
  auto const random = random_points(count, {1, 1, 1}, seed);
  auto const width = std::size_t(strength_components(kernel));
  Particles p{std::vector<double>(3 * count), random_points(width * count, {2, 2, 2}, seed + 1)};
  p.strengths.resize(width * count);
  for (double& s : p.strengths) s -= 1;
  for (std::size_t i = 0; i < count; ++i) {
    int const n = int(i), at[3] = {n / m / m, n / m % m, n % m};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t c = 0; c < 3; ++c) p.x[3 * i + c] += rows[d][c] * (at[d] + 0.25 + 0.5 * random[3 * i + d]) / m;
  }
  return p;
}

EwaldOptions options_for(Kernel kernel, Periodicity periodicity, Rows const& rows, double tolerance) {
  EwaldOptions o{.kernel = kernel, .outputs = outputs_of(kernel), .periodicity = periodicity};
  o.cell.emplace();
  for (std::size_t d = 0; d < 3; ++d)
    if (is_periodic(periodicity, int(d))) (*o.cell)[d] = rows[d];
  o.tolerance = tolerance;
  o.virial = true;
  if (kernel == Kernel::yukawa) o.screening = 3;
  return o;
}

template <class T = double>
SolveReport solve(Runtime const& runtime, EwaldOptions const& o, Particles const& p) {
  return accuracy::report_of<BasicEwald, T>(runtime, o, p.x, p.strengths);
}

double relative(Virial const& found, Virial const& expected) {
  double wrong = 0, largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    wrong = std::max(wrong, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return wrong / largest;
}

/// x_a + eps x_b in place of x_a, and half as much of both for two axes.
void strain(int a, int b, double eps, double* x) {
  double const along_a = x[b], along_b = x[a];
  if (a == b) x[a] += eps * along_a;
  else x[a] += eps / 2 * along_a, x[b] += eps / 2 * along_b;
}

/// Whether a strain leaves rows of free directions normal to the others.
bool is_allowed(Periodicity periodicity, int a, int b) {
  return is_periodic(periodicity, a) == is_periodic(periodicity, b);
}

/// Plans of screened charges take long to make: two of their numbers must do.
bool is_judged(Kernel kernel, Periodicity periodicity, std::size_t m) {
  return is_allowed(periodicity, axes[m][0], axes[m][1]) && (kernel != Kernel::yukawa || m == 0 || m == 5);
}

/// Minus the derivatives of the energy by symmetric strains, of dipoles that keep their directions; 0 where they are
/// not judged.
Virial by_differences(Runtime const& runtime, Kernel kernel, Periodicity periodicity, Particles const& points) {
  constexpr double step = 1e-2;
  Virial virial{};
  for (std::size_t m = 0; m < 6; ++m) {
    int const a = axes[m][0], b = axes[m][1];
    if (!is_judged(kernel, periodicity, m)) continue;
    auto const energy = [&](double eps) {
      Particles p = points;
      for (std::size_t i = 0; i < p.x.size(); i += 3) strain(a, b, eps, &p.x[i]);
      Rows rows = rows_for(periodicity);
      for (auto& row : rows) strain(a, b, eps, row.data());
      return *solve(runtime, options_for(kernel, periodicity, rows, 1e-9), p).energy;
    };
    virial[m] = -(8 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) / (12 * step);
  }
  return virial;
}

}  // namespace

TEST_CASE("energy of dipoles: half the sum of q phi and p.grad phi, in the caller's units") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : kernels)
    for (double const unit : {1.0, 3e3}) {
      CAPTURE(name(kernel));
      Rows rows = rows_for(Periodicity::xyz);
      Particles p = points_for(kernel, rows, 5, 3);
      for (double& x : p.x) x *= unit;
      for (auto& row : rows)
        for (double& x : row) x *= unit;
      for (double& s : p.strengths) s *= 7e4;
      EwaldOptions o = options_for(kernel, Periodicity::xyz, rows, 1e-9);
      o.outputs = Output::potential | Output::gradient;
      o.virial = false;
      if (o.screening) *o.screening /= unit;
      Ewald plan(runtime, o);
      std::vector<double> u(p.x.size() / 3 * 4);
      auto const report = plan.submit(plan.set_points(p.x), p.strengths, u).report();
      auto const width = std::size_t(strength_components(kernel));
      double sum = 0;
      for (std::size_t i = 0; i < p.x.size() / 3; ++i)
        for (std::size_t c = 0; c < width; ++c)
          sum += p.strengths[width * i + c] * u[4 * i + c + (kernel == Kernel::dipole ? 1 : 0)] / 2;
      CHECK(*report.energy == doctest::Approx(sum).epsilon(1e-13));
      CHECK(!report.virial);
    }
}

TEST_CASE("energy of dipoles: by multipoles, too") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : {Kernel::dipole, Kernel::charge_dipole}) {
    CAPTURE(name(kernel));
    Rows const rows = rows_for(Periodicity::none);
    Particles const p = points_for(kernel, rows, 6, 11);
    EwaldOptions o = options_for(kernel, Periodicity::none, rows, 1e-11);
    o.virial = false;
    Fmm plan(runtime, {.kernel = kernel, .outputs = Output::potential | Output::gradient, .tolerance = 1e-9});
    std::vector<double> u(p.x.size() / 3 * 4);
    auto const report = plan.submit(plan.set_points(p.x), p.strengths, u).report();
    CHECK(*report.energy == doctest::Approx(*solve(runtime, o, p).energy).epsilon(1e-8));
  }
}

TEST_CASE("energy of multipoles: in periodic cells, of charges, dipoles and both") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole})
    for (bool const charged : {false, true}) {
      CAPTURE(name(kernel));
      CAPTURE(charged);
      Rows const rows{{{1, 0, 0}, {0, 1.2, 0}, {0, 0, 0.9}}};
      Particles p = points_for(kernel, rows, 6, 13);
      auto const width = std::size_t(strength_components(kernel));
      if (kernel != Kernel::dipole)
        for (std::size_t i = 0; i < p.strengths.size(); i += width)
          p.strengths[i] = charged ? p.strengths[i] + 0.3 : i / width % 2 == 0 ? 1 : -1;
      EwaldOptions o = options_for(kernel, Periodicity::xyz, rows, 1e-11);
      o.virial = false;
      FmmOptions const multipoles{.kernel = kernel,
                                  .outputs = Output::potential | Output::gradient,
                                  .periodicity = Periodicity::xyz,
                                  .box = {1, 1.2, 0.9},
                                  .tolerance = 1e-9};
      Fmm plan(runtime, multipoles);
      std::vector<double> u(p.x.size() / 3 * 4);
      auto const report = plan.submit(plan.set_points(p.x), p.strengths, u).report();
      CHECK(*report.energy == doctest::Approx(*solve(runtime, o, p).energy).epsilon(1e-8));
    }
}

TEST_CASE("virial of multipoles: in free space that of Ewald sums, beside a Hessian, too") {
  Runtime const runtime({.gpus = 0});
  Rows const rows = rows_for(Periodicity::none);
  for (Kernel const kernel : {Kernel::laplace, Kernel::dipole, Kernel::charge_dipole})
    for (bool const hessian : {false, true}) {
      if (!hessian && kernel != Kernel::laplace) continue;
      CAPTURE(name(kernel));
      CAPTURE(hessian);
      Particles const p = points_for(kernel, rows, 6, 15);
      EwaldOptions o = options_for(kernel, Periodicity::none, rows, 1e-11);
      if (!hessian) o.outputs = Output::potential | Output::gradient;
      FmmOptions multipoles{.kernel = kernel, .outputs = o.outputs, .tolerance = 1e-9};
      multipoles.virial = true;
      Fmm plan(runtime, multipoles);
      std::vector<double> u(p.x.size() / 3 * std::size_t(result_components(kernel, o.outputs)));
      auto const report = plan.submit(plan.set_points(p.x), p.strengths, u).report();
      auto const expected = solve(runtime, o, p);
      CHECK(*report.energy == doctest::Approx(*expected.energy).epsilon(1e-8));
      CHECK(relative(*report.virial, *expected.virial) < 1e-8);
    }
}

TEST_CASE("virial of charges: the same beside a Hessian") {
  Runtime const runtime({.gpus = 0});
  for (Periodicity const periodicity : {Periodicity::none, Periodicity::yz, Periodicity::xyz}) {
    CAPTURE(name(periodicity));
    Rows const rows = rows_for(periodicity);
    Particles const p = points_for(Kernel::laplace, rows, 5, 17);
    EwaldOptions o = options_for(Kernel::laplace, periodicity, rows, 1e-10);
    auto const beside = solve(runtime, o, p);
    o.outputs = Output::potential | Output::gradient;
    auto const without = solve(runtime, o, p);
    CHECK(*beside.energy == doctest::Approx(*without.energy).epsilon(1e-9));
    CHECK(relative(*beside.virial, *without.virial) < 1e-9);
  }
}

TEST_CASE("virial of dipoles and screened charges: minus the derivative of the energy by strain") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : kernels)
    for (Periodicity const periodicity : periodicities) {
      CAPTURE(name(kernel));
      CAPTURE(name(periodicity));
      if (kernel == Kernel::yukawa && periodicity != Periodicity::xyz) continue;
      Rows const rows = rows_for(periodicity);
      Particles const p = points_for(kernel, rows, 3, 7);
      auto found = *solve(runtime, options_for(kernel, periodicity, rows, 1e-8), p).virial;
      auto const expected = by_differences(runtime, kernel, periodicity, p);
      for (std::size_t m = 0; m < 6; ++m)
        if (!is_judged(kernel, periodicity, m)) found[m] = 0;
      CHECK(relative(found, expected) < 1e-6);
    }
}

TEST_CASE("virial of dipoles: across periodic and free directions, it turns with the box") {
  // The same points by Ewald sums of a wider box with more periods are nearly those of free space: torques and all.
  Runtime const runtime({.gpus = 0});
  Rows const rows = rows_for(Periodicity::none);
  for (Kernel const kernel : {Kernel::dipole, Kernel::yukawa}) {
    CAPTURE(name(kernel));
    Particles const p = points_for(kernel, rows, 4, 9);
    auto const open = *solve(runtime, options_for(kernel, Periodicity::none, rows, 1e-10), p).virial;
    for (Periodicity const periodicity : {Periodicity::x, Periodicity::yz}) {
      CAPTURE(name(periodicity));
      Rows wide = rows;
      for (std::size_t d = 0; d < 3; ++d) wide[d][d] = 60;
      auto const wider = *solve(runtime, options_for(kernel, periodicity, wide, 1e-10), p).virial;
      CHECK(relative(wider, open) < (kernel == Kernel::dipole ? 1e-3 : 1e-9));
    }
  }
}

TEST_CASE("virial of dipoles: its trace is three times the energy, both splits agree, and single precision") {
  Runtime const runtime({.gpus = 0});
  for (Periodicity const periodicity : {Periodicity::x, Periodicity::xyz})
    for (Kernel const kernel : kernels) {
      CAPTURE(name(periodicity));
      CAPTURE(name(kernel));
      if (kernel == Kernel::yukawa && periodicity != Periodicity::xyz) continue;
      Rows const rows = rows_for(periodicity);
      Particles p = points_for(kernel, rows, 4, 5);
      for (auto* numbers : {&p.x, &p.strengths})
        for (double& x : *numbers) x = double(float(x));
      EwaldOptions o = options_for(kernel, periodicity, rows, 1e-9);
      auto const report = solve(runtime, o, p);
      Virial const& w = *report.virial;
      if (kernel == Kernel::dipole) CHECK(w[0] + w[1] + w[2] == doctest::Approx(3 * *report.energy).epsilon(1e-8));
      o.split = Split::gaussian;
      auto const gaussian = solve(runtime, o, p);
      CHECK(*gaussian.energy == doctest::Approx(*report.energy).epsilon(2e-9));
      CHECK(relative(*gaussian.virial, w) < 2e-9);
      o = options_for(kernel, periodicity, rows, 1e-4);
      CHECK(relative(*solve(runtime, o, p).virial, w) < 1e-4);
      CHECK(relative(*solve<float>(runtime, o, p).virial, w) < 1e-4);
    }
}

TEST_CASE("virial of dipoles: what is missing is said") {
  Runtime const runtime({.gpus = 0});
  EwaldOptions o{.kernel = Kernel::dipole, .outputs = Output::potential | Output::gradient};
  o.virial = true;
  try {
    Ewald plan(runtime, o);
    FAIL("a virial without the Hessian");
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::bad_input);
    CHECK(std::string(e.what()).find("ask for outputs potential,gradient,hessian") != std::string::npos);
  }
}
