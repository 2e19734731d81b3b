// SPDX-License-Identifier: BSD-3-Clause
// Plans keep the tolerance in cells of any shape: of the whole sum and of its far part alone.
#include "tests/accuracy/every.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

using Rows = std::array<std::array<double, 3>, 3>;
using Numbers = std::vector<double>;

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
      if (rows[2][2] > 0.25 * std::hypot(rows[2][0], rows[2][1], rows[2][2])) return rows;
    }
  }
};

double norm(Numbers const& u) {
  double sum = 0;
  for (double const x : u) sum += x * x;
  return std::sqrt(sum);
}

/// How many times the tolerance the error is, relative to the far part of each output, which is the smaller one.
double excess(Runtime const& runtime, EwaldOptions options, Numbers const& x, Numbers const& f) {
  auto const all = [&](EwaldOptions const& o, Part part) {
    Ewald plan(runtime, o);
    Numbers u(x.size() / 3 * std::size_t(result_components(o.kernel, o.outputs)));
    plan.submit(plan.set_points(x), f, u, part).wait();
    return u;
  };
  Numbers const u = all(options, Part::whole), far = all(options, Part::far);
  EwaldOptions finest = options;
  finest.tolerance = 1e-12;
  finest.split = Split::gaussian;
  Numbers const exact = all(finest, Part::whole);
  std::size_t const width = u.size() / (x.size() / 3), first = options.kernel == Kernel::laplace ? 1 : width;
  double worst = 0;
  for (std::size_t begin : {std::size_t(0), first}) {
    if (begin == width) continue;
    std::size_t const end = begin == 0 ? first : width;
    Numbers wrong, of_far;
    for (std::size_t row = 0; row < u.size(); row += width)
      for (std::size_t i = row + begin; i < row + end; ++i) {
        wrong.push_back(u[i] - exact[i]);
        of_far.push_back(far[i]);
      }
    worst = std::max(worst, norm(wrong) / norm(of_far) / options.tolerance);
  }
  return worst;
}

void sweep(int cells) {
  Runtime const runtime({.gpus = 0});
  Sweep sweep;
  double worst = 0;
  for (int i = 0; i < cells; ++i) {
    Rows rows = sweep.cell();
    Kernel const kernel = every_kernel[i % 4];
    Periodicity const periodicity = i % 8 < 5 ? Periodicity::xyz : Periodicity::xy;
    if (periodicity == Periodicity::xy) rows[2] = {0, 0, 1};
    Numbers x = random_points(200, {1, 1, 1}, unsigned(i));
    for (std::size_t p = 0; p < x.size(); p += 3) {
      std::array const s{x[p], x[p + 1], x[p + 2]};
      for (std::size_t c = 0; c < 3; ++c) x[p + c] = s[0] * rows[0][c] + s[1] * rows[1][c] + s[2] * rows[2][c];
    }
    if (periodicity == Periodicity::xy) rows[2] = {};  // follows the points
    bool const charges = kernel == Kernel::laplace;
    EwaldOptions options{.kernel = kernel,
                         .outputs = charges ? Output::potential | Output::gradient : Outputs(Output::velocity),
                         .periodicity = periodicity};
    options.cell = rows;
    options.near_precision = NearPrecision::double_;  // then all of the error is of the far part
    if ((kernel == Kernel::stresslet || kernel == Kernel::stokes) && periodicity == Periodicity::xyz)
      options.zero_mode = ZeroMode::zero_mean_flow;
    for (double const tolerance : {1e-3, 1e-6, 1e-9}) {
      options.tolerance = tolerance;
      double const found = excess(runtime, options, x, random_strengths(kernel, 200, unsigned(1000 + i)));
      CAPTURE(i);
      CAPTURE(tolerance);
      CAPTURE(name(kernel));
      CHECK(found <= 1);
      worst = std::max(worst, found);
    }
  }
  MESSAGE("worst error: " << worst << " of the tolerance");
  CHECK(worst > 0.01);  // or plans are too fine
}

}  // namespace

TEST_CASE("cells: some shapes") { sweep(16); }

TEST_CASE("cells: many shapes" * doctest::skip()) { sweep(240); }
