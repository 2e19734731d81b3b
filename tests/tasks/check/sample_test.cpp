// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/sample.hpp"
#include "core/fmm/errors.hpp"
#include "core/kernels/kernels.hpp"
#include "tasks/check/participation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;

namespace {

/// Fields with so many numbers: one of a potential, or with its gradient.
AskedResults fields_of(int results) {
  return asked_results(results == 1 ? describe<Laplace>() : describe<LaplaceGradient>(), {});
}

/// As so many ranks find it, each with its part of the rows.
double error_told(Sample const& sample, std::vector<double> const& exact, std::vector<double> const& result,
                  int vectors, int results, std::size_t ranks) {
  auto const of_row = std::size_t(vectors * results), rows = result.size() / of_row;
  std::vector<long double> all;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::size_t const first = rows * r / ranks, last = rows * (r + 1) / ranks;
    auto const part = std::span<double const>(result).subspan(first * of_row, (last - first) * of_row);
    auto const sums = sampled_sums<double>(sample, std::int64_t(exact.size() / of_row), exact, part, first, vectors,
                                           fields_of(results));
    all.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) all[i] += sums[i];
  }
  return sampled_error(all, sample.targets.size(), rows);
}

double error_told(Sample const& sample, std::vector<double> const& exact, std::vector<double> const& result,
                  int vectors, int results) {
  double const alone = error_told(sample, exact, result, vectors, results, 1);
  for (std::size_t ranks : {2, 5})  // some without rows
    CHECK(error_told(sample, exact, result, vectors, results, ranks) == doctest::Approx(alone).epsilon(1e-15));
  return alone;
}

}  // namespace

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
    return error_told({sample}, exact, u, 2, 4);
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

TEST_CASE("samples: three deviations of the mean square are added where not all targets are in the sample") {
  std::vector<double> result(100, 1.0);
  std::vector<double> const exact(10, 1.0);
  auto const sample = sample_of(100, 10);
  auto const error = [&] { return error_told({sample}, exact, result, 1, 1); };
  for (auto i : sample) result[i] = 1.001;  // the same everywhere: no deviation
  CHECK(error() / .001 == doctest::Approx(1).epsilon(1e-3));
  for (auto i : sample) result[i] = 1;
  result[sample[3]] = 1.01;
  double const mean = 1e-5, deviation = std::sqrt((1e-9 - mean * mean) / 10 * .9);
  CHECK(error() / std::sqrt(mean + 3 * deviation) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("samples: the more targets, the closer the error that they tell is to that of all") {
  // Squares of errors as multipole sums have them: 1 in 100 targets, close to corners of leaves, has 40 times the mean.
  constexpr std::size_t rows = 30000;
  std::vector<double> result(rows, 1.0), squares(rows, 0.6);
  std::mt19937_64 random(3);
  for (double& square : squares)
    if (random() % 100 == 0) square = 40;
  for (std::size_t i = 0; i < rows; ++i) result[i] += 1e-4 * std::sqrt(squares[i]);
  double const all = 1e-4 * std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0) / double(rows));
  double before = 2;
  for (std::size_t wanted : {96, 256, 1024, 8192}) {
    // The median of many samples, each of which looks at other targets.
    std::vector<double> told;
    for (int turn = 0; turn < 51; ++turn) {
      std::ranges::rotate(result, result.begin() + 587);
      auto const sample = sample_of(rows, wanted);
      std::vector<double> const exact(sample.size(), 1.0);
      told.push_back(sampled_error(sampled_sums<double>({sample}, std::int64_t(sample.size()), exact,
                                                        std::span<double const>(result), 0, 1, fields_of(1)),
                                   sample.size(), rows) /
                     all);
    }
    std::ranges::nth_element(told, told.begin() + 25);
    CAPTURE(wanted);
    CHECK(told[25] > 1);
    CHECK(told[25] < before);
    before = told[25];
  }
  CHECK(before < 1.1);
}

TEST_CASE("samples: none of the targets with the highest ranks is missed, and they do not count for others") {
  // One target has nearly all the error, as the point of a small cell has that is nearest to a corner.
  constexpr std::size_t rows = 600, wanted = 32, far_off = 123;
  std::vector<double> result(rows, 1 + 1e-8), rank(rows);
  std::vector<std::uint32_t> candidates(rows);
  std::iota(candidates.begin(), candidates.end(), 0u);
  std::mt19937_64 random(1);
  for (double& value : rank) value = double(random() % 1000);
  rank[far_off] = 1000;
  result[far_off] = 1 + 1e-4;
  auto const sample = ranked_sample(candidates, rank, wanted);
  REQUIRE(sample.targets.size() == wanted);
  CHECK(std::ranges::is_sorted(sample.targets));
  CHECK(std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0) == doctest::Approx(wanted));
  std::vector<double> const exact(wanted, 1.0);
  double const all = std::sqrt((1e-8 + (rows - 1) * 1e-16) / rows), told = error_told(sample, exact, result, 1, 1);
  CHECK(told > all);
  CHECK(told < 2.1 * all);  // a mean with three deviations
  CHECK(ranked_sample(candidates, rank, rows).weights.empty());
}

TEST_CASE("samples: rounding in proportion to a row does not count, what exceeds it does") {
  std::vector<std::uint32_t> const sample{0, 1};
  std::vector<double> const exact{1, 1000}, result{1.02, 1010};  // one component of two targets
  auto const of = [&](double rounding) {
    return sampled_error(
        sampled_sums<double>({sample}, 2, exact, std::span<double const>(result), 0, 1, fields_of(1), rounding), 2, 2);
  };
  CHECK(of(0) / 0.01 == doctest::Approx(1).epsilon(0.02));
  CHECK(of(0.015) < 1e-5);  // the second row's error is less, the first row's 0.005 more
  CHECK(of(0.015) > 0);
  CHECK(of(0.03) == 0);
}

TEST_CASE("samples: no result at all is no error") {
  std::vector<double> const nothing(3);
  CHECK(error_told({{0, 1, 2}}, nothing, nothing, 1, 1) == 0);
}

TEST_CASE("samples: how many strengths carry a sum") {
  auto const of = [](Kernel kernel, std::vector<double> const& rows, int vectors = 1) {
    return participation_number(strength_sums<double>(kernel, rows, vectors));
  };
  CHECK(of(Kernel::laplace, {1, -1, 1, 1}) == doctest::Approx(4));
  CHECK(of(Kernel::laplace, {0, 0, 3, 0}) == doctest::Approx(1));
  CHECK(of(Kernel::laplace, {1, 1, 0, 1, 0, 1, 0, 1}, 2) == doctest::Approx(1));  // the second vector's
  CHECK(of(Kernel::laplace, {1e300, 1e300, 1e-300}) == doctest::Approx(2));
  CHECK(of(Kernel::laplace, {0, 0}) == std::numeric_limits<double>::infinity());
  CHECK(of(Kernel::stresslet, {1, 0, 0, 0, 1, 0, /**/ 5, 5, 5, 0, 0, 0}) == doctest::Approx(1));
  CHECK(of(Kernel::stokes, {9, 9, 9, 1, 0, 0, 0, 1, 0, /**/ 0, 0, 0, 2, 0, 0, 0, .5, 0}) == doctest::Approx(2));
  FmmOptions const gradient{.outputs = Output::potential | Output::gradient};
  CHECK(few_sources(gradient, 750, 1000) == 1);  // random strengths
  CHECK(few_sources(gradient, 3, 20000) > few_sources(gradient, 30, 20000));
  CHECK(few_sources({}, 3, 20000) == 1);
}
