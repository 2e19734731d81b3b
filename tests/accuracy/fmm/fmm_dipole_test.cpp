// SPDX-License-Identifier: BSD-3-Clause
// Dipoles, and charges with dipoles, by multipoles: each output keeps the tolerance by itself, against direct sums.
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace nearfar;

namespace {

constexpr Outputs with_gradient = Output::potential | Output::gradient;

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::vector<double> all(count);
  for (double& x : all) x = double(float(2 * uniform(generator) - 1));
  return all;
}

template <class T>
void check(Runtime const& runtime, Kernel kernel, std::vector<double> const& x, double tolerance) {
  std::size_t const count = x.size() / 3;
  auto const strengths = numbers(count * std::size_t(strength_components(kernel)), 5);
  std::vector<double> exact(4 * count);
  direct(runtime, kernel, with_gradient, x, x, strengths, exact).wait();
  std::vector<T> const points(x.begin(), x.end()), f(strengths.begin(), strengths.end());
  std::vector<T> u(4 * count);
  BasicFmm<T> plan(runtime, {.kernel = kernel, .outputs = with_gradient, .tolerance = tolerance});
  plan.submit(plan.set_points(std::span<T const>(points)), f, u).wait();
  std::vector<double> const found(u.begin(), u.end());
  CAPTURE(int(kernel));
  CAPTURE(tolerance);
  CHECK(oracle::relative_error(found, exact, 4, 0, 1) < tolerance);
  CHECK(oracle::relative_error(found, exact, 4, 1, 3) < tolerance);
}

}  // namespace

TEST_CASE("multipoles of dipoles, with charges and without, keep the tolerance") {
  Runtime const runtime({.gpus = 0});
  auto const x = numbers(3 * 3000, 1);
  for (Kernel kernel : {Kernel::dipole, Kernel::charge_dipole}) {
    for (double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) check<double>(runtime, kernel, x, tolerance);
    check<float>(runtime, kernel, x, 1e-4);
  }
}

TEST_CASE("multipoles: screened charges, and flows in periodic cells, are refused") {
  Runtime const runtime({.gpus = 0});
  CHECK_THROWS_AS(Fmm(runtime, {.kernel = Kernel::yukawa}), Error);
  for (Kernel kernel : {Kernel::stokeslet, Kernel::rotlet})
    CHECK_THROWS_AS(Fmm(runtime, {.kernel = kernel, .periodicity = Periodicity::xyz, .box = {1, 1, 1}}), Error);
}
