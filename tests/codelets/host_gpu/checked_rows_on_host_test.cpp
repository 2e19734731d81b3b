// SPDX-License-Identifier: BSD-3-Clause
// Sums over rows for reviews as GPUs find them, on the host, and what reviews make of them.
#include "codelets/near/check/check_rows.cu"

#include "tasks/check/squares.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class T>
std::vector<T> numbers(std::size_t count, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(T(scale * (random() / 4294967296.0 - 0.3)));
  return all;
}

/// By the definition, in long double.
template <class T>
std::vector<long double> expected(std::vector<T> const& rows, CheckedRows const& shape) {
  std::vector<long double> sums(std::size_t(RowSums::numbers), 0.0L);
  if (shape.columns == 0) return sums;
  for (std::size_t i = 0; i < rows.size(); i += std::size_t(shape.columns)) {
    sums[0] += 1;
    auto const at = [&](int c) { return (long double)(rows[i + std::size_t(c)]); };
    for (int c = 0; c < shape.columns; ++c) {
      sums[std::size_t(RowSums::squares + c)] += at(c) * at(c);
      sums[std::size_t(RowSums::sums + c)] += at(c);
    }
    if (shape.pair < 0) continue;
    long double q = 0, n = 0;
    for (int d = 0; d < 3; ++d) {
      q += at(shape.pair + d) * at(shape.pair + d);
      n += at(shape.pair + 3 + d) * at(shape.pair + 3 + d);
      for (int e = 0; e < 3; ++e)
        sums[std::size_t(RowSums::products + 1 + 3 * d + e)] += at(shape.pair + d) * at(shape.pair + 3 + e);
    }
    sums[std::size_t(RowSums::products)] += q * n;
  }
  return sums;
}

template <class T>
std::vector<double> found_by_teams(std::vector<T>& strengths, std::vector<T>& results, CheckRowsArgs const& args,
                                   bool portable) {
  std::vector<double> sums(2 * std::size_t(RowSums::numbers), NAN);
  LocalBuffers b;
  b.access().add(strengths).access().add(results).access().add(sums);
  Buffers const view = b.view();
  if (portable) {
    CheckRows<T>::portable(view, args);
    return sums;
  }
  launch_check_rows(CheckRowsLaunch<T>::of(view, 0, args.strengths, 0), nullptr);
  launch_check_rows(CheckRowsLaunch<T>::of(view, 1, args.results, RowSums::numbers), nullptr);
  return sums;
}

template <class T>
void check(std::size_t rows, CheckRowsArgs const& args) {
  CAPTURE(rows);
  CAPTURE(args.strengths.columns);
  auto strengths = numbers<T>(rows * std::size_t(args.strengths.columns), 3, 1),
       results = numbers<T>(rows * std::size_t(args.results.columns), 1e5, 2);
  auto const first = expected(strengths, args.strengths), second = expected(results, args.results);
  for (bool portable : {true, false}) {
    auto const sums = found_by_teams(strengths, results, args, portable);
    for (std::size_t m = 0; m < first.size(); ++m) {
      CAPTURE(m);
      CHECK(std::abs(sums[m] - double(first[m])) <= 1e-12 * std::abs(double(first[0])) * 9);
      CHECK(std::abs(sums[first.size() + m] - double(second[m])) <= 1e-12 * (double(second[0]) + 1) * 1e10);
    }
  }
}

}  // namespace

TEST_CASE("sums over rows by teams of a GPU and portable: against the definition") {
  for (std::size_t rows : {std::size_t(1), std::size_t(37), std::size_t(5000), std::size_t(300000)}) {
    check<double>(rows, {{1, -1}, {4, -1}});
    check<double>(rows, {{9, 3}, {3, -1}});
  }
  check<float>(4000, {{6, 0}, {13, -1}});
  check<double>(4000, {{}, {4, -1}});
}

TEST_CASE("reviews of sums that tasks have found: what the rows give; squares beyond the range of double are refused") {
  auto const sums_of = [](std::vector<double> rows, bool by_task) {
    std::vector<double> results(4, 1.0);
    std::array<long double, detail::Squares<double>::numbers> sums{};
    detail::Squares<double> squares(sums, 9, 3, {});
    if (by_task) {
      auto const found = found_by_teams(rows, results, {{9, 3}, {4, -1}}, false);
      CHECK(squares.take(std::span(found).first(std::size_t(RowSums::numbers))));
    } else {
      squares.add(detail::GivenArrays<double const>(std::span<double const>(rows)), true);
    }
    return std::array{double(squares.rows()), double(squares.mean(0, 9)), double(squares.mean_of_products()),
                      double(squares.square_of_mean(4)), double(squares.square_of_mean_product())};
  };
  auto const rows = numbers<double>(9 * 3000, 2, 5);
  auto const found = sums_of(rows, true), wanted = sums_of(rows, false);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-12));
  for (double const scale : {1e200, 1e-200}) {
    auto large = numbers<double>(4 * 100, scale, 6), results = large;
    auto const sums = found_by_teams(large, results, {{4, -1}, {4, -1}}, false);
    std::array<long double, detail::Squares<double>::numbers> taken{};
    detail::Squares<double> squares(taken, 4, -1, {});
    CHECK_FALSE(squares.take(std::span(sums).first(std::size_t(RowSums::numbers))));
  }
}
