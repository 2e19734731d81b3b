// SPDX-License-Identifier: BSD-3-Clause
// The caller's floating-point environment: no worker and no plan meets its traps, its rounding and its flushed numbers.
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <functional>
#include <limits>
#include <optional>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace nearfar;

namespace {

/// What is given to solvers: made by the caller's arithmetic, so made before it changes.
struct Inputs {
  test::Problem<> charges{900, 1}, stokes{900, 9}, cells{512, 1};
  std::vector<double> inside = charges.x, particles = cells.x, at_rest = std::vector<double>(3 * 512);
  Inputs() {
    for (double& x : inside) x += 0.2;
    for (double& x : particles) x += 1;
  }
};

/// All results of small problems by every solver.
std::vector<double> results(Inputs const& in) {
  Runtime const runtime({.gpus = 0});
  std::vector<double> all;
  auto const add = [&](auto const& values) { all.insert(all.end(), values.begin(), values.end()); };
  for (auto const kernel : {Kernel::laplace, Kernel::stokes}) {
    auto const& p = kernel == Kernel::laplace ? in.charges : in.stokes;
    std::vector<double> u(900 * std::size_t(result_components(kernel)));
    for (auto const periodicity : {Periodicity::xyz, Periodicity::xy, Periodicity::x}) {
      Ewald ewald(runtime, {.kernel = kernel, .periodicity = periodicity, .box = {2, 2, 2}, .tolerance = 1e-6});
      ewald.submit(ewald.set_points(in.inside), p.f, u).wait();
      add(u);
    }
    Fmm fmm(runtime, {.kernel = kernel, .tolerance = 1e-6});
    auto solve = fmm.submit(fmm.set_points(p.x), p.f, u);
    while (!solve.wait_for(std::numeric_limits<double>::max())) continue;
    solve.wait();
    add(u);
    all.push_back(double(solve.report().tasks));
    direct(runtime, kernel, {}, p.x, p.x, p.f, u).wait();
    add(u);
  }
  for (auto const method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct}) {
    Poisson poisson(runtime, {.method = method, .grid = {8, 8, 8}});
    std::vector<double> potential(512);
    poisson.submit(in.cells.f, potential).wait();
    add(potential);
  }
  Pic loop(runtime, {.grid = {8, 8, 8}, .box = {4, 4, 4}, .time_step = 1e-3}, in.particles, in.at_rest, in.cells.f);
  loop.advance(3).wait();
  std::vector<double> positions(3 * 512);
  loop.read({.positions = positions}).wait();
  add(positions);
  return all;
}

/// Puts back what it has found.
struct Environment {
  std::fenv_t before;
  Environment() { std::fegetenv(&before); }
  ~Environment() { std::fesetenv(&before); }
};

}  // namespace

TEST_CASE(
    "arithmetic: the caller's traps, rounding and flushed numbers change no bit of any solver, and are left alone") {
  Inputs const in;
  auto const want = results(in);
  SUBCASE("traps") {
    Environment const kept;
    std::feclearexcept(FE_ALL_EXCEPT);
    constexpr int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    feenableexcept(traps);
    std::optional<std::vector<double>> got(results(in));
    int const still = fegetexcept();
    fedisableexcept(FE_ALL_EXCEPT);
    CHECK(still == traps);
    CHECK(*got == want);
  }
  SUBCASE("rounding") {
    Environment const kept;
    std::fesetround(FE_UPWARD);
    auto const got = results(in);
    CHECK(std::fegetround() == FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    CHECK(got == want);
  }
#if defined(__x86_64__)
  SUBCASE("flushed numbers") {
    Environment const kept;
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x40;
    _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
    auto const got = results(in);
    CHECK((_mm_getcsr() & (flush_to_zero | denormals_are_zero)) == (flush_to_zero | denormals_are_zero));
    CHECK(got == want);
  }
#endif
}
