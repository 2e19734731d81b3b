// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/frame.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace nearfar;

TEST_CASE("frame: points many periods away are wrapped without rounding the multiple of the period") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.3, 3);
  for (double const far : {0.5, 3.0, 1e3, 1e6, 1e12})
    for (int i = 0; i < 1000; ++i) {
      double const edge = uniform(random), x = far * (uniform(random) - 1.5), rest = std::fmod(x, edge),  // exact
          expected = rest < 0 ? rest + edge : rest;
      CAPTURE(x);
      CAPTURE(edge);
      CHECK(wrapped<double>(x, edge) == (expected < edge ? expected : 0));
      CHECK(wrapped<float>(x, edge) == (float(expected) < edge ? float(expected) : 0));
    }
}

TEST_CASE("frame: what is next to a face stays next to it") {
  double const edge = 1.117;
  for (int n : {-300000, -7, -1, 0, 1, 2, 300000}) {
    double const face = n * edge;
    for (double const x : {std::nextafter(face, -HUGE_VAL), face, std::nextafter(face, HUGE_VAL)}) {
      double const inside = wrapped<double>(x, edge), from_face = std::fmin(inside, edge - inside);
      CAPTURE(x);
      CHECK(inside >= 0);
      CHECK(inside < edge);
      CHECK(from_face <= 2e-16 * (1 + std::fabs(face)));
    }
  }
}
