// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/shared_work.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using doctest::Approx;

TEST_CASE("shared work: CPU workers alone take their share each") {
  CHECK(shared_seconds({}, 4, 1) == 0);
  CHECK(shared_seconds({{8}, {4}}, 4, 0) == Approx(3));
  CHECK(shared_seconds({{8, 1}, {4, 1}}, 4, 0) == Approx(3));
  CHECK(shared_seconds({{8}, {4}}, 4, 2) == Approx(3));  // no GPU can do it
}

TEST_CASE("shared work: both kinds of workers end together") {
  // 4 T / 16 of it by the CPU workers, T / 1 by the GPU.
  CHECK(shared_seconds({{16, 1}}, 4, 1) == Approx(0.8));
  CHECK(shared_seconds({{16, 1}}, 4, 2) == Approx(4 / 9.0));
  // 2.4 s of each CPU worker are for what only they can do.
  CHECK(shared_seconds({{16, 1}, {9.6}}, 4, 1) == Approx(2.4));
  CHECK(shared_seconds({{16, 1}, {1.6}}, 4, 1) == Approx(0.88));  // 4 (T - 0.4) / 16 + T = 1
}

TEST_CASE("shared work: a GPU does what it gains most with") {
  // It gains 100 and 2: CPU workers do 4 T / 10 of the second, the GPU the rest of it after 2 s.
  CHECK(shared_seconds({{200, 2}, {10, 5}}, 4, 1) == Approx(7 / 3.0));
  CHECK(shared_seconds({{10, 5}, {200, 2}}, 4, 1) == shared_seconds({{200, 2}, {10, 5}}, 4, 1));
  // Alone it would take 1 and 3 s, the CPU workers 25 and 1.
  CHECK(shared_seconds({{100, 1}, {4, 3}}, 4, 1) == Approx(1).epsilon(0.05));
}

TEST_CASE("shared work: CPU workers begin no task that GPUs would have done before its end") {
  CHECK(shared_seconds({{16, 1, 2}}, 4, 1) == Approx(1));             // it takes 2 s here, all takes 1 there
  CHECK(shared_seconds({{16, 1, 1}}, 4, 1) == Approx(1.125 / 1.25));  // 4 (T - 0.5) / 16 + T = 1
  CHECK(shared_seconds({{16, 1, 1}, {12}}, 4, 1) == Approx(3));
}

TEST_CASE("shared work: a stage takes no less than one of its tasks") {
  CHECK(span_seconds({8}, 4, 4, 0) == Approx(2));
  CHECK(span_seconds({8}, 2, 4, 0) == Approx(4));
  CHECK(span_seconds({8, 1}, 100, 4, 1) == Approx(2 / 3.0));
  CHECK(span_seconds({8, 3}, 4, 4, 1) == Approx(2));  // the GPU has its share then, but each worker is in its task
  CHECK(span_seconds({8, 1}, 4, 4, 1) == Approx(1));  // the GPU has done all before
}
