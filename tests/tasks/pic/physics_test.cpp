// SPDX-License-Identifier: BSD-3-Clause
// The particle-in-cell loop against motions that are known.
#include "core/math/constants.hpp"
#include "tests/tasks/pic/bunch.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <nearfar/ewald.hpp>
#include <numeric>
#include <span>
#include <vector>

using namespace nearfar;
using test::Bunch;

namespace {

Runtime test_runtime() { return Runtime({.scheduler = "lws", .cpus = 2, .gpus = 0}); }

/// Of a Penning trap in a box of 20: closed orbits for a charge that is alone.
ExternalFields trap() { return {.gradient = {-0.75, -0.75, 1.5}, .centre = {10, 10, 10}, .magnetic = {0, 0, 5}}; }

}  // namespace

TEST_CASE("pic: one particle in a Penning trap, on its known orbit, to second order in the time step") {
  auto const runtime = test_runtime();
  // q / m = -1: z'' = -1.5 z; in the plane w = x + i y has w'' = 0.75 w + 5i w', so w = a exp(i p t) + b exp(i m t).
  double const p = 2.5 + std::sqrt(2.5 * 2.5 - 0.75), m = 2.5 - std::sqrt(2.5 * 2.5 - 0.75), a = 0.3, b = 1.2, t = 2;
  Bunch<> one;
  one.positions = {10 + a + b, 10, 10 + 2};
  one.velocities = {0, a * p + b * m, 0};
  one.charges = {-1e-9};  // whose own field is nothing
  std::vector<double> errors;
  for (int steps : {50, 100, 200}) {
    auto loop = one.loop(
        runtime,
        {.grid = {8, 8, 8}, .box = {20, 20, 20}, .time_step = t / steps, .charge_per_mass = -1, .external = trap()});
    loop.advance(steps).wait();
    auto const s = test::state_of(loop);
    double const x[3] = {a * std::cos(p * t) + b * std::cos(m * t), a * std::sin(p * t) + b * std::sin(m * t),
                         2 * std::cos(std::sqrt(1.5) * t)};
    double squared = 0;
    for (std::size_t d = 0; d < 3; ++d) squared += std::pow(s.positions[d] - 10 - x[d], 2);
    errors.push_back(std::sqrt(squared));
  }
  CHECK(errors[2] < 2e-3);
  CHECK(errors[0] / errors[1] == doctest::Approx(4).epsilon(0.05));
  CHECK(errors[1] / errors[2] == doctest::Approx(4).epsilon(0.02));
}

TEST_CASE("pic: a bunch in its own field, to second order in the time step") {
  auto const runtime = test_runtime();
  Bunch<> const bunch(2000, 0.1, 1);
  auto const after = [&](int steps) {
    auto loop =
        bunch.loop(runtime, {.grid = {16, 16, 16}, .time_step = 0.4 / steps, .external = {.magnetic = {1, 2, 3}}});
    loop.advance(steps).wait();
    return test::state_of(loop).positions;
  };
  auto const exact = after(640);
  double const coarse = test::relative_difference(after(10), exact),
               middle = test::relative_difference(after(20), exact), fine = test::relative_difference(after(40), exact);
  CHECK(fine < 1e-4);
  CHECK(coarse / middle == doctest::Approx(4).epsilon(0.1));
  CHECK(middle / fine == doctest::Approx(4).epsilon(0.1));
}

TEST_CASE("pic: a uniform sphere of charge that bursts doubles its radius when it should") {
  auto const runtime = test_runtime();
  // r'' = k / r^2 with k = q Q / (4 pi m), so r = 2 r0 at t = sqrt(r0^3 / (2 k)) (sqrt 2 + ln(1 + sqrt 2)).
  double const radius = 0.2, k = 1 / (4 * pi<double>);
  double const t = std::sqrt(radius * radius * radius / (2 * k)) * (std::sqrt(2.0) + std::log(1 + std::sqrt(2.0)));
  Bunch<> ball;
  int const across = 40;
  for (int i = 0; i < across * across * across; ++i) {
    std::array<double, 3> const x{(i / across / across + 0.5) / across - 0.5,
                                  (i / across % across + 0.5) / across - 0.5, (i % across + 0.5) / across - 0.5};
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > 0.25) continue;
    for (double const c : x) ball.positions.push_back(0.5 + 2 * radius * c);
  }
  std::size_t const count = ball.positions.size() / 3;
  ball.velocities.resize(3 * count);
  ball.charges.assign(count, 1 / double(count));
  auto const rms = [&](std::vector<double> const& positions) {
    double sum = 0;
    for (double const x : positions) sum += (x - 0.5) * (x - 0.5);
    return std::sqrt(sum / double(count));
  };
  auto loop = ball.loop(runtime, {.grid = {48, 48, 48}, .time_step = t / 100});
  auto const before = test::totals_of(loop);
  loop.advance(100).wait();
  CHECK(rms(test::state_of(loop).positions) / rms(ball.positions) == doctest::Approx(2).epsilon(0.005));
  // Energy: 3 Q^2 / (20 pi R) of a sphere, half of which has become motion.
  auto const after = test::totals_of(loop);
  CHECK(before.field == doctest::Approx(3 / (20 * pi<double> * radius)).epsilon(0.01));
  CHECK(before.kinetic == 0);
  CHECK(after.kinetic == doctest::Approx(before.field / 2).epsilon(0.01));
  CHECK(after.energy() == doctest::Approx(before.energy()).epsilon(0.005));
}

