// SPDX-License-Identifier: BSD-3-Clause
// The multipole method in a periodic cell, against Ewald's sum and a crystal.
#include "tests/accuracy/fmm/fmm_solve.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

using namespace nearfar;

namespace {

enum class Cell { neutral, dipolar, charged };

/// Charges in a cell, as its charge and dipole moment shall be.
System cell_of(Cell kind, std::size_t count, oracle::Box const& box = {2, 2, 2}) {
  System s = random_system(Kernel::laplace, box, count, count, 21);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kind == Cell::dipolar) s.strengths[i] += s.sources[3 * i] - 0.5 * s.sources[3 * i + 1];
    if (kind == Cell::charged) s.strengths[i] += 0.5;
    sum += s.strengths[i];
  }
  if (kind != Cell::charged)
    for (double& q : s.strengths) q -= sum / double(count);
  return s;
}

/// Relative errors of Madelung's constant: of that of the whole crystal, and root mean square over its ions.
struct MadelungError {
  double mean, rms;
};

/// Of m ions along x and y and `layers` along z, all even, a distance 1 / m from each other.
MadelungError madelung_error(Runtime const& runtime, int m, FmmOptions options, int layers = 0) {
  if (layers == 0) layers = m;
  System s{Kernel::laplace, {1, 1, double(layers) / m}, {}, {}, {}};
  for (int i = 0; i < m * m * layers; ++i) {
    int const at[3] = {i / layers / m, i / layers % m, i % layers};
    for (int a : at) s.sources.push_back((a + 0.25) / m);
    s.strengths.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  s.targets = s.sources;
  auto const u = solve_fmm(runtime, s, options);
  double sum = 0, squares = 0;
  double const ions = double(s.strengths.size());
  for (std::size_t i = 0; i < s.strengths.size(); ++i) {
    double const error = -u[4 * i] * s.strengths[i] / m / 1.747564594633182 - 1;
    sum += error;
    squares += error * error;
  }
  return {std::abs(sum / ions), std::sqrt(squares / ions)};
}

/// Of charges in a vacuum: phi of Ewald is phi of the vacuum + 2 pi / (3 V) (-2 x . P + sum of q |x|^2), x from the
/// centre of the cell (fmm.md, Sec. 2).
std::vector<double> vacuum_reference(System const& s) {
  double dipole[3] = {}, second = 0;
  auto const from_centre = [&](std::size_t i, std::size_t d) { return s.sources[3 * i + d] - s.box[d] / 2; };
  for (std::size_t i = 0; i < s.strengths.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = from_centre(i, d);
      dipole[d] += s.strengths[i] * x;
      second += s.strengths[i] * x * x;
    }
  auto reference = whole_reference(s);
  double const factor = 2 * 3.14159265358979324 / (3 * s.box[0] * s.box[1] * s.box[2]);
  for (std::size_t i = 0; i < s.strengths.size(); ++i) {
    double along = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      along += from_centre(i, d) * dipole[d];
      reference[4 * i + 1 + d] += 2 * factor * dipole[d];
    }
    reference[4 * i] -= factor * (second - 2 * along);
  }
  return reference;
}

/// Cells, and the separation that fits them.
struct Oblong {
  oracle::Box box;
  int separation;
};
Oblong const oblong_cells[] = {{{0.95, 1, 0.9}, 1}, {{1, 1.2, 0.9}, 2}, {{1, 1, 1.5}, 2}, {{1.2, 0.6, 0.6}, 2}};

}  // namespace

TEST_CASE("periodic: equal to Ewald's sum within the tolerance, neutral, dipolar and charged cells") {
  Runtime const runtime({.gpus = 0});
  for (Cell kind : {Cell::neutral, Cell::dipolar, Cell::charged}) {
    System const s = cell_of(kind, 1500);
    auto const reference = whole_reference(s);
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9})
      for (int depth : {0, 1, 2, 3}) {
        if (depth == 3 && tolerance < 1e-5) continue;
        std::ostringstream what;
        what << "cell " << int(kind) << ", depth " << depth;
        check_error(what.str(), s, solve_fmm(runtime, s, {.tolerance = tolerance, .depth = depth}), reference,
                    tolerance);
      }
    check_error("separation 2", s, solve_fmm(runtime, s, {.tolerance = 1e-8, .depth = 2, .well_separation = 2}),
                reference, 1e-8);
    check_error("all chosen", s, solve_fmm(runtime, s, {.tolerance = 1e-6}), reference, 1e-6);
    check_error("adaptive", s, solve_fmm(runtime, s, {.tolerance = 1e-6, .capacity = 10}), reference, 1e-6);
  }
}

TEST_CASE("periodic: single precision, other targets, points outside the cell") {
  Runtime const runtime({.gpus = 0});
  System s = random_system(Kernel::laplace, {1, 1, 1}, 1000, 300, 5, false, true);
  auto const reference = whole_reference(s);
  check_error("single", s, solve_fmm<float>(runtime, s, {.tolerance = 1e-4}), reference, 1e-4);
  check_error("double", s, solve_fmm(runtime, s, {.tolerance = 1e-8}), reference, 1e-8);
  for (std::size_t i = 0; i < s.sources.size(); ++i) s.sources[i] += double(int(i % 5) - 2);
  check_error("moved by cells", s, solve_fmm(runtime, s, {.tolerance = 1e-8}), reference, 1e-8);
}

