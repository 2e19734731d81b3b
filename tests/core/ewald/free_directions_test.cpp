// SPDX-License-Identifier: BSD-3-Clause
#include "core/ewald/far/far_grid.hpp"
#include "core/ewald/split/truncation.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/kernels.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>
#include <string>

using namespace nearfar;

namespace {

double simpson(std::function<double(double)> const& f, double end) {
  constexpr int steps = 40000;
  double const h = end / steps;
  double sum = f(1e-300) + f(end);
  for (int i = 1; i < steps; ++i) sum += (i % 2 ? 4 : 2) * f(i * h);
  return sum * h / 3;
}

/// The Fourier transform of a radial function that ends at `end`, in 1, 2 or 3 dimensions.
double transform(std::function<double(double)> const& f, double k, double end, int dimensions) {
  return simpson(
      [&](double r) {
        if (dimensions == 1) return 2 * f(r) * std::cos(k * r);
        if (dimensions == 2) return 2 * pi<double> * r * f(r) * j0(k * r);
        return 4 * pi<double> * r * f(r) * std::sin(k * r) / k;
      },
      end);
}

EwaldOptions options_for(Periodicity periodicity, std::array<double, 3> const& box, double tolerance) {
  EwaldOptions options;
  options.periodicity = periodicity;
  options.box = box;
  options.tolerance = tolerance;
  return options;
}

constexpr Periodicity all[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};

}  // namespace

TEST_CASE("axes: free ones first, and back") {
  for (Periodicity p : all) {
    Axes const axes = axes_of(p);
    for (int d = 0; d < 3; ++d) CHECK(is_periodic(p, axes[std::size_t(d)]) == (d >= free_directions(p)));
    std::array<double, 3> const edges{1, 2, 3};
    CHECK(outside(axes, inside(axes, edges)) == edges);
  }
  // A scalar stays where it is, vectors turn.
  RowColumns const gradient = row_columns(axes_of(Periodicity::x), LaplaceGradient::result_fields),
                   two_vectors = row_columns({1, 2, 0}, Stresslet::strength_fields);
  CHECK(std::equal(gradient.at, gradient.at + 4, std::array{0, 3, 2, 1}.begin()));
  CHECK(std::equal(two_vectors.at, two_vectors.at + 6, std::array{1, 2, 0, 4, 5, 3}.begin()));
  CHECK(two_vectors.of(8) == 6);  // the next row
  // Both indices of a tensor turn; what is axial changes sign where the axes are mirrored.
  std::array const tensor{Field{.columns = "d**", .axial = true}};
  RowColumns const turned = row_columns({2, 1, 0}, tensor);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(turned.of(3 * i + j) == 3 * (2 - i) + 2 - j);
  CHECK(turned.turned(4, 1.5) == -1.5);
  CHECK(row_columns({1, 2, 0}, tensor).turned(4, 1.5) == 1.5);
}

TEST_CASE("truncation: the factors are the transforms of the kernels inside the radius, by quadrature") {
  double const r = 1.7;
  for (double k : {2.5, 6.0, 31.0})
    for (int free : {1, 2, 3}) {
      auto const laplace = [&](double x) {
        if (free == 3) return 1 / x - 1 / r;
        return free == 2 ? -2 * std::log(x / r) : 2 * pi<double> * (r - x);
      };
      // B, whose Laplacian and second derivatives make the Stokes kernels; in one dimension the Laplacian itself.
      auto const stokes = [&](double x) {
        if (free == 3) return x - r / 2 - x * x / (2 * r);
        return free == 2 ? -x * x * std::log(x / (r * std::sqrt(std::exp(1)))) - r * r / 2 : 4 * pi<double> * (r - x);
      };
      double const potential = transform(laplace, k, r, free);
      CHECK(4 * pi<double> / (k * k) * Truncation{r, free, true}(k * k) == doctest::Approx(potential).epsilon(1e-6));
      double const velocity = transform(stokes, k, r, free) * (free == 1 ? 1 : -k * k);
      CHECK(8 * pi<double> / (k * k) * Truncation{r, free, false}(k * k) == doctest::Approx(velocity).epsilon(1e-6));
      // Without a volume there is no gauge, and only the limit is left.
      double const mean = transform(laplace, 1e-6, r, free);
      CHECK(free_zero_mode({r, free, true}, 0, 1, 1)[0] == doctest::Approx(mean).epsilon(1e-5));
    }
}

TEST_CASE("grid: every column once, and zeros as far as its mode needs them") {
  for (Periodicity periodicity : all)
    for (std::array<double, 3> const& box : {std::array{1.0, 1.2, 0.9}, {20.0, 1.0, 3.0}, {1.0, 4.0, 1.0}})
      for (double tolerance : {1e-3, 1e-9}) {
        CAPTURE(int(periodicity));
        CAPTURE(tolerance);
        auto options = options_for(periodicity, box, tolerance);
        options.influence = Influence::direct;
        auto const p = choose_parameters<double>(options, 10000, 10000);
        CHECK(p.box == box);
        CHECK(p.estimated_error <= tolerance);
        Grid const g = make_grid(options, p);
        auto const edges = inside(axes_of(periodicity), box);
        double const reach = truncation_radius(options, p) + p.cutoff;
        for (int d = 0; d < 3; ++d) {
          double const h = 1 / g.layout.scale(d), margin = 0.5 * (g.layout.edge[d] - edges[std::size_t(d)]);
          if (d >= g.layout.free) CHECK(margin == 0);
          else CHECK(margin > 0.5 * g.window * h);  // no window leaves the grid
        }
        std::set<std::array<int, 2>> seen;
        for (int i = 0; i < g.layout.column_count(); ++i) {
          ModeColumn const c = g.layout.column(i);
          REQUIRE(seen.insert({c.y, c.z}).second);
          double squared = 0;
          for (int d = std::max(1, g.layout.free); d < 3; ++d) {
            int const n = g.layout.transform(d, c.padding), mode = d == 1 ? c.y : c.z;
            squared += std::pow(g.layout.mode_unit(d, n) * (2 * mode <= n ? mode : mode - n), 2);
          }
          for (int d = 0; d < g.layout.free; ++d) {
            double const room = g.layout.transform(d, c.padding) / g.layout.scale(d) - edges[std::size_t(d)];
            double const y = std::sqrt(squared) * room;
            if (squared == 0) REQUIRE(room >= reach * (1 - 1e-12));
            else REQUIRE((1 + y) * std::exp(-y) <= 0.31 * tolerance);
          }
          REQUIRE((g.layout.free == 0 || (squared == 0) == (c.padding == 0)));
        }
      }
}
