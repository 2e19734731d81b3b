// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"
#include "tests/oracle/sphere.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

using namespace nearfar;

// What the fields must satisfy whatever the sources: means over the cell, divergences, slopes.

namespace {

constexpr oracle::Box box{1, 1.3, .8};
constexpr double pi = std::numbers::pi, volume = box[0] * box[1] * box[2];

/// The mean over the cell of one source's field, near plus far part. The far part has few modes, so that a lattice of
/// targets gives its mean; the near part is integrated over the ball where it is not zero, r^2 taking its pole away.
std::vector<double> mean_over_cell(Runtime const& runtime, Kernel kernel, std::vector<double> const& strength,
                                   std::optional<ZeroMode> zero_mode = {}) {
  constexpr std::size_t edge = 48;
  constexpr double cutoff = .35;
  std::vector<double> const source{.41, .52, .33};
  Ewald ewald(runtime, {.kernel = kernel,
                        .outputs = kernel == Kernel::laplace ? Output::potential | Output::gradient : Outputs(),
                        .box = box,
                        .tolerance = 1e-12,
                        .count = 1,
                        .zero_mode = zero_mode,
                        .cutoff = cutoff});
  std::vector<double> lattice, ball, weights;
  for (std::size_t i = 0; i < edge * edge * edge; ++i) {
    std::size_t const at[3] = {i / edge / edge, i / edge % edge, i % edge};
    for (std::size_t d = 0; d < 3; ++d) lattice.push_back((double(at[d]) + .5) / double(edge) * box[d]);
  }
  constexpr std::size_t layers = 40;
  oracle::Sphere const sphere({0, 0, 0}, 1, {1, 0, 0});
  for (std::size_t a = 0; a < layers; ++a) {  // Chebyshev nodes, Fejer's weights
    double const angle = (double(a) + .5) * pi / layers, r = cutoff / 2 * (1 + std::cos(angle));
    double weight = 1;
    for (std::size_t k = 1; k <= layers / 2; ++k)
      weight -= 2 * std::cos(2 * double(k) * angle) / (4. * double(k * k) - 1);
    weight *= cutoff / double(layers);
    for (std::size_t p = 0; p < sphere.points.size() / 3; ++p) {
      double const* n = &sphere.strengths[6 * p + 3];  // the outward normal times the area
      for (std::size_t d = 0; d < 3; ++d) ball.push_back(source[d] + r * sphere.points[3 * p + d]);
      weights.push_back(weight * r * r * std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    }
  }
  std::size_t const columns = oracle::result_row(kernel, true);
  std::vector<double> far(lattice.size() / 3 * columns), near(ball.size() / 3 * columns), mean(columns);
  ewald.submit(ewald.set_points(source, lattice), strength, far, Part::far).wait();
  ewald.submit(ewald.set_points(source, ball), strength, near, Part::near).wait();
  for (std::size_t i = 0; i < far.size(); ++i) mean[i % columns] += far[i] / double(edge * edge * edge);
  for (std::size_t i = 0; i < near.size(); ++i) mean[i % columns] += near[i] * weights[i / columns] / volume;
  return mean;
}

/// Sixth order differences of the field over targets that are well away from the sources: rows of 3 derivatives per
/// column of the field.
struct Slopes {
  std::vector<double> field, slopes;
  std::size_t columns;
  double of(std::size_t target, std::size_t column, std::size_t d) const {
    return slopes[(target * columns + column) * 3 + d];
  }
};

constexpr std::size_t probes = 20;

Slopes differentiate(Runtime const& runtime, System system, EwaldOptions const& options) {
  constexpr double step = .003, weight[3] = {.75, -.15, 1. / 60};
  auto const centres = system.targets;
  for (std::size_t t = 0; t < probes; ++t)
    for (std::size_t d = 0; d < 3; ++d)
      for (int k : {1, 2, 3, -1, -2, -3}) {
        system.targets.insert(system.targets.end(), &centres[3 * t], &centres[3 * t] + 3);
        system.targets[system.targets.size() - 3 + d] += k * step;
      }
  auto const u = solve_whole(runtime, system, options);
  Slopes result{u, {}, std::size_t(oracle::result_row(system.kernel, true))};
  result.slopes.resize(probes * result.columns * 3);
  for (std::size_t t = 0; t < probes; ++t)
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t c = 0; c < result.columns; ++c)
          result.slopes[(t * result.columns + c) * 3 + d] +=
              (k < 3 ? 1 : -1) * weight[k % 3] / step * u[(probes + (t * 3 + d) * 6 + k) * result.columns + c];
  return result;
}

/// Sources in a layer, targets in another one above it.
System two_layers(Periodicity periodicity, Kernel kernel) {
  auto system = random_system(periodicity, kernel, box, 40, probes, 61, false);
  for (std::size_t i = 2; i < system.sources.size(); i += 3) system.sources[i] *= .25;
  for (std::size_t i = 0; i < system.targets.size(); ++i)
    system.targets[i] = i % 3 == 2 ? .5 + system.targets[i] * .05 : .04 + system.targets[i] * .9;
  return system;
}

}  // namespace

