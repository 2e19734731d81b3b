// SPDX-License-Identifier: BSD-3-Clause
// Cells of any shape: lattices with known sums, and what must not matter, as the choice of the basis.
#include "tests/accuracy/cells/cells.hpp"
#include "tests/accuracy/every.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

using namespace nearfar;
using cells::Numbers;
using cells::points_in;
using cells::Rows;
using cells::sums;

namespace {

constexpr double tolerance = 1e-9;
constexpr Rows skewed{{{1, 0, 0}, {0.3, 0.9, 0}, {-0.2, 0.25, 0.8}}};

Outputs first_outputs(Kernel kernel) {
  return kernel == Kernel::laplace ? Output::potential | Output::gradient : Outputs(Output::velocity);
}

EwaldOptions options_for(Kernel kernel, Rows const& rows, Periodicity periodicity = Periodicity::xyz) {
  EwaldOptions options = cells::options_for(kernel, rows, periodicity, tolerance);
  options.outputs = first_outputs(kernel);
  return options;
}

/// Each output differs by less than `bound`, relative to itself; where one is zero, both are.
void check_outputs(EwaldOptions const& options, Numbers const& found, Numbers const& expected, double bound) {
  int const width = result_components(options.kernel, options.outputs);
  cells::for_each_output(options, [&](Output output, int first, int count) {
    CAPTURE(name(output));
    if (cells::norm_of(expected, width, first, count) == 0) CHECK(cells::norm_of(found, width, first, count) == 0);
    else CHECK(oracle::relative_error(found, expected, width, first, count) < bound);
  });
}

Rows times(std::array<std::array<int, 3>, 3> const& steps, Rows const& rows) {
  Rows out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t c = 0; c < 3; ++c) out[i][c] += steps[i][j] * rows[j][c];
  return out;
}

}  // namespace

TEST_CASE("cell: Madelung's constants of rock salt and caesium chloride in primitive and other cells") {
  Runtime const runtime({.gpus = 0});
  Rows const fcc{{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}}, unreduced{{{0, 1, 1}, {1, 2, 3}, {2, 1, 1}}};
  for (Rows const& rows : {fcc, unreduced}) {  // nearest neighbours are 1 apart
    Numbers const phi = sums(runtime, options_for(Kernel::laplace, rows), {0, 0, 0, 1, 1, 1}, {1, -1});
    CHECK(std::fabs(phi[0] + 1.747564594633182) < 1e-9);
    CHECK(std::fabs(phi[4] - 1.747564594633182) < 1e-9);
    for (std::size_t i : {1u, 2u, 3u, 5u, 6u, 7u}) CHECK(std::fabs(phi[i]) < 1e-8);
  }
  double const near = std::sqrt(3) / 2;
  for (Rows const& rows : {Rows{{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}}, Rows{{{1, 0, 0}, {0, 1, 0}, {3, -2, 1}}}}) {
    Numbers const phi = sums(runtime, options_for(Kernel::laplace, rows), {0, 0, 0, .5, .5, .5}, {1, -1});
    CHECK(std::fabs(phi[0] * near + 1.762674773070989) < 1e-9);
  }
}

