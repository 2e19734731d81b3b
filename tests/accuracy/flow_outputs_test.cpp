// SPDX-License-Identifier: BSD-3-Clause
// Pressure and velocity gradient of flows: each keeps the tolerance by itself, and they are what they say.
#include <nearfar/nearfar.hpp>

#include "tests/oracle/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::array flows{Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::rotlet, Kernel::doublet};
constexpr std::array periodicities{Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};
Outputs const all = Output::velocity | Output::pressure | Output::gradient;
constexpr std::size_t width = 13;

/// Sources and other targets in a box that is not a cube.
struct Cloud {
  std::array<double, 3> box{1, 1.3, 0.8};
  std::vector<double> sources, targets, strengths;

  Cloud(Kernel kernel, std::size_t count, std::size_t other, unsigned seed)
      : sources(random_points(count, box, seed)), targets(random_points(other, box, seed + 1)),
        strengths(random_points(count * std::size_t(strength_components(kernel)), {2, 2, 2}, seed + 2)) {
    strengths.resize(count * std::size_t(strength_components(kernel)));
    for (double& f : strengths) f -= 1;
  }
  /// Moves sources that are close to a point, where differences would not resolve their fields.
  void keep_away(std::vector<double> const& from) {
    for (std::size_t i = 0; i < sources.size(); i += 3)
      while (std::hypot(sources[i] - from[0], sources[i + 1] - from[1], sources[i + 2] - from[2]) < 0.25)
        sources[i] = std::fmod(sources[i] + 0.3, box[0]);
  }
};

template <class T>
std::vector<double> solve(Runtime const& runtime, EwaldOptions options, Cloud const& p) {
  options.box = p.box;
  BasicEwald<T> plan(runtime, options);
  auto const of = [](std::vector<double> const& from) { return std::vector<T>(from.begin(), from.end()); };
  auto const sources = of(p.sources), targets = of(p.targets), strengths = of(p.strengths);
  auto const points =
      targets.empty() ? plan.set_points(std::span<T const>(sources)) : plan.set_points(sources, targets);
  std::vector<T> u(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
  plan.submit(points, strengths, u).wait();
  return {u.begin(), u.end()};
}

/// Some columns of rows.
std::vector<double> columns(std::vector<double> const& rows, std::size_t begin, std::size_t end) {
  std::vector<double> some;
  for (std::size_t row = 0; row < rows.size(); row += width)
    some.insert(some.end(), rows.begin() + std::ptrdiff_t(row + begin), rows.begin() + std::ptrdiff_t(row + end));
  return some;
}

/// The largest error of velocity, pressure and gradient, each relative to itself.
double worst_error(std::vector<double> const& found, std::vector<double> const& exact) {
  double worst = 0;
  for (auto const& [begin, end] : {std::pair(0, 3), std::pair(3, 4), std::pair(4, 13)}) {
    auto const a = columns(found, std::size_t(begin), std::size_t(end)),
               b = columns(exact, std::size_t(begin), std::size_t(end));
    if (std::all_of(b.begin(), b.end(), [](double x) { return x == 0; })) CHECK(a == b);
    else worst = std::max(worst, oracle::relative_error(a, b));
  }
  return worst;
}

template <class T>
void check_tolerances(Runtime const& runtime, Kernel kernel, Periodicity periodicity, bool separate,
                      std::initializer_list<double> tolerances) {
  Cloud p(kernel, 400, separate ? 300 : 0, 7);
  for (auto* numbers : {&p.sources, &p.targets, &p.strengths})
    for (double& x : *numbers) x = double(T(x));
  EwaldOptions options{.kernel = kernel, .outputs = all, .periodicity = periodicity, .tolerance = 1e-12};
  auto const exact = solve<double>(runtime, options, p);
  for (Split split : {Split::pswf, Split::gaussian})
    for (double tolerance : tolerances) {
      CAPTURE(std::string(name(kernel)));
      CAPTURE(std::string(name(periodicity)));
      CAPTURE(std::string(name(split)));
      CAPTURE(separate);
      CAPTURE(sizeof(T));
      options.split = split;
      options.tolerance = tolerance;
      CHECK(worst_error(solve<T>(runtime, options, p), exact) < tolerance);
    }
}

}  // namespace

