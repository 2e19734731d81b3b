// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/laboratory/pair_simd_body.hpp"
#include "codelets/laboratory/pair_variants.hpp"

#include <nearfar/error.hpp>
#include <nearfar/laboratory.hpp>

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

/// Points in the unit square or cube, the first two of them at one place, and strengths.
template <class T>
struct Points {
  std::vector<T> position, strength;

  Points(int count, int dimensions, int strengths) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(0, 1);  // floats, so that both precisions have the same points
    for (int i = 0; i < count * dimensions; ++i) position.push_back(T(uniform(random)));
    for (int d = 0; d < dimensions && count > 1; ++d)
      position[std::size_t(d * count + 1)] = position[std::size_t(d * count)];
    for (int i = 0; i < count * strengths; ++i) strength.push_back(T(uniform(random) - 0.5F));
  }
};

/// The largest of the exact sums, and the largest difference from one.
struct Errors {
  double error = 0, largest = 0;
};

template <class T>
Errors errors_of(std::string const& function, std::string const& variant, int dimensions, int count) {
  PairShape const shape = pair_shape(function, dimensions);
  Points<T> const points(count, dimensions, shape.strengths);
  Points<double> const exact(count, dimensions, shape.strengths);
  std::vector<T> result(std::size_t(count * shape.results), T(7));
  sum_pairs<T>(function, variant, dimensions, points.position, points.strength, result);
  Errors e;
  for (int i = 0; i < count; ++i) {
    auto const row = exact_pairs(function, dimensions, exact.position, exact.strength, std::size_t(i));
    for (int m = 0; m < shape.results; ++m) {
      e.error = std::max(e.error, std::abs(double(result[std::size_t(m * count + i)]) - row[std::size_t(m)]));
      e.largest = std::max(e.largest, std::abs(row[std::size_t(m)]));
    }
  }
  return e;
}

/// A function that nearfar does not have: a Gaussian.
struct OwnFunction {
  static constexpr int dimensions = 3, strengths = 1, results = 1;

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V, V const* q, V* u) const {
    using std::exp;
    u[0] = u[0] + q[0] * exp(V(-9) * r2);
  }
};

}  // namespace

TEST_CASE("bare pairs: values that are known") {
  // Unit strength at the origin, the other point at (3, 4): distance 5.
  std::vector<double> const position{0, 3, 0, 4};
  auto const at_second = [&](char const* function, std::vector<double> const& strength, int results) {
    std::vector<double> result(std::size_t(2 * results));
    sum_pairs<double>(function, "sequential", 2, position, strength, result);
    std::vector<double> row;
    for (int m = 0; m < results; ++m) row.push_back(result[std::size_t(2 * m + 1)]);
    return row;
  };
  CHECK(at_second("inverse-distance", {1, 0}, 1)[0] == doctest::Approx(0.2));
  CHECK(at_second("inverse-square", {1, 0}, 2)[1] == doctest::Approx(4.0 / 125));
  CHECK(at_second("logarithm", {1, 0}, 1)[0] == doctest::Approx(std::log(5.0)));
  CHECK(at_second("exponential", {1, 0}, 1)[0] == doctest::Approx(std::exp(-20.0)));
  CHECK(at_second("rank-one", {1, 0, 0, 0}, 2)[0] == doctest::Approx(3 * 9.0 / 3125 - 0.2));
  CHECK(at_second("rank-one", {1, 0, 0, 0}, 2)[1] == doctest::Approx(3 * 12.0 / 3125));
  CHECK(at_second("stokeslet", {1, 0, 0, 0}, 2)[0] == doctest::Approx(0.2 + 9.0 / 125));
  CHECK(at_second("stokeslet", {1, 0, 0, 0}, 2)[1] == doctest::Approx(12.0 / 125));
}

TEST_CASE("bare pairs: all variants of all functions against sums in long double") {
  for (auto const& variant : pair_variants())
    for (int dimensions : {2, 3})
      for (auto const& function : pair_functions(dimensions))
        for (int count : {0, 1, 2, 13, 150}) {
          CAPTURE(variant);
          CAPTURE(function);
          CAPTURE(dimensions);
          CAPTURE(count);
          // A fit's error is that of 3 erf(x) / x, for each strength of at most 1/2; its name ends with the exponent.
          double const fit = function.ends_with("-6") ? 1e-6 : function.ends_with("-13") ? 1e-13 : 0;
          auto const exact = errors_of<double>(function, variant, dimensions, count),
                     single = errors_of<float>(function, variant, dimensions, count);
          CHECK(exact.error <= 1e-13 * exact.largest + 1.5 * count * fit);
          CHECK(single.error <= 2e-5 * single.largest + 1.5 * count * fit);
        }
}

TEST_CASE("bare pairs: a user's function in every variant") {
  int const count = 140;
  Points<double> const points(count, 3, 1);
  std::vector<double> expected(count, 0);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d)
        r2 += std::pow(points.position[std::size_t(d * count + i)] - points.position[std::size_t(d * count + j)], 2);
      if (r2 > 0) expected[std::size_t(i)] += points.strength[std::size_t(j)] * std::exp(-9 * r2);
    }
  for (auto const& way : all_pair_variants<OwnFunction, double>(pairs_simd<Baseline, OwnFunction, double>)) {
    CAPTURE(way.name);
    std::vector<double> result(count, 7);
    way.sum({count, points.position.data(), points.strength.data(), result.data()}, {});
    for (std::size_t i = 0; i < std::size_t(count); ++i)
      CHECK(result[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("bare pairs: names and lengths that are wrong are refused") {
  std::vector<double> numbers(6), results(2);
  CHECK_THROWS_AS(sum_pairs<double>("magic", "xsimd", 3, numbers, results, results), Error);
  CHECK_THROWS_AS(sum_pairs<double>("inverse-distance", "magic", 3, numbers, results, results), Error);
  CHECK_THROWS_AS(sum_pairs<double>("inverse-distance", "xsimd", 4, numbers, results, results), Error);
  CHECK_THROWS_AS(sum_pairs<double>("inverse-distance", "xsimd", 3, numbers, numbers, results), Error);
  CHECK_THROWS_AS(exact_pairs("inverse-distance", 3, numbers, results, 2), Error);
}
