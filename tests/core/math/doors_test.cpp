// SPDX-License-Identifier: BSD-3-Clause
// What core takes for granted of its callers ends the program where it does not hold, instead of giving wrong numbers.
#include "core/ewald/window/window.hpp"
#include "core/fmm/operators.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/spectral/layout.hpp"
#include "core/tree/blocks.hpp"
#include "tests/core/math/ending.hpp"

using namespace nearfar;

TEST_CASE("doors: a window wider than its rows") {
  auto const make = [](int points, int slopes) {
    return ending_of([=] { make_window_table<double>({Window::kaiser_bessel, points, 15, slopes}, 1e-6); });
  };
  CHECK(make(max_window_points, 2).signal == 0);
  expect_refused(make(max_window_points + 2, 0), "w.points <= max_window_points");
  expect_refused(make(8, 3), "w.slopes <= 2");
}

TEST_CASE("doors: operators of an order that no table has") {
  CHECK(ending_of([] { make_fmm_operators<double>(3, 1, {1, 1, 1}); }).signal == 0);
  expect_refused(ending_of([] { make_fmm_operators<double>(31, 1, {1, 1, 1}); }), "order <= max_fmm_order");
  expect_refused(ending_of([] { make_fmm_operators<double>(3, 3, {1, 1, 1}); }), "separation == 2");
}

TEST_CASE("doors: a layout has three directions, blocks have a size, and a plan a cutoff") {
  expect_refused(ending_of([] { plain_layout({1, 1, 1}, {8, 8, 8}, 4, {8, 8, 8}); }), "free <= 3");
  expect_refused(ending_of([] {
                   cut_blocks(
                       {}, [](int, int) { return 1.0; }, 0);
                 }),
                 "grain > 0");
  expect_refused(ending_of([] { predict_work({}, {}, 7, 10, 10, {}, 1); }), "p.cutoff > 0");
}
