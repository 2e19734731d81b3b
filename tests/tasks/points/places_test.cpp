// SPDX-License-Identifier: BSD-3-Clause
// Where points are placed: images of one point at one place, whatever rounds.
#include "core/geometry/placing.hpp"
#include "tasks/points/cell_sort.hpp"
#include "tests/tasks/motion.hpp"
#include "tests/tasks/points/frames.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace nearfar;
using namespace nearfar::detail;
using test::frame_with;

TEST_CASE("points that are whole edges apart are at one place, whatever rounds") {
  Runtime const runtime({.gpus = 0});
  int missed = 0;
  for (double const edge : {1.0, 0.25, 3.0, 4.0})
    for (int count = 3; count < 12; ++count) {
      auto frame = frame_with(true, 1, edge);
      for (std::size_t d = 0; d < 3; ++d) {
        frame.cells.count[d] = count;
        frame.origin[d] = first_face(frame.cells, int(d));
      }
      for (int i = 0; i <= count; ++i) {  // places near faces of cells, with few digits: so edges are added exactly
        double const at = std::round(1024 * edge * i / count) / 1024;
        for (double const periods : {-3, -1, 1, 2}) {
          std::vector<double> const x{at, 0.125, 0.25, at + periods * edge, 0.125, 0.25};
          missed += test::refusal_of([&] {
                      sorted_into_cells<double>(runtime.shared(), frame, x, "source", false, true);
                    }).empty();
        }
      }
    }
  CHECK(missed == 0);
}

TEST_CASE("points that are whole rows of a skewed cell apart are at one place, whatever rounds") {
  Runtime const runtime({.gpus = 0});
  using Rows = std::array<std::array<double, 3>, 3>;
  int missed = 0;
  for (Rows const& rows :
       {Rows{{{2, 0, 0}, {0.5, 1.5, 0}, {0.25, 0, 1.25}}}, Rows{{{1, 0, 0}, {0.375, 1, 0}, {0.125, 0.25, 1}}},
        Rows{{{1, 0, 0}, {0.25, 1, 0}, {0, 0, 1}}}}) {
    Ewald plan(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential, .cell = rows, .tolerance = 1e-2});
    for (int place = 0; place < 64; ++place)
      for (int image = 1; image < 27; ++image) {
        // Numbers with few digits, on faces and in the middle; whole rows are added exactly.
        int const eighths[] = {2 * (place % 4), 2 * (place / 4 % 4), 2 * (place / 16)};
        int const periods[] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        std::vector<double> x(6);
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t r = 0; r < 3; ++r) {
            x[c] += rows[r][c] * eighths[r] / 8;
            x[3 + c] += rows[r][c] * (eighths[r] / 8.0 + periods[r]);
          }
        missed += test::refusal_of([&] { plan.set_points(x); }).empty();
      }
  }
  CHECK(missed == 0);
}

TEST_CASE("a coordinate so far away that adding an edge does not change it is placed in the box") {
  for (double const far : {-1e15, -1e17, -1e300, 1e17}) {
    auto const frame = frame_with(true);
    Placer<double> placer(frame);
    std::vector<double> x(3 * 40, 0.25);
    x[3 * 7] = far;
    std::array<std::vector<double>, 3> at;
    for (auto& along : at) along.resize(40);
    CHECK(placer.place(40, [&](int i) { return &x[3 * std::size_t(i)]; }, {at[0].data(), at[1].data(), at[2].data()},
                       {}) == 40);
    double placed[3] = {};
    CHECK(place_point(frame, &x[3 * 7], placed));
    CHECK(at[0][7] == placed[0]);
    CHECK(placed[0] >= 0);
    CHECK(placed[0] < 1);
  }
}