TEST_CASE("cell: Hasimoto's drag on body- and face-centred lattices in their primitive cells") {
  Runtime const runtime({.gpus = 0});
  struct Lattice {
    Rows rows;
    double zeta;
  };
  for (auto const& [rows, zeta] : {Lattice{{{{1, 0, 0}, {1, 1, 0}, {0, 1, 1}}}, 2.8372974794806},
                                   Lattice{{{{-.5, .5, .5}, {.5, -.5, .5}, {.5, .5, -.5}}}, 3.6392334495086},
                                   Lattice{{{{0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}}, 4.5848620741138}}) {
    Numbers const u = sums(runtime, options_for(Kernel::stokeslet, rows), {.3, .2, .1}, {1, -2, .5});
    CHECK(u[0] == doctest::Approx(-4 * zeta / 3).epsilon(1e-9));
    CHECK(u[1] == doctest::Approx(8 * zeta / 3).epsilon(1e-9));
    CHECK(u[2] == doctest::Approx(-2 * zeta / 3).epsilon(1e-9));
  }
}

namespace {

/// The same sums in other bases and in a cell that is repeated.
void check_bases(std::initializer_list<Periodicity> periodicities) {
  Runtime const runtime({.gpus = 0});
  using Steps = std::array<std::array<int, 3>, 3>;
  std::vector<Steps> const space{{{{1, 0, 0}, {1, 1, 0}, {0, 0, 1}}},
                                 {{{1, 0, 0}, {-2, 1, 0}, {3, 1, 1}}},
                                 {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
                                 {{{1, 2, 0}, {0, 1, -1}, {0, 0, 1}}},
                                 {{{2, 1, 1}, {1, 1, 0}, {0, 1, 0}}}};
  // Of two rows; between them a direction may be free.
  std::vector<std::array<std::array<int, 2>, 2>> const plane{
      {{{1, 0}, {3, 1}}}, {{{1, 2}, {0, 1}}}, {{{0, 1}, {-1, 0}}}, {{{2, 1}, {1, 1}}}, {{{1, -1}, {-2, 3}}}};
  auto const bases = [&](Periodicity periodicity) {
    if (periodicity == Periodicity::xyz) return space;
    std::size_t const first = is_periodic(periodicity, 0) ? 0 : 1, second = is_periodic(periodicity, 2) ? 2 : 1;
    std::vector<Steps> all;
    for (auto const& of : plane) {
      if (periodic_directions(periodicity) < 2) break;  // one row has no other basis
      Steps steps{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      steps[first][first] = of[0][0], steps[first][second] = of[0][1];
      steps[second][first] = of[1][0], steps[second][second] = of[1][1];
      all.push_back(steps);
    }
    return all;
  };
  for (Kernel kernel : cells::all_kernels)
    for (Periodicity periodicity : periodicities) {
      CAPTURE(name(kernel));
      CAPTURE(name(periodicity));
      Rows const rows = cells::with_free_rows({{{1, 0, 0.1}, {0.3, 0.9, 0}, {-0.2, 0.25, 0.8}}}, periodicity);
      Numbers const x = points_in(rows, 60, 3), f = cells::strengths_for(kernel, 60, 4);
      EwaldOptions const options = cells::options_for(kernel, rows, periodicity, tolerance);
      Numbers const u = sums(runtime, options, x, f);
      auto const same = [&](Numbers v) {
        v.resize(u.size());
        check_outputs(options, v, u, 2 * tolerance);
      };
      for (Steps const& steps : bases(periodicity)) {
        EwaldOptions other = options;
        other.cell = times(steps, rows);
        same(sums(runtime, other, x, f));
      }
      for (std::size_t d = 0; d < 3; ++d) {  // two cells with copies of the sources
        if (!is_periodic(periodicity, int(d))) continue;
        EwaldOptions twice = options;
        Numbers copies = x, of_copies = f;
        for (double& c : (*twice.cell)[d]) c *= 2;
        for (std::size_t i = 0; i < x.size(); ++i) copies.push_back(x[i] + rows[d][i % 3]);
        of_copies.insert(of_copies.end(), f.begin(), f.end());
        same(sums(runtime, twice, copies, of_copies));
      }
    }
}

}  // namespace

TEST_CASE("cell: the basis does not matter, nor whether the cell is repeated; with free directions neither") {
  check_bases({Periodicity::xyz, Periodicity::xy});
}
TEST_CASE("cells: the basis, along other axes" * doctest::skip()) {
  check_bases({Periodicity::xz, Periodicity::yz, Periodicity::x, Periodicity::y, Periodicity::z});
}

TEST_CASE("cell: points, strengths and cell may be turned together") {
  Runtime const runtime({.gpus = 0});
  double const s = std::sqrt(0.5);
  Rows const turn{{{s, s, 0}, {-0.6 * s, 0.6 * s, 0.8}, {0.8 * s, -0.8 * s, 0.6}}};
  auto const turned = [&](Numbers rows, std::size_t width, std::size_t first) {
    for (std::size_t row = 0; row < rows.size(); row += width)
      for (std::size_t v = row + first; v + 3 <= row + width; v += 3) {
        std::array const old{rows[v], rows[v + 1], rows[v + 2]};
        for (std::size_t c = 0; c < 3; ++c)
          rows[v + c] = old[0] * turn[0][c] + old[1] * turn[1][c] + old[2] * turn[2][c];
      }
    return rows;
  };
  Rows const box{{{1, 0, 0}, {0, 1.2, 0}, {0, 0, 0.9}}};
  for (Kernel kernel : every_kernel)
    for (Rows const& rows : {box, skewed}) {
      CAPTURE(name(kernel));
      Rows other;
      for (std::size_t d = 0; d < 3; ++d) {
        Numbers const row = turned({rows[d].begin(), rows[d].end()}, 3, 0);
        for (std::size_t c = 0; c < 3; ++c) other[d][c] = row[c];
      }
      auto const width = std::size_t(result_components(kernel, first_outputs(kernel)));
      bool const scalar = kernel == Kernel::laplace;
      Numbers const x = points_in(rows, 60, 5), f = random_strengths(kernel, 60, 6);
      Numbers const u = turned(sums(runtime, options_for(kernel, rows), x, f), width, scalar ? 1 : 0),
                    v = sums(runtime, options_for(kernel, other), turned(x, 3, 0),
                             scalar ? f : turned(f, f.size() / 60, 0));
      CHECK(oracle::relative_error(v, u) < 2 * tolerance);
    }
}

TEST_CASE("cell: the same bits for tilts that differ by a row, and for a box given as a cell") {
  Runtime const runtime({.gpus = 0});
  Numbers const f = random_strengths(Kernel::stokeslet, 200, 8);
  Rows rows{{{1, 0, 0}, {0.25, 1, 0}, {0, 0, 1}}};
  Numbers const x = points_in(rows, 200, 7), u = sums(runtime, options_for(Kernel::stokeslet, rows), x, f);
  for (double tilt : {1.25, -0.75, 12.25}) {
    rows[1][0] = tilt;
    CHECK(sums(runtime, options_for(Kernel::stokeslet, rows), x, f) == u);
  }
  EwaldOptions box = options_for(Kernel::stokeslet, {{{1, 0, 0}, {0, 1.5, 0}, {0, 0, 0.75}}});
  Numbers const v = sums(runtime, box, x, f);
  box.cell.reset();
  box.box = {1, 1.5, 0.75};
  CHECK(sums(runtime, box, x, f) == v);
}

TEST_CASE("cell: every kernel and output by other bodies, splits, windows and precisions") {
  Runtime const runtime({.gpus = 0});
  for (Kernel kernel : cells::all_kernels) {
    CAPTURE(name(kernel));
    Numbers const x = points_in(skewed, 400, 9), f = cells::strengths_for(kernel, 400, 10);
    EwaldOptions const given = cells::options_for(kernel, skewed, Periodicity::xyz, tolerance);
    EwaldOptions options = given;
    Numbers const u = sums(runtime, options, x, f);
    for (Implementation const other : {Implementation::portable, nearfar::hybrid}) {
      options.implementation = other;
      check_outputs(given, sums(runtime, options, x, f), u, 1e-12);
    }
    options.implementation = Implementation::tuned;
    options.split = Split::gaussian;
    for (Window window : {Window::kaiser_bessel, Window::pswf, Window::gaussian}) {
      options.window = window;
      check_outputs(given, sums(runtime, options, x, f), u, 2 * tolerance);
    }
    options = given;
    options.tolerance = 1e-5;  // pairs and grid in single precision
    check_outputs(given, sums(runtime, options, x, f), u, 1e-5);
    options.tolerance = 1e-4;
    std::vector<float> const x_single(x.begin(), x.end()), f_single(f.begin(), f.end());
    std::vector<float> const v = sums<float>(runtime, options, x_single, f_single);
    check_outputs(given, Numbers(v.begin(), v.end()), u, 1e-4);
  }
}
