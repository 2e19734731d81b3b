// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/pairs/direct.hpp"

#include "tests/oracle/golden.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

namespace {

template <class K, class T>
std::vector<double> sum(std::vector<double> const& sources, std::vector<double> const& targets,
                        std::vector<double> const& strengths) {
  constexpr std::size_t in = K::strengths, out = K::results;
  std::vector<T> const s(strengths.begin(), strengths.end());
  std::vector<T> u(targets.size() / 3 * out);
  for (std::size_t t = 0; t < targets.size() / 3; ++t)
    for (std::size_t n = 0; n < sources.size() / 3; ++n) {
      T r[3];
      for (int d = 0; d < 3; ++d) r[d] = T(targets[3 * t + d]) - T(sources[3 * n + d]);
      add_pair<K>(r, &s[in * n], &u[out * t]);
    }
  return {u.begin(), u.end()};
}

template <class K>
void check() {
  constexpr Kernel kernel = K::kernel;
  constexpr bool gradient = K::outputs.has(Output::gradient);
  CAPTURE(K::symbol);
  auto const golden = golden::strengths(kernel);
  if (kernel != Kernel::laplace || gradient) {
    auto const u = sum<K, long double>(golden::points, golden::points, golden);
    CHECK(oracle::relative_error(u, golden::free_space.rows(kernel)) < 1e-12);
  }
  oracle::Box const box{1, 2, .5};
  auto const y = random_points(40, box, 1), x = random_points(30, box, 2);
  auto const s = random_strengths(kernel, 40, 3);
  auto const reference = oracle::free_space(kernel, gradient, y, x, s);
  CHECK(oracle::relative_error(sum<K, long double>(y, x, s), reference) < 1e-16);
  CHECK(oracle::relative_error(sum<K, double>(y, x, s), reference) < 1e-14);
  CHECK(oracle::relative_error(sum<K, float>(y, x, s), reference) < 1e-5);
}

}  // namespace

TEST_CASE("direct: pair kernels against golden vectors and the oracle") {
  check<Stokeslet>();
  check<Stresslet>();
  check<Stokes>();
  check<Laplace>();
  check<LaplaceGradient>();
}

TEST_CASE("direct: a pair at distance zero adds nothing") {
  double const r[3] = {}, strength[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  double u[4] = {1, 2, 3, 4};
  add_pair<Stokes>(r, strength, u);
  add_pair<LaplaceGradient>(r, strength, u);
  for (int j = 0; j < 4; ++j) CHECK(u[j] == j + 1);
}

TEST_CASE("direct: the signs of the conventions") {
  double const r[3] = {2, 0, 0};  // target to the right of the source
  double u[4] = {};
  add_pair<LaplaceGradient>(r, std::data({3.0}), u);
  CHECK(u[0] == 1.5);
  CHECK(u[1] == -0.75);
  double v[3] = {};
  add_pair<Stresslet>(r, std::data({1.0, 0.0, 0.0, 1.0, 0.0, 0.0}), v);
  CHECK(v[0] == -1.5);
  double w[3] = {};
  add_pair<Stokeslet>(r, std::data({1.0, 1.0, 0.0}), w);
  CHECK(w[0] == 1);
  CHECK(w[1] == 0.5);
}