TEST_CASE("outputs of flows: each keeps the tolerance by itself") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : flows)
    for (Periodicity const periodicity : periodicities)
      for (bool const separate : {false, true}) {
        check_tolerances<double>(runtime, kernel, periodicity, separate, {1e-2, 1e-4, 1e-6, 1e-9});
        check_tolerances<float>(runtime, kernel, periodicity, separate, {1e-2, 1e-4, 1e-5});
      }
}

TEST_CASE("outputs of flows: what is asked for does not change what it is") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : flows)
    for (Periodicity const periodicity : periodicities) {
      Cloud const p(kernel, 200, 150, 3);
      EwaldOptions options{.kernel = kernel, .outputs = all, .periodicity = periodicity, .tolerance = 1e-10};
      auto const whole = solve<double>(runtime, options, p);
      CAPTURE(std::string(name(kernel)));
      CAPTURE(std::string(name(periodicity)));
      for (Outputs const some :
           {Outputs(Output::velocity), Output::velocity | Output::pressure, Output::velocity | Output::gradient}) {
        options.outputs = some;
        auto const found = solve<double>(runtime, options, p);
        std::size_t begin = 0;
        std::size_t const row = std::size_t(result_components(kernel, some));
        for (Output const output : list_of(some)) {
          std::size_t const size = std::size_t(output_components(kernel, output)), at = output == Output::velocity ? 0
                                                                                        : output == Output::pressure
                                                                                            ? 3
                                                                                            : 4;
          double wrong = 0, square = 0;
          for (std::size_t t = 0; t < 150; ++t)
            for (std::size_t m = 0; m < size; ++m) {
              double const expected = whole[t * width + at + m];
              wrong += std::pow(found[t * row + begin + m] - expected, 2);
              square += expected * expected;
            }
          CHECK(wrong <= 4e-20 * square);
          begin += size;
        }
      }
    }
}

