// SPDX-License-Identifier: BSD-3-Clause
// Energy and virial of charges, by Ewald sums.
#include "tests/accuracy/energy/golden_energy.hpp"
#include "tests/accuracy/energy/report_of.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

using namespace nearfar;

namespace {

using Virial = std::array<double, 6>;

struct Charges {
  std::vector<double> x, q;
};

Charges random_charges(std::size_t count, oracle::Box const& box, unsigned seed) {
  return {random_points(count, box, seed), random_strengths(Kernel::laplace, count, seed + 1)};
}

/// Charges of which the nearest are not very near, so that no pair outweighs all others.
Charges apart(int m, oracle::Box const& box, unsigned seed) {
  auto charges = random_charges(std::size_t(m) * m * m, box, seed);
  for (std::size_t i = 0; i < charges.q.size(); ++i) {
    int const n = int(i), at[3] = {n / m / m, n / m % m, n % m};
    for (std::size_t d = 0; d < 3; ++d) {
      double& x = charges.x[3 * i + d];
      x = (at[d] + 0.25 + 0.5 * x / box[d]) * box[d] / m;
    }
  }
  return charges;
}

EwaldOptions options_for(Periodicity periodicity, oracle::Box const& box, double tolerance) {
  EwaldOptions o{
      .kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .periodicity = periodicity};
  o.box = box;
  o.tolerance = tolerance;
  o.virial = true;
  return o;
}

template <class T = double>
SolveReport solve(Runtime const& runtime, EwaldOptions const& options, Charges const& charges) {
  return accuracy::report_of<BasicEwald, T>(runtime, options, charges.x, charges.q);
}

double trace(Virial const& w) { return w[0] + w[1] + w[2]; }

/// The largest difference, relative to the largest number.
double relative(Virial const& found, Virial const& expected) {
  double wrong = 0, largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    wrong = std::max(wrong, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return wrong / largest;
}

constexpr Periodicity all_periodicities[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};

}  // namespace

TEST_CASE("energy: golden values of energy and virial, by both splits") {
  Runtime const runtime({.gpus = 0});
  int checked = 0;
  for (auto const& sum : golden_energies()) {
    CAPTURE(sum.name);
    for (Split const split : {Split::pswf, Split::gaussian}) {
      EwaldOptions o = options_for(sum.periodicity, {1, 1, 1}, 1e-12);
      o.cell = sum.cell;
      o.split = split;
      auto const report = solve(runtime, o, {sum.sources, sum.charges});
      CHECK(std::abs(*report.energy - sum.energy) < 1e-11 * std::abs(sum.energy));
      CHECK(relative(*report.virial, sum.virial) < 1e-11);
    }
    ++checked;
  }
  CHECK(checked == 2 * 12);  // charged and neutral, in each cell
}

TEST_CASE("energy: rock salt has Madelung's, and an isotropic virial") {
  Runtime const runtime({.gpus = 0});
  constexpr int m = 8;
  Charges salt;
  for (int i = 0; i < m * m * m; ++i) {
    int const at[3] = {i / m / m, i / m % m, i % m};
    for (int const a : at) salt.x.push_back(a / double(m));
    salt.q.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  double const madelung = -1.747564594633182 * m * (m * m * m / 2);
  for (double const tolerance : {1e-4, 1e-8, 1e-12}) {
    CAPTURE(tolerance);
    auto const report = solve(runtime, options_for(Periodicity::xyz, {1, 1, 1}, tolerance), salt);
    CHECK(std::abs(*report.energy / madelung - 1) < tolerance);
    CHECK(relative(*report.virial, {madelung / 3, madelung / 3, madelung / 3, 0, 0, 0}) < tolerance);
  }
}

TEST_CASE("energy: the virial is minus the derivative of the energy by strain") {
  Runtime const runtime({.gpus = 0});
  constexpr double step = 1e-3;
  for (Periodicity const periodicity : all_periodicities) {
    CAPTURE(name(periodicity));
    oracle::Box const box{1, 1.2, 0.9};
    auto const charges = apart(7, box, 3);
    auto const strained = [&](std::size_t d, double strain) {
      auto scaled = charges;
      oracle::Box scaled_box = box;
      scaled_box[d] *= 1 + strain;
      for (std::size_t i = d; i < scaled.x.size(); i += 3) scaled.x[i] *= 1 + strain;
      return *solve(runtime, options_for(periodicity, scaled_box, 1e-12), scaled).energy;
    };
    auto const report = solve(runtime, options_for(periodicity, box, 1e-11), charges);
    for (std::size_t d = 0; d < 3; ++d) {
      double const near = strained(d, step) - strained(d, -step), far = strained(d, 2 * step) - strained(d, -2 * step);
      CHECK((*report.virial)[d] == doctest::Approx(-(8 * near - far) / (12 * step)).epsilon(1e-8));
    }
  }
}

TEST_CASE("energy: the trace of the virial") {
  Runtime const runtime({.gpus = 0});
  oracle::Box const box{1.1, 1.2, 0.9};
  auto const charges = random_charges(400, box, 5);
  double total = 0;
  for (double const q : charges.q) total += q;
  for (Periodicity const periodicity : all_periodicities) {
    CAPTURE(name(periodicity));
    auto const report = solve(runtime, options_for(periodicity, box, 1e-11), charges);
    // The logarithm of a line of charges is not homogeneous.
    double const of_line = periodicity == Periodicity::x ? total * total / box[0] : 0;
    CHECK(trace(*report.virial) == doctest::Approx(*report.energy + of_line).epsilon(1e-9));
  }
}

TEST_CASE("energy: half the sum of q phi, in the caller's units, without a virial too") {
  Runtime const runtime({.gpus = 0});
  oracle::Box const box{1, 1.2, 0.9};
  auto charges = random_charges(300, box, 7);
  for (double& q : charges.q) q *= 3e5;
  oracle::Box large = box;
  for (double& edge : large) edge *= 7e3;
  for (double& x : charges.x) x *= 7e3;
  EwaldOptions o = options_for(Periodicity::xyz, large, 1e-9);
  auto const with_virial = solve(runtime, o, charges);
  o.virial = false;
  for (Outputs const outputs : {Outputs(Output::potential), Output::potential | Output::gradient}) {
    o.outputs = outputs;
    Ewald plan(runtime, o);
    auto const row = std::size_t(result_components(o.kernel, o.outputs));
    std::vector<double> u(300 * row);
    auto const report = plan.submit(plan.set_points(charges.x), charges.q, u).report();
    double sum = 0;
    for (std::size_t i = 0; i < 300; ++i) sum += charges.q[i] * u[row * i] / 2;
    CHECK(*report.energy == doctest::Approx(sum).epsilon(1e-14));
    CHECK(*report.energy == doctest::Approx(*with_virial.energy).epsilon(1e-8));
    CHECK(!report.virial);
  }
  CHECK(trace(*with_virial.virial) == doctest::Approx(*with_virial.energy).epsilon(1e-7));
}

TEST_CASE("energy: the same bits under all schedulers and numbers of workers") {
  oracle::Box const box{1, 1.2, 0.9};
  auto const charges = random_charges(3000, box, 9);
  std::optional<SolveReport> first;
  for (char const* scheduler : {"overlap", "lws", "eager"})
    for (int const cpus : {1, 2}) {
      Runtime const runtime({.scheduler = scheduler, .cpus = cpus, .gpus = 0});
      EwaldOptions o = options_for(Periodicity::xy, box, 1e-6);
      o.cutoff = 0.15;  // the same plan for any number of workers
      o.grid = {48, 56, 64};
      auto const report = solve(runtime, o, charges);
      if (!first) first = report;
      CHECK(*report.energy == *first->energy);
      CHECK(*report.virial == *first->virial);
    }
}

TEST_CASE("energy: single precision, of parts and of all") {
  Runtime const runtime({.gpus = 0});
  oracle::Box const box{1, 1.2, 0.9};
  auto const charges = apart(10, box, 11);
  for (Periodicity const periodicity : all_periodicities) {
    CAPTURE(name(periodicity));
    auto const exact = solve(runtime, options_for(periodicity, box, 1e-11), charges);
    EwaldOptions o = options_for(periodicity, box, 1e-5);
    for (bool const single : {false, true}) {
      CAPTURE(single);
      if (!single) {
        o.near_precision = NearPrecision::single;
        o.far_precision = FarPrecision::single;
      }
      auto const report =
          single ? solve<float>(runtime, options_for(periodicity, box, 1e-5), charges) : solve(runtime, o, charges);
      CHECK(*report.energy == doctest::Approx(*exact.energy).epsilon(1e-5));
      CHECK(relative(*report.virial, *exact.virial) < 1e-5);
    }
  }
}

TEST_CASE("virial: close pairs, whose forces cancel, are not multiplied by strengths of a grid in single precision") {
  Runtime const runtime({.gpus = 0});
  oracle::Box const box{1, 1.2, 0.9};
  Charges pairs = random_charges(200, box, 15);
  for (std::size_t i = 3; i < pairs.x.size(); i += 6)
    for (std::size_t d = 0; d < 3; ++d) pairs.x[i + d] = pairs.x[i + d - 3] + 1e-6 * (double(d) + 1);
  auto const exact = solve(runtime, options_for(Periodicity::xy, box, 1e-11), pairs);
  EwaldOptions o = options_for(Periodicity::xy, box, 1e-4);
  o.box[2] = 0;
  auto const error = [&](SolveReport const& report) { return relative(*report.virial, *exact.virial); };
  CHECK(error(solve(runtime, o, pairs)) < 1e-4);
  o.far_precision = FarPrecision::single;
  auto const in_single = solve(runtime, o, pairs);
  CHECK(in_single.sampled_error > 1e-4);
  CHECK(error(in_single) < in_single.sampled_error);
}

TEST_CASE("energy: none of parts, of separate targets, and of kernels without it") {
  Runtime const runtime({.gpus = 0});
  auto const charges = random_charges(50, {1, 1, 1}, 13);
  EwaldOptions o = options_for(Periodicity::xyz, {1, 1, 1}, 1e-4);
  o.virial = false;
  Ewald plan(runtime, o);
  std::vector<double> u(200);
  auto const own = plan.set_points(charges.x), separate = plan.set_points(charges.x, charges.x);
  CHECK(plan.submit(own, charges.q, u).report().energy);
  CHECK(!plan.submit(own, charges.q, u, Part::near).report().energy);
  CHECK(!plan.submit(own, charges.q, u, Part::far).report().energy);
  CHECK(!plan.submit(separate, charges.q, u).report().energy);
  o.kernel = Kernel::stokeslet;
  o.outputs = {};
  auto const f = random_strengths(Kernel::stokeslet, 50, 1);
  std::vector<double> v(150);
  Ewald flow(runtime, o);
  CHECK(!flow.submit(flow.set_points(charges.x), f, v).report().energy);
}

TEST_CASE("virial: where there is none, it is refused with what would be right") {
  Runtime const runtime({.gpus = 0});
  EwaldOptions o = options_for(Periodicity::xyz, {1, 1, 1}, 1e-4);
  auto const refusal = [&](auto const& make) {
    try {
      make();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return std::string(e.what());
    }
    return std::string();
  };
  std::vector<double> const x{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  CHECK(refusal([&] { Ewald(runtime, o).set_points(x, x); }).find("Give sources alone") != std::string::npos);
  o.outputs = Output::potential;
  CHECK(refusal([&] { Ewald(runtime, o); }).find("outputs potential,gradient") != std::string::npos);
  o.kernel = Kernel::stokeslet;
  o.outputs = {};
  CHECK(refusal([&] { Ewald(runtime, o); }).find("use kernel laplace") != std::string::npos);
}
