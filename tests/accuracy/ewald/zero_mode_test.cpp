// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"
#include "tests/oracle/sphere.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace nearfar;

namespace {

constexpr double pi = std::numbers::pi;
constexpr oracle::Box box{1, 1.1, .95};

}  // namespace

TEST_CASE("zero mode: a constant double layer over a sphere, inside the cell and across its faces") {
  // 8 pi q inside and 0 outside with zero face flux; without it both less 8 pi q V_p / V (ewald.md, Sec. 9).
  Runtime const runtime;
  std::array<double, 3> const q{.3, -.7, .5};
  double const radius = .25, share = 4 * pi / 3 * std::pow(radius, 3) / (box[0] * box[1] * box[2]);
  for (auto const& centre : {std::array{.4, .5, .45}, {.95, -.1, 2.0}})
    for (ZeroMode mode : {ZeroMode::zero_face_flux, ZeroMode::zero_mean_flow}) {
      oracle::Sphere const sphere(centre, radius, q);
      System const system{Kernel::stresslet,
                          box,
                          sphere.points,
                          {centre[0] + .02, centre[1] - .02, centre[2],  //
                           centre[0] + .5, centre[1] + .5, centre[2] + .45},
                          sphere.strengths};
      auto const u = solve_whole(runtime, system, {.tolerance = 1e-11, .zero_mode = mode});
      double const less = mode == ZeroMode::zero_face_flux ? 0 : share;
      for (std::size_t j = 0; j < 3; ++j) {
        CHECK(u[j] == doctest::Approx(8 * pi * q[j] * (1 - less)).epsilon(1e-9));
        CHECK(std::abs(u[3 + j] + 8 * pi * q[j] * less) < 1e-9);
      }
    }
}

TEST_CASE("zero mode: both, against the oracle, with sources and targets outside the cell") {
  Runtime const runtime;
  for (Kernel kernel : {Kernel::stresslet, Kernel::stokes})
    for (bool coinciding : {true, false}) {
      auto system = random_system(kernel, box, 1000, coinciding ? 1000 : 300, 17, coinciding);
      for (std::size_t i = 0; i < system.sources.size(); ++i) system.sources[i] += (int(i / 3) % 5 - 2) * box[i % 3];
      if (coinciding) system.targets = system.sources;
      else
        for (std::size_t i = 0; i < system.targets.size(); ++i) system.targets[i] += (int(i / 3) % 7 - 3) * box[i % 3];
      for (auto [mode, same] : {std::pair{ZeroMode::zero_face_flux, oracle::ZeroMode::zero_face_flux},
                                {ZeroMode::zero_mean_flow, oracle::ZeroMode::zero_mean_flow}}) {
        auto const outcome = solve(runtime, system, {.tolerance = 1e-9, .zero_mode = mode});
        auto const reference = whole_reference(system, same);
        auto const label = describe(system, Split::pswf, outcome.parameters) + ", " + std::string(name(mode));
        check_error(label + ", whole", system, outcome.whole, reference, 1e-9);
        check_error(label + ", far", system, outcome.far,
                    far_reference(system, reference, Split::pswf, outcome.parameters), 1e-9);
      }
    }
}

TEST_CASE("zero mode: with zero mean flow a point may be wrapped, with zero face flux it moves the whole field") {
  Runtime const runtime;
  auto const here = random_system(Kernel::stresslet, box, 500, 100, 18, false);
  System there = here;
  there.sources[0] += 2 * box[0];
  double const* q = here.strengths.data();
  double const moved = 8 * pi / (box[0] * box[1] * box[2]) * 2 * box[0] * (q[0] * q[3] + q[1] * q[4] + q[2] * q[5]);
  for (ZeroMode mode : {ZeroMode::zero_face_flux, ZeroMode::zero_mean_flow}) {
    EwaldOptions const options{.tolerance = 1e-9, .zero_mode = mode};
    auto expected = solve_whole(runtime, here, options);
    if (mode == ZeroMode::zero_face_flux)
      for (std::size_t i = 0; i < expected.size(); i += 3) expected[i] += moved;
    check_error("wrapped", here, solve_whole(runtime, there, options), expected, 1e-12);
  }
}

TEST_CASE("gauge length: a constant times the sum of the strengths, and the unit of length") {
  Runtime const runtime;
  double const length = 2.5, scale = 3;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stokes}) {
    auto system = random_system(kernel, box, 200, 50, 19, false);
    system.periodicity = Periodicity::x;
    auto const u = solve_whole(runtime, system, {.tolerance = 1e-10});
    auto const moved = solve_whole(runtime, system, {.tolerance = 1e-10, .gauge_length = length});
    auto expected = u;
    int const in = strength_components(kernel), out = kernel == Kernel::laplace ? 4 : 3;
    int const summed = kernel == Kernel::laplace ? 1 : 3;  // the gradient and double layers do not change
    for (int m = 0; m < summed; ++m) {
      double sum = 0;
      for (std::size_t i = std::size_t(m); i < system.strengths.size(); i += std::size_t(in))
        sum += system.strengths[i];
      // -2 ln(rho / a), and for a force along the period -4 ln(rho / a).
      double const constant = (kernel != Kernel::laplace && m == 0 ? 4 : 2) / box[0] * std::log(length) * sum;
      for (std::size_t i = std::size_t(m); i < expected.size(); i += std::size_t(out)) expected[i] += constant;
    }
    check_error("gauge length", system, moved, expected, 1e-11);

    // The same problem in another unit: fields of forces and charges over that unit, nothing added.
    if (kernel == Kernel::stokes) continue;
    auto large = system;
    for (double& edge : large.box) edge *= scale;
    for (auto* points : {&large.sources, &large.targets})
      for (double& x : *points) x *= scale;
    auto same = solve_whole(runtime, large, {.tolerance = 1e-10, .gauge_length = scale});
    for (std::size_t i = 0; i < same.size(); ++i) same[i] *= out == 4 && i % 4 > 0 ? scale * scale : scale;
    check_error("gauge length in another unit", system, same, u, 2e-10);
  }
}
