// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

TEST_CASE("samples: targets all over, each once, always the same; all if there are few") {
  for (std::size_t count : {17, 100, 12345}) {
    auto const sample = sample_of(count, 16);
    REQUIRE(sample.size() == 16);
    CHECK(sample == sample_of(count, 16));
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(sample[i] >= count * i / 16);
      CHECK(sample[i] < count * (i + 1) / 16);
    }
  }
  CHECK(sample_of(3, 16) == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("samples: the error of the worst of vectors, potentials and gradients") {
  // Two vectors of potentials and gradients at three targets, all of them in the sample, in another order.
  std::vector<double> const ones(24, 1.0);
  std::vector<std::uint32_t> const sample{2, 0, 1};
  auto const error = [&](std::vector<double> u, std::vector<double> exact, double scale = 1) {
    for (double& x : u) x *= scale;
    for (double& x : exact) x *= scale;
    return sampled_error<double>(sample, 3, exact, std::span<double const>(u), 2, 4);
  };
  CHECK(error(ones, ones) == 0);
  auto potential = ones;
  potential[0 * 3 + 0] = 1.5;  // of the first vector at target 2
  CHECK(error(ones, potential) == doctest::Approx(.5 / std::sqrt(3.)));
  auto gradient = ones;
  gradient[6 * 3 + 1] = 4;  // of the second vector at target 0
  CHECK(error(ones, gradient) == doctest::Approx(3 / std::sqrt(3.) / std::sqrt(3.)));
  for (double scale : {1e300, 1e-300}) CHECK(error(ones, gradient, scale) == doctest::Approx(error(ones, gradient)));
}

TEST_CASE("samples: two deviations of the mean square are added where not all targets are in the sample") {
  std::vector<double> result(100, 1.0);
  std::vector<double> const exact(10, 1.0);
  auto const sample = sample_of(100, 10);
  auto const error = [&] { return sampled_error<double>(sample, 10, exact, std::span<double const>(result), 1, 1); };
  for (auto i : sample) result[i] = 1.001;  // the same everywhere: no deviation
  CHECK(error() == doctest::Approx(.001).epsilon(1e-3));
  for (auto i : sample) result[i] = 1;
  result[sample[3]] = 1.01;
  double const mean = 1e-5, deviation = std::sqrt((1e-9 - mean * mean) / 10 * .9);
  CHECK(error() == doctest::Approx(std::sqrt(mean + 2 * deviation)).epsilon(1e-3));
}

TEST_CASE("samples: no result at all is no error") {
  std::vector<double> const nothing(3);
  CHECK(sampled_error<double>({0, 1, 2}, 3, nothing, std::span<double const>(nothing), 1, 1) == 0);
}
