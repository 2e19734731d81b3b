// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/lattice.hpp"

#include <algorithm>
#include <vector>

namespace nearfar {

namespace {

constexpr double shorter = 1 - 1e-12;  // by less is as long: rounding does not decide
constexpr double hair = 1e-13;         // of a row, at ties, which changes lengths by less than that
constexpr int most_rounds = 1000;      // six were the most seen; tilts of 10^6 rows take one more

using Steps = std::array<std::array<long long, 3>, 3>;

/// The integer that leaves a rest in (-1/2, 1/2].
double nearest(double x) { return std::ceil(x - 0.5 - hair); }

/// Whether a row may be exchanged for one that is as long. At first rows are only made shorter: exchanges could go
/// round in circles. In the end they say, once for each row, which of several shortest ones it is.
enum class Ties { stay, settle };

class Reduction {
 public:
  explicit Reduction(CellRows const& given) : given_(given), rows_(given), steps_{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}} {}

  bool shorten_second(std::size_t first, std::size_t second, Ties ties) {
    double const n = nearest(product(second, first) / product(first, first));
    return change(second, {first, n, first, 0}, ties);
  }

  /// Takes from `third` the combination of the other two that is nearest to it.
  bool shorten_third(std::size_t first, std::size_t second, std::size_t third, Ties ties) {
    double const aa = product(first, first), ab = product(first, second), bb = product(second, second),
                 ca = product(third, first), cb = product(third, second), det = aa * bb - ab * ab;
    double const i = nearest((ca * bb - cb * ab) / det), j = nearest((cb * aa - ca * ab) / det);
    Change best{first, i, second, j};
    double least = length_after(third, best);
    for (double m : {i - 1, i, i + 1})
      for (double n : {j - 1, j, j + 1}) {
        Change const other{first, m, second, n};
        if (double const l = length_after(third, other); l < shorter * least) least = l, best = other;
      }
    return change(third, best, ties);
  }

  double length(std::size_t i) const { return std::sqrt(product(i, i)); }
  ReducedCell result() const { return {rows_, steps_}; }

 private:
  /// What is subtracted from a row: i times one row and j times another.
  struct Change {
    std::size_t row;
    double i;
    std::size_t other;
    double j;
  };

  double product(std::size_t i, std::size_t j) const { return dot(rows_[i].data(), rows_[j].data()); }

  double length_after(std::size_t from, Change const& take) const {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      double const x = rows_[from][c] - take.i * rows_[take.row][c] - take.j * rows_[take.other][c];
      sum += x * x;
    }
    return std::sqrt(sum);
  }

  bool change(std::size_t from, Change const& take, Ties ties) {
    if (ties == Ties::stay && !(length_after(from, take) < shorter * length(from))) return false;
    if (take.i != 0) subtract(from, take.row, take.i);
    if (take.j != 0) subtract(from, take.other, take.j);
    return true;
  }

  /// From the given rows at once, so that the bits depend on the integers alone.
  void subtract(std::size_t from, std::size_t row, double n) {
    for (std::size_t j = 0; j < 3; ++j) steps_[from][j] -= static_cast<long long>(n) * steps_[row][j];
    for (std::size_t c = 0; c < 3; ++c) {
      long double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += static_cast<long double>(steps_[from][j]) * given_[j][c];
      rows_[from][c] = double(sum);
    }
  }

  CellRows const& given_;
  CellRows rows_;
  Steps steps_;
};

}  // namespace

ReducedCell reduced(CellRows const& rows, std::array<bool, 3> const& repeats) {
  Reduction reduction(rows);
  std::vector<std::size_t> by_length;
  for (std::size_t i = 0; i < 3; ++i)
    if (repeats[i]) by_length.push_back(i);
  if (by_length.size() < 2) return reduction.result();
  auto const sort = [&] {
    for (std::size_t end = by_length.size(); end > 1; --end)  // stable, and rows as long as each other stay
      for (std::size_t i = 0; i + 1 < end; ++i)
        if (reduction.length(by_length[i + 1]) < shorter * reduction.length(by_length[i]))
          std::swap(by_length[i], by_length[i + 1]);
  };
  auto const second = [&](Ties ties) { return reduction.shorten_second(by_length[0], by_length[1], ties); };
  auto const third = [&](Ties ties) {
    return by_length.size() == 3 && reduction.shorten_third(by_length[0], by_length[1], by_length[2], ties);
  };
  bool shortened = true;
  for (int round = 0; shortened && round < most_rounds; ++round) {
    sort();
    shortened = second(Ties::stay) || third(Ties::stay);
  }
  std::ranges::sort(by_length);  // how rows became so short does not matter
  sort();
  second(Ties::settle);
  third(Ties::settle);
  return reduction.result();
}

double fullness(CellRows const& rows) noexcept {
  double across[3], lengths = 1;
  cross(rows[1].data(), rows[2].data(), across);
  for (auto const& row : rows) lengths *= std::sqrt(dot(row.data(), row.data()));
  return lengths > 0 ? std::fabs(dot(rows[0].data(), across)) / lengths : 0;
}

}  // namespace nearfar
