// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/window/window_weights.hpp"
#include "core/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

WindowShape const shapes[] = {{Window::kaiser_bessel, 4, 8.5, 1}, {Window::kaiser_bessel, 7, 15, 1},
                              {Window::kaiser_bessel, 12, 25, 1}, {Window::kaiser_bessel, 20, 40, 1},
                              {Window::kaiser_bessel, 8, 17},     {Window::kaiser_bessel, 14, 28},
                              {Window::pswf, 8, 14, 1},           {Window::pswf, 16, 27},
                              {Window::gaussian, 10, 14, 1},      {Window::gaussian, 20, 28},
                              {Window::kaiser_bessel, 4, 8.5, 2}, {Window::kaiser_bessel, 14, 30, 2},
                              {Window::pswf, 8, 14, 2},           {Window::gaussian, 10, 14, 2}};

template <class T>
void check_table(WindowShape const& w, double error, double allowed) {
  auto const table = make_window_table<T>(w, error);
  CHECK(table.points == w.points);
  CHECK(table.degree <= max_window_degree);
  for (double offset : {0.0, 0.123, 0.5, 0.99}) {
    T const s = static_cast<T>(2 * offset - 1);
    T value[max_window_points], slope[max_window_points], second[max_window_points];
    window_values(table, s, value);
    window_slopes(table, s, slope);
    window_seconds(table, s, second);
    for (int bin = 0; bin < w.points; ++bin) {
      double const t = 2 * (bin + offset) / w.points - 1;
      REQUIRE(std::abs(value[bin] - window_value(w, t)) < allowed);
      if (w.slopes > 0) REQUIRE(std::abs(slope[bin] - 2.0 / w.points * window_derivative(w, t)) < allowed);
      if (w.slopes > 1) REQUIRE(std::abs(second[bin] - 4.0 / (w.points * w.points) * window_second(w, t)) < allowed);
    }
  }
  // SIMD works on whole rows.
  for (int bin = w.points; bin < window_row; ++bin) {
    REQUIRE(table.gaussian.centre[bin] == 0);
    REQUIRE(table.gaussian.step[bin] == 0);
    for (int d = 0; d <= table.degree; ++d) {
      REQUIRE(table.value[d][bin] == 0);
      REQUIRE(table.slope[d][bin] == 0);
      REQUIRE(table.second[d][bin] == 0);
    }
  }
}

}  // namespace

TEST_CASE("window: value, derivative and transform belong together") {
  GaussLegendre const rule(160);
  for (WindowShape const& w : shapes) {
    CHECK(window_value(w, 0) == doctest::Approx(1));
    CHECK(window_value(w, 1.0001) == 0);
    for (double t : {-0.93, -0.4, 0.05, 0.7}) {
      CHECK(window_value(w, t) == doctest::Approx(window_value(w, -t)));
      double const step = 1e-5;
      CHECK((window_value(w, t + step) - window_value(w, t - step)) / (2 * step) ==
            doctest::Approx(window_derivative(w, t)).epsilon(1e-5));
      if (w.slopes > 1)
        CHECK((window_derivative(w, t + step) - window_derivative(w, t - step)) / (2 * step) ==
              doctest::Approx(window_second(w, t)).epsilon(1e-5));
    }
    CHECK((std::abs(window_value(w, 1)) < 1e-16) == (w.slopes > 0));
    for (double theta : {0.0, 1.0, w.shape - 1e-9, w.shape, 0.8 * w.shape, 1.3 * w.shape, 3.0 * w.shape}) {
      double const direct =
          double(2 * rule.integrate([&](long double t) { return window_value(w, double(t)) * std::cos(theta * t); }));
      CHECK(std::abs(window_transform(w, theta) - direct) < 1e-14);
    }
  }
}

TEST_CASE("window: where slopes are used, they are -t times the known window") {
  double const b = 20;
  for (double t : {-0.8, 0.1, 0.6}) {
    double const q = b * std::sqrt(1 - t * t), scale = 1 / std::cyl_bessel_i(1, b);
    WindowShape const w{Window::kaiser_bessel, 10, b, 1};
    CHECK(window_value(w, t) == doctest::Approx(q / b * scale * std::cyl_bessel_i(1, q)).epsilon(1e-13));
    CHECK(window_derivative(w, t) == doctest::Approx(-t * b * scale * std::cyl_bessel_i(0, q)).epsilon(1e-13));
    for (Window window : {Window::kaiser_bessel, Window::pswf, Window::gaussian}) {
      WindowShape const with{window, 10, b, 1}, without{window, 10, b};
      double const factor = window_derivative(with, 0.3) / (-0.3 * window_value(without, 0.3));
      CHECK(window_derivative(with, t) == doctest::Approx(-t * factor * window_value(without, t)).epsilon(1e-13));
    }
  }
}

TEST_CASE("window table: values and slopes of every bin, zero beyond the last") {
  for (WindowShape const& w : shapes) {
    check_table<double>(w, 1e-7, 2e-7);
    check_table<double>(w, 1e-14, 3e-14);
    check_table<float>(w, 1e-8, 5e-7);
  }
}
