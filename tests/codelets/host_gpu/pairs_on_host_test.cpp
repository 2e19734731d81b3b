// SPDX-License-Identifier: BSD-3-Clause
// Pairs of bare functions as GPUs sum them, on the host.
#include "codelets/laboratory/pair_gpu.cu"

#include "codelets/laboratory/visit_function.hpp"

#include <nearfar/laboratory.hpp>

#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace nearfar;

namespace {

/// Numbers that both precisions have; of positions, the first two points are at one place.
template <class T>
std::vector<T> numbers(int count, int components, float from, bool twins) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(from, from + 1);
  std::vector<T> result;
  for (int i = 0; i < count * components; ++i) result.push_back(T(uniform(random)));
  for (int d = 0; d < components && twins && count > 1; ++d)
    result[std::size_t(d * count + 1)] = result[std::size_t(d * count)];
  return result;
}

/// The largest difference of the sums in all ways from `exact`, component by component.
template <class T, class F>
double error_of(F const& function, int count, std::vector<double> const& exact) {
  auto const position = numbers<T>(count, F::dimensions, 0, true),
             strength = numbers<T>(count, F::strengths, -0.5, false);
  std::vector<T> result(std::size_t(count * F::results));
  double error = 0;
  for (auto const way : {pairs_gpu<false, 1, F, T>, pairs_gpu<true, 1, F, T>, pairs_gpu<false, pair_parts, F, T>,
                         pairs_gpu<true, pair_parts, F, T>}) {
    std::ranges::fill(result, T(NAN));
    way({count, position.data(), strength.data(), result.data()}, function);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      double const here = std::abs(double(result[i]) - exact[i]);
      if (!(here <= error)) error = here;  // also no number
    }
  }
  return error;
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

TEST_CASE("bare pairs by teams of a GPU: all functions against sums in long double") {
  for (int dimensions : {2, 3})
    for (auto const& name : pair_functions(dimensions))
      for (int count : {1, 2, 13, 128, 150, 300}) {
        CAPTURE(name);
        CAPTURE(dimensions);
        CAPTURE(count);
        auto const shape = pair_shape(name, dimensions);
        auto const position = numbers<double>(count, dimensions, 0, true),
                   strength = numbers<double>(count, shape.strengths, -0.5, false);
        std::vector<double> exact(std::size_t(count * shape.results));
        double largest = 0;
        for (int i = 0; i < count; ++i) {
          auto const row = exact_pairs(name, dimensions, position, strength, std::size_t(i));
          for (std::size_t m = 0; m < row.size(); ++m) {
            exact[m * std::size_t(count) + std::size_t(i)] = row[m];
            largest = std::max(largest, std::abs(row[m]));
          }
        }
        // As in pair_sums_test.cpp: a fit's error, for each strength.
        double const fit = name.ends_with("-6") ? 1e-6 : name.ends_with("-13") ? 1e-13 : 0;
        visit_function(name, dimensions, [&](auto const& function) {
          CHECK(error_of<double>(function, count, exact) <= 1e-13 * largest + 1.5 * count * fit);
          CHECK(error_of<float>(function, count, exact) <= 2e-5 * largest + 1.5 * count * fit);
        });
      }
}

TEST_CASE("bare pairs by teams of a GPU: a user's function") {
  int const count = 140;
  auto const position = numbers<double>(count, 3, 0, true), strength = numbers<double>(count, 1, -0.5, false);
  std::vector<double> expected(count, 0);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d)
        r2 += std::pow(position[std::size_t(d * count + i)] - position[std::size_t(d * count + j)], 2);
      if (r2 > 0) expected[std::size_t(i)] += strength[std::size_t(j)] * std::exp(-9 * r2);
    }
  CHECK(error_of<double>(OwnFunction{}, count, expected) <= 1e-13);
}