TEST_CASE("outputs of flows: gradients by differences, no divergence, and lap u = grad p") {
  Runtime const runtime({.gpus = 0});
  constexpr double h = 1e-3;
  for (Kernel const kernel : flows)
    for (Periodicity const periodicity : periodicities) {
      Cloud p(kernel, 40, 1, 11);
      std::vector<double> const centre{0.437, 0.611, 0.323};
      p.keep_away(centre);
      p.targets = centre;
      for (int m = 0; m < 3; ++m)
        for (int step : {-2, -1, 1, 2}) {
          auto x = centre;
          x[std::size_t(m)] += step * h;
          p.targets.insert(p.targets.end(), x.begin(), x.end());
        }
      EwaldOptions options{.kernel = kernel, .outputs = all, .periodicity = periodicity, .tolerance = 1e-12};
      if (kernel == Kernel::stresslet || kernel == Kernel::stokes)
        if (periodicity == Periodicity::xyz) options.zero_mode = ZeroMode::zero_mean_flow;
      auto const u = solve<double>(runtime, options, p);
      /// The derivative of column c by direction m.
      auto const slope = [&](std::size_t c, std::size_t m) {
        auto const at = [&](std::size_t i) { return u[(1 + 4 * m + i) * width + c]; };
        return (at(0) - 8 * at(1) + 8 * at(2) - at(3)) / (12 * h);
      };
      CAPTURE(std::string(name(kernel)));
      CAPTURE(std::string(name(periodicity)));
      double size = 0, bend = 0;
      for (std::size_t i = 0; i < 9; ++i) {
        size = std::max(size, std::abs(u[4 + i]));
        for (std::size_t m = 0; m < 3; ++m) bend = std::max(bend, std::abs(slope(4 + i, m)));
      }
      double const volume = p.box[0] * p.box[1] * p.box[2];
      double trace = 0, force[3] = {};
      std::size_t const row = p.strengths.size() / 40;
      for (std::size_t n = 0; n < 40; ++n) {
        double const* const f = &p.strengths[n * row];
        double const* const q = kernel == Kernel::stokes ? f + 3 : f;
        if (kernel == Kernel::stresslet || kernel == Kernel::stokes) trace += q[0] * q[3] + q[1] * q[4] + q[2] * q[5];
        if (kernel == Kernel::stokeslet || kernel == Kernel::stokes)
          for (int j = 0; j < 3; ++j) force[j] += f[j];
      }
      bool const periodic = periodicity == Periodicity::xyz;
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t m = 0; m < 3; ++m) CHECK(std::abs(slope(j, m) - u[4 + 3 * j + m]) < 1e-8 * size);
        double laplacian = 0;
        for (std::size_t m = 0; m < 3; ++m) laplacian += slope(4 + 3 * j + m, m);
        // The pressure gradient that balances all forces is not in the pressure (docs/conventions.md).
        double const mean = periodic ? 8 * std::acos(-1.0) / volume * force[j] : 0;
        CHECK(std::abs(laplacian - slope(3, j) - mean) < 1e-8 * bend);
      }
      double const divergence = periodic ? 8 * std::acos(-1.0) / volume * trace : 0;
      CHECK(std::abs(u[4] + u[8] + u[12] - divergence) < 1e-10 * size);
    }
}

TEST_CASE("outputs of flows: the pressure of torques is 0, which is no weak field that needs a finer plan") {
  Runtime const runtime({.gpus = 0});
  for (Periodicity const periodicity : {Periodicity::xyz, Periodicity::none}) {
    CAPTURE(name(periodicity));
    constexpr std::size_t count = 500;
    EwaldOptions o{.kernel = Kernel::rotlet, .outputs = Output::velocity | Output::pressure};
    o.periodicity = periodicity;
    o.tolerance = 1e-4;
    Ewald plan(runtime, o);
    auto const x = random_points(count, {1, 1, 1}, 1), t = random_points(count, {1, 1, 1}, 2);
    std::vector<double> u(4 * count);
    plan.submit(plan.set_points(x), t, u).wait();
    for (std::size_t i = 0; i < count; ++i) CHECK(u[4 * i + 3] == 0);
    CHECK(plan.estimated_error() > 1e-3 * o.tolerance);
  }
}

TEST_CASE("outputs of flows: a force along the flow of a torque, and a torque along the vorticity of the force") {
  // f . u of a torque is half of t . curl u of the force, and both are symmetric in every periodicity.
  Runtime const runtime({.gpus = 0});
  for (Periodicity const periodicity : periodicities) {
    CAPTURE(std::string(name(periodicity)));
    Cloud force(Kernel::stokeslet, 1, 0, 5), torque(Kernel::rotlet, 1, 0, 15);
    force.targets = torque.sources;
    torque.targets = force.sources;
    EwaldOptions options{.kernel = Kernel::stokeslet, .outputs = all, .periodicity = periodicity, .tolerance = 1e-12};
    auto const of_force = solve<double>(runtime, options, force);
    options.kernel = Kernel::rotlet;
    auto const of_torque = solve<double>(runtime, options, torque);
    Tensor<double> gradient;
    std::copy_n(of_force.begin() + 4, 9, gradient.begin());
    auto const omega = vorticity(gradient);
    double along_force = 0, along_torque = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      along_force += force.strengths[j] * of_torque[j];
      along_torque += torque.strengths[j] * omega[j];
    }
    CHECK(along_force == doctest::Approx(along_torque / 2).epsilon(1e-10));
  }
}