TEST_CASE("property: means over the cell") {
  Runtime const runtime;
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> force(3);
    force[j] = 1;
    for (double mean : mean_over_cell(runtime, Kernel::stokeslet, force)) CHECK(std::abs(mean) < 1e-10);
  }
  for (double mean : mean_over_cell(runtime, Kernel::laplace, {1})) CHECK(std::abs(mean) < 1e-10);
  std::vector<double> const dipole{.3, -.7, .5, .2, .9, -.4};
  for (double mean : mean_over_cell(runtime, Kernel::stresslet, dipole, ZeroMode::zero_mean_flow))
    CHECK(std::abs(mean) < 1e-10);
  // Zero face flux adds -(8 pi / V) (x - y) (q . n); the mean of x is the middle of the cell.
  auto const mean = mean_over_cell(runtime, Kernel::stresslet, dipole, ZeroMode::zero_face_flux);
  double const y[3] = {.41, .52, .33}, qn = .3 * .2 - .7 * .9 - .5 * .4;
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(mean[j] == doctest::Approx(-8 * pi / volume * (box[j] / 2 - y[j]) * qn).epsilon(1e-10));
}

TEST_CASE("property: flows have no divergence, but for the zero mode of the double layer") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes}) {
      auto const system = two_layers(periodicity, kernel);
      auto const u = differentiate(runtime, system, {.tolerance = 1e-12, .zero_mode = ZeroMode::zero_mean_flow});
      // A double layer is a source of -8 pi q.n; in a cell that nothing leaves, as much comes back everywhere.
      double sources = 0;
      std::size_t const row = oracle::strength_row(kernel);
      for (std::size_t i = 0; oracle::has_stresslet(kernel) && i < system.strengths.size(); i += row)
        for (std::size_t j = 0; j < 3; ++j)
          sources += system.strengths[i + row - 6 + j] * system.strengths[i + row - 3 + j];
      double const expected = periodicity == Periodicity::xyz ? 8 * pi * sources / volume : 0;
      double error = 0, size = 0;
      for (std::size_t t = 0; t < probes; ++t) {
        error += std::pow(u.of(t, 0, 0) + u.of(t, 1, 1) + u.of(t, 2, 2) - expected, 2);
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t d = 0; d < 3; ++d) size += std::pow(u.of(t, c, d), 2);
      }
      CAPTURE(title(system));
      CHECK(std::sqrt(error / size) < 1e-8);
    }
}

TEST_CASE("property: the gradient is the slope of the potential, and its divergence what the background asks for") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity) {
    auto const system = two_layers(periodicity, Kernel::laplace);
    auto const phi = differentiate(runtime, system, {.tolerance = 1e-12});
    double const charge = std::accumulate(system.strengths.begin(), system.strengths.end(), 0.0);
    double const expected = periodicity == Periodicity::xyz ? 4 * pi * charge / volume : 0;
    double slope = 0, divergence = 0, size = 0, curvature = 0;
    for (std::size_t t = 0; t < probes; ++t) {
      divergence += std::pow(phi.of(t, 1, 0) + phi.of(t, 2, 1) + phi.of(t, 3, 2) - expected, 2);
      for (std::size_t d = 0; d < 3; ++d) {
        slope += std::pow(phi.of(t, 0, d) - phi.field[4 * t + 1 + d], 2);
        size += std::pow(phi.field[4 * t + 1 + d], 2);
        for (std::size_t e = 0; e < 3; ++e) curvature += std::pow(phi.of(t, 1 + d, e), 2);
      }
    }
    CAPTURE(title(system));
    CHECK(std::sqrt(slope / size) < 1e-8);
    CHECK(std::sqrt(divergence / curvature) < 1e-8);
  }
}
