// SPDX-License-Identifier: BSD-3-Clause
// Plans keep the tolerance in cells of any shape: each output, of the whole sum and of its far part alone.
#include "tests/accuracy/cells/cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace nearfar;
using namespace nearfar::cells;

namespace {

/// Rows of the given lengths with the given angles between b and c, c and a, a and b, in degrees; of volume 0 if there
/// are no such rows.
Rows rows_with(std::array<double, 3> const& lengths, std::array<double, 3> const& angles) {
  double cosine[3];
  for (std::size_t i = 0; i < 3; ++i) cosine[i] = std::cos(angles[i] * M_PI / 180);
  double const sine = std::sin(angles[2] * M_PI / 180), y = (cosine[0] - cosine[1] * cosine[2]) / sine,
               z = 1 - cosine[1] * cosine[1] - y * y;
  Rows rows{{{1, 0, 0}, {cosine[2], sine, 0}, {cosine[1], y, std::sqrt(std::max(0.0, z))}}};
  for (std::size_t i = 0; i < 3; ++i)
    for (double& c : rows[i]) c *= lengths[i];
  return rows;
}

struct Sweep {
  std::mt19937_64 random{2026};

  double between(double low, double high) { return low + (high - low) * uniform(random); }

  /// Angles of 35 to 145 degrees, edges of 1 : 1 to 1 : 10.
  Rows cell() {
    for (;;) {
      Rows const rows = rows_with({1, std::pow(10, between(-1, 0)), std::pow(10, between(-1, 0))},
                                  {between(35, 145), between(35, 145), between(35, 145)});
      if (rows[2][2] > 0.02 * std::hypot(rows[2][0], rows[2][1], rows[2][2])) return rows;
    }
  }
};

/// How many times the tolerance the error of the worst output is, relative to its far part, which is the smaller one.
double excess(Runtime const& runtime, EwaldOptions const& options, Numbers const& x, Numbers const& f,
              Numbers const& exact) {
  Numbers const u = sums(runtime, options, x, f), far = sums(runtime, options, x, f, Part::far);
  Numbers wrong(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) wrong[i] = u[i] - exact[i];
  double worst = 0;
  int const width = result_components(options.kernel, options.outputs);
  for_each_output(options, [&](Output output, int first, int count) {
    CAPTURE(std::string(name(output)));
    double const error = norm_of(wrong, width, first, count);
    double const found = error == 0 ? 0 : error / norm_of(far, width, first, count) / options.tolerance;  // of torques
    CHECK(found <= 1);
    worst = std::max(worst, found);
  });
  return worst;
}

constexpr int first_doublet = 240, many = 270;  // cells; of eight kernels by turns, and then of force dipoles

/// The cells that `wanted` says by their number, as many of each kernel; of eight, five repeat in space, two in the
/// plane of x and y, and one in that of y and z.
template <class Wanted>
void sweep(Wanted const& wanted) {
  Runtime const runtime({.gpus = 0});
  Sweep sweep;
  std::map<std::string, double> worst;
  for (int i = 0; i < many; ++i) {
    Kernel const kernel = i < first_doublet ? all_kernels[i % 8] : Kernel::doublet;
    int const turn = (i / 8 + i) % 8;
    Periodicity const periodicity = turn < 5 ? Periodicity::xyz : turn < 7 ? Periodicity::xy : Periodicity::yz;
    Rows rows = sweep.cell();
    if (!wanted(i)) continue;
    if (periodicity == Periodicity::yz) rows = {{{0, 0, 1}, {0, rows[0][0], 0}, {0, rows[1][0], rows[1][1]}}};
    rows = with_free_rows(rows, periodicity);
    Numbers const x = points_in(rows, 200, unsigned(i)), f = strengths_for(kernel, 200, unsigned(1000 + i));
    for (std::size_t d = 0; d < 3; ++d)
      if (!is_periodic(periodicity, int(d))) rows[d] = {};  // follows the points
    EwaldOptions options = options_for(kernel, rows, periodicity, 1e-12);
    options.near_precision = NearPrecision::double_;  // then all of the error is of the far part
    options.split = Split::gaussian;
    Numbers const exact = sums(runtime, options, x, f);
    options.split = Split::pswf;
    for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
      options.tolerance = tolerance;
      CAPTURE(i);
      CAPTURE(tolerance);
      CAPTURE(name(kernel));
      CAPTURE(name(periodicity));
      double& most = worst[std::string(name(kernel))];
      most = std::max(most, excess(runtime, options, x, f, exact));
    }
  }
  for (auto const& [kernel, most] : worst) {
    MESSAGE(kernel << ": worst error " << most << " of the tolerance");
    CHECK(most > 0.01);  // or plans are too fine
  }
}

}  // namespace

TEST_CASE("cells: some shapes") {
  sweep([](int i) { return i < 16 || i == first_doublet || i == first_doublet + 6; });
}

// Screened charges that do not add up to zero have a mean potential, whose gathered gradient is not exactly zero.
TEST_CASE("cells: screened charges whose mean was not in the error model") {
  sweep([](int i) { return i == 39 || i == 111 || i == 207; });
}

TEST_CASE("cells: screened charges in a box, from weak to strong screening") {
  Runtime const runtime({.gpus = 0});
  constexpr std::size_t count = 100;
  for (Periodicity const periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz}) {
    Rows const rows = with_free_rows({{{1, 0, 0}, {0, 0.7, 0}, {0, 0, 0.5}}}, periodicity);
    Numbers const x = points_in(rows, count, 1);
    Numbers f = strengths_for(Kernel::yukawa, count, 2);
    double sum = 0, square = 0;
    for (double const q : f) sum += q, square += q * q;
    for (double& q : f) q += (2.5 * std::sqrt(square) - sum) / count;  // as large a sum as one set in a hundred has
    for (double const screening : {0.1, 1.0, 10.0, 30.0}) {
      EwaldOptions options = options_for(Kernel::yukawa, rows, periodicity, 1e-12);
      for (std::size_t d = 0; d < 3; ++d)
        if (!is_periodic(periodicity, int(d))) (*options.cell)[d] = {};
      options.screening = screening;
      options.near_precision = NearPrecision::double_;
      options.split = Split::gaussian;
      Numbers const exact = sums(runtime, options, x, f);
      options.split = Split::pswf;
      for (double const tolerance : {1e-3, 1e-7}) {
        options.tolerance = tolerance;
        CAPTURE(screening);
        CAPTURE(tolerance);
        CAPTURE(name(periodicity));
        excess(runtime, options, x, f, exact);
      }
    }
  }
}

TEST_CASE("cells: many shapes" * doctest::skip()) {
  sweep([](int) { return true; });
}