TEST_CASE("periodic: Madelung's constant of rock salt to nine digits") {
  Runtime const runtime({.gpus = 0});
  CHECK(madelung_error(runtime, 4, {.order = 26, .depth = 2}).mean < 5e-10);
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    auto const error = madelung_error(runtime, 8, {.tolerance = tolerance, .depth = 2});
    CHECK(error.rms < tolerance);
    CHECK(error.mean < tolerance);
  }
  // fmm.md, Sec. 2: what lower orders give.
  CHECK(madelung_error(runtime, 4, {.order = 8, .depth = 2}).mean / 4.9e-6 == doctest::Approx(1).epsilon(0.25));
}

TEST_CASE("periodic: a vacuum around the cell turns its dipole field on, and wants it neutral") {
  Runtime const runtime({.gpus = 0});
  System const s = cell_of(Cell::dipolar, 800);
  auto const reference = vacuum_reference(s);
  check_error("vacuum", s, solve_fmm(runtime, s, {.tolerance = 1e-7, .boundary = Boundary::vacuum}), reference, 1e-7);
  CHECK_THROWS_WITH_AS(
      solve_fmm(runtime, cell_of(Cell::charged, 100), {.tolerance = 1e-4, .boundary = Boundary::vacuum}),
      doctest::Contains("tin-foil"), Error);
}

TEST_CASE("oblong cells: Madelung's constant of rock salt") {
  Runtime const runtime({.gpus = 0});
  CHECK(madelung_error(runtime, 4, {.order = 26, .depth = 2}, 6).mean < 1e-10);
  for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9})
    for (int layers : {4, 8, 10}) {
      CAPTURE(tolerance);
      CAPTURE(layers);
      auto const error = madelung_error(runtime, 6, {.tolerance = tolerance, .depth = 2}, layers);
      CHECK(error.rms < tolerance);
      CHECK(error.mean < tolerance);
    }
}

TEST_CASE("oblong cells: equal to Ewald's sum within the tolerance, neutral, dipolar and charged") {
  Runtime const runtime({.gpus = 0});
  for (auto const& [box, separation] : oblong_cells)
    for (Cell kind : {Cell::neutral, Cell::dipolar, Cell::charged}) {
      System const s = cell_of(kind, 600, box);
      auto const reference = whole_reference(s);
      for (double tolerance : {1e-3, 1e-5, 1e-8})
        for (int depth : {0, 2}) {
          if (depth == 0 && kind != Cell::neutral) continue;
          std::ostringstream what;
          what << "cell " << box[0] << " x " << box[1] << " x " << box[2] << ", " << int(kind) << ", depth " << depth;
          FmmPlanning chosen;
          FmmOptions const options{.tolerance = tolerance, .depth = depth};
          check_error(what.str(), s, solve_fmm(runtime, s, options, &chosen), reference, tolerance);
          if (separation == 2) CHECK(chosen.well_separation == 2);
          for (std::size_t d = 0; d < 3; ++d) CHECK(chosen.box[d] == doctest::Approx(box[d]));
        }
      if (kind != Cell::dipolar) continue;
      FmmOptions const by_hand{.tolerance = 1e-5, .capacity = 8, .well_separation = separation};
      check_error("adaptive", s, solve_fmm(runtime, s, by_hand), reference, 1e-5);
    }
}

TEST_CASE("oblong cells: vacuum, single precision, other targets, points outside the cell, clusters") {
  Runtime const runtime({.gpus = 0});
  System const dipolar = cell_of(Cell::dipolar, 800, {1, 1.2, 0.9});
  check_error("vacuum", dipolar, solve_fmm(runtime, dipolar, {.tolerance = 1e-7, .boundary = Boundary::vacuum}),
              vacuum_reference(dipolar), 1e-7);

  System s = random_system(Kernel::laplace, {1, 1, 1.5}, 1000, 300, 5, false, true);
  auto const reference = whole_reference(s);
  check_error("single", s, solve_fmm<float>(runtime, s, {.tolerance = 1e-4}), reference, 1e-4);
  for (std::size_t i = 0; i < s.sources.size(); ++i) s.sources[i] += double(int(i % 5) - 2) * s.box[i % 3];
  check_error("moved by cells", s, solve_fmm(runtime, s, {.tolerance = 1e-8}), reference, 1e-8);

  // Lattice sums of degree 40 are beyond what single precision has where two edges are shorter than the third.
  System const short_edges = random_system(Kernel::laplace, {1, 1.3, 1.05}, 500, 300, 6, false, true);
  for (int order : {19, 20})
    check_error("short edges", short_edges, solve_fmm<float>(runtime, short_edges, {.order = order}),
                whole_reference(short_edges), 1e-4);

  System cluster = cell_of(Cell::neutral, 1000, {1, 1, 1.5});
  for (std::size_t i = 0; i < 3 * 700; ++i) cluster.sources[i] *= 0.02 * cluster.sources[i];
  cluster.targets = cluster.sources;
  auto const exact = whole_reference(cluster);
  for (double tolerance : {1e-4, 1e-7})
    check_error("cluster", cluster, solve_fmm(runtime, cluster, {.tolerance = tolerance, .capacity = 10}), exact,
                tolerance);
}
