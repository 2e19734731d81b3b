// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/given_cell.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

EwaldOptions with_cell(CellRows const& rows, Periodicity periodicity = Periodicity::xyz) {
  EwaldOptions options;
  options.periodicity = periodicity;
  options.cell = rows;
  return options;
}

void check_rejected(EwaldOptions const& options, std::vector<std::string> const& words) {
  try {
    with_reduced_cell(options);
    FAIL("accepted, but should be refused: " << words.front());
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::bad_input);
    for (auto const& word : words) {
      CAPTURE(e.what());
      CHECK(std::string(e.what()).find(word) != std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("given cell: cells at right angles are boxes, whatever basis is given") {
  std::array<double, 3> const box{1, 1.25, 0.75};
  for (CellRows const& rows :
       {CellRows{{{1, 0, 0}, {0, 1.25, 0}, {0, 0, 0.75}}}, CellRows{{{1, 0, 0}, {3, 1.25, 0}, {-1, 2.5, 0.75}}},
        CellRows{{{0, -1.25, 0}, {0, 0, -0.75}, {1, 0, 0}}}}) {
    EwaldOptions const options = with_reduced_cell(with_cell(rows));
    CHECK(!options.cell);
    CHECK(options.box == box);
    CHECK(fullness_of(options) == 1);
    CHECK(heights_of(options) == box);
  }
  EwaldOptions const open = with_reduced_cell(with_cell({{{1, 0, 0}, {0, 0, 0}, {0, 0, 2}}}, Periodicity::xz));
  CHECK(open.box == std::array<double, 3>{1, 0, 2});
}

TEST_CASE("given cell: others have the lengths of the reduced rows as their box") {
  EwaldOptions options = with_reduced_cell(with_cell({{{1, 0, 0}, {1.3, 0.9, 0}, {1.1, 1.15, 0.8}}}));
  REQUIRE(options.cell);
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(options.box[d] == doctest::Approx(std::sqrt(dot((*options.cell)[d].data(), (*options.cell)[d].data()))));
  double const volume = options.box[0] * options.box[1] * options.box[2] * fullness_of(options);
  CHECK(volume == doctest::Approx(0.72).epsilon(1e-14));
  CHECK(CellLattice::of(rows_of(options)).volume() == doctest::Approx(0.72).epsilon(1e-14));
  CHECK(heights_of(options)[2] < options.box[2]);

  options = with_reduced_cell(with_cell({{{1, 0, 0}, {0, 1.5, 0}, {1.25, 0, 0.85}}}, Periodicity::xz));
  CHECK((*options.cell)[2] == std::array<double, 3>{0.25, 0, 0.85});
  CHECK(heights_of(options)[1] == 1.5);
  CellRows const ours = rows_inside(options);  // free y first, then z, then x
  CHECK(ours == CellRows{{{1.5, 0, 0}, {0, 0.85, 0.25}, {0, 0, 1}}});
}

TEST_CASE("given cell: what is refused, and the cure") {
  double const infinite = std::numeric_limits<double>::infinity();
  check_rejected(with_cell({{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}}),
                 {"(2, 0, 0)", "lie in one plane", "another direction"});
  check_rejected(with_cell({{{0.1, 0.3, 0}, {0.3, 0.9, 0}, {}}}, Periodicity::xy), {"on one line", "fewer periodic"});
  check_rejected(with_cell({{{1, 0, 0}, {2, 1e-7, 0}, {0, 0, 1}}}), {"nearly parallel"});
  check_rejected(with_cell({{{1, 0, 0}, {2, 0.9e-6, 0}, {0, 0, 1}}}), {"nearly parallel", "ratio of 1e-06"});
  CHECK(with_reduced_cell(with_cell({{{1, 0, 0}, {2, 2.5e-6, 0}, {0, 0, 1}}})).box[0] == 1);  // from there on
  check_rejected(with_cell({{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}), {"(0, 1, 0)", "left-handed", "Exchange two rows"});
  check_rejected(with_cell({{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}}, Periodicity::xy), {"left-handed"});
  check_rejected(with_cell({{{1, 0, 0}, {0, 0, 0}, {0, 0, -1}}}, Periodicity::xz), {"left-handed"});
  check_rejected(with_cell({{{-1, 0, 0}, {}, {}}}, Periodicity::x), {"left-handed", "Give the negative of the one"});
  check_rejected(with_cell({{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}}), {"row b of the cell is (0, 0, 0)", "length"});
  check_rejected(with_cell({{{1, 0, infinite}, {0, 1, 0}, {0, 0, 1}}}), {"row a of the cell is (1, 0, inf)", "finite"});
  check_rejected(with_cell({{{1, 0, 0}, {0, 1, 0}, {0.1, 0, 1}}}, Periodicity::xy),
                 {"row c of the cell is (0.1, 0, 1)", "direction z does not repeat"});
  check_rejected(with_cell({{{1, 0, 0.1}, {0, 1, 0}, {0, 0, 1}}}, Periodicity::xy),
                 {"row a of the cell is (1, 0, 0.1)", "Give 0 for its z"});
  EwaldOptions both = with_cell({{{1, 0, 0}, {0.5, 1, 0}, {0, 0, 1}}});
  both.box = {2, 1, 1};
  check_rejected(both, {"both a box, (2, 1, 1), and a cell"});
  EwaldOptions grid = with_cell({{{1, 0, 0}, {1.25, 1, 0}, {0, 0, 1}}});
  grid.grid = std::array{32, 32, 32};
  check_rejected(grid, {"a grid is set for the rows", "(0.25, 1, 0)"});
  grid.cell = CellRows{{{1, 0, 0}, {0.25, 1, 0}, {0, 0, 1}}};
  CHECK(with_reduced_cell(grid).cell == grid.cell);
}

TEST_CASE("given cell: rows of any length, also where products of lengths overflow or vanish") {
  CellRows const rows{{{1, 0, 0}, {1.3, 0.9, 0}, {1.1, 1.15, 0.8}}};
  EwaldOptions const one = with_reduced_cell(with_cell(rows));
  for (int const exponent : {-1000, -400, 400, 1000}) {
    CAPTURE(exponent);
    CellRows scaled = rows;
    for (auto& row : scaled)
      for (double& c : row) c = std::ldexp(c, exponent);
    EwaldOptions const options = with_reduced_cell(with_cell(scaled));
    CHECK(fullness_of(options) == fullness_of(one));
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(options.box[d] == std::ldexp(one.box[d], exponent));
      CHECK(heights_of(options)[d] == std::ldexp(heights_of(one)[d], exponent));
      for (std::size_t c = 0; c < 3; ++c) CHECK((*options.cell)[d][c] == std::ldexp((*one.cell)[d][c], exponent));
    }
    scaled[2] = scaled[0];
    check_rejected(with_cell(scaled), {"lie in one plane"});
  }
  EwaldOptions const slab =
      with_reduced_cell(with_cell({{{1e200, 0, 0}, {1.3e200, 1e200, 0}, {0, 0, 2}}}, Periodicity::xy));
  CHECK(slab.box[2] == 2);
  CHECK((*slab.cell)[1][0] == doctest::Approx(0.3e200));
}