TEST_CASE("pic: charge is conserved to 1e-12, momentum to rounding, energy to the second order") {
  auto const runtime = test_runtime();
  Bunch<> bunch(20000, 0.2, -3);  // which reaches the faces
  std::mt19937_64 random(4);
  for (double& v : bunch.velocities) v = std::normal_distribution<double>()(random);
  for (int periodic = 0; periodic < 8; ++periodic) {
    CAPTURE(periodic);
    auto loop = bunch.loop(runtime, {.grid = {16, 18, 20},
                                     .periodic = {(periodic & 1) != 0, (periodic & 2) != 0, (periodic & 4) != 0},
                                     .time_step = 0.01});
    for (int i = 0; i < 5; ++i) {
      auto const totals = test::totals_of(loop);
      CHECK(std::abs(totals.charge / -3 - 1) < 1e-12);
      CHECK(totals.time == doctest::Approx(0.1 * i));
      loop.advance(10).wait();
    }
  }
  // Particles that stay inside exert no force on themselves, and opposite ones on each other.
  Bunch<> inner(5000, 0.08, 1);
  auto loop = inner.loop(runtime, {.grid = {24, 24, 24}, .time_step = 0.005});
  auto const before = test::totals_of(loop);
  loop.advance(40).wait();
  auto const after = test::totals_of(loop);
  CHECK(after.kinetic > 0.05);
  for (double const p : after.momentum) CHECK(std::abs(p) < 1e-12);
  CHECK(after.energy() == doctest::Approx(before.energy()).epsilon(2e-3));
}

TEST_CASE("pic: hockney and vico-dct give the same evolution of a bunch") {
  auto const runtime = test_runtime();
  Bunch<> const bunch(20000, 0.08, 1);
  auto const after = [&](PoissonMethod method) {
    auto loop = bunch.loop(runtime, {.method = method, .grid = {32, 32, 32}, .time_step = 0.005});
    loop.advance(100).wait();
    return test::state_of(loop).positions;
  };
  auto const vico = after(PoissonMethod::vico_dct), hockney = after(PoissonMethod::hockney);
  CHECK(test::relative_difference(hockney, vico) < 2e-3);
  CHECK(test::relative_difference(vico, bunch.positions) > 0.1);
}

// docs/pic.md, Limits: a cloud as wide as a cell holds waves whose slopes are as large as those of far charges.
TEST_CASE(
    "pic: the force between two bunches that are smooth on the grid is right, that between two particles is not") {
  auto const runtime = test_runtime();
  constexpr int cells = 32, width = 8;
  constexpr double step = 1e-5;
  /// The force on a bunch of charge 1 from one of charge -1, of so many particles along each direction: by the loop,
  /// and by an Ewald sum.
  auto const forces = [&](int along) {
    std::vector<double> x, charges;
    for (double const centre : {8.5, 18.5})
      for (int i = 0; i < along * along * along; ++i) {
        int const at[] = {i % along, i / along % along, i / along / along};
        double charge = centre < 10 ? 1 : -1;
        for (int d = 0; d < 3; ++d) {
          double const off = (at[d] + 0.5) / along - 0.5;  // in widths
          x.push_back(((d == 0 ? centre : 16.5) + width * off) / cells);
          charge *= 2 * std::pow(std::cos(pi<double> * off), 2) / along;
        }
        charges.push_back(along > 1 ? charge : charge / 8);
      }
    std::vector<double> const still(x.size());
    std::vector<double> velocities(x.size()), exact(4 * charges.size());
    Ewald ewald(runtime, {.kernel = Kernel::laplace,
                          .outputs = Output::potential | Output::gradient,
                          .box = {1, 1, 1},
                          .tolerance = 1e-6});
    ewald.submit(ewald.set_points(x), charges, exact).wait();
    Pic pic(runtime, {.grid = {cells, cells, cells}, .periodic = {true, true, true}, .time_step = step}, x, still,
            charges);
    pic.advance(1).wait();
    pic.read({.velocities = std::span(velocities)}).wait();
    std::array<double, 2> force{};
    for (std::size_t i = 0; i < charges.size() / 2; ++i) {
      force[0] += charges[i] * velocities[3 * i] / step;
      force[1] -= charges[i] * exact[4 * i + 1] / (4 * pi<double>);
    }
    return force;
  };
  auto const of_bunches = forces(16), of_particles = forces(1);
  CHECK(of_bunches[0] == doctest::Approx(of_bunches[1]).epsilon(0.01));
  CHECK(std::abs(of_particles[0] - of_particles[1]) > 0.5 * of_particles[1]);
}
