// SPDX-License-Identifier: BSD-3-Clause
// Plummer's softening in multipole sums: against sums in long double, and what is refused.
#include "core/fmm/softening.hpp"
#include "tests/tasks/motion.hpp"

#include <nearfar/direct.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace nearfar;
using test::refusal_of;

namespace {

using Numbers = std::vector<double>;

constexpr std::size_t checked = 300;

/// phi, its gradient, and its second derivatives at the first points, without those from the points themselves.
std::vector<long double> exact(Numbers const& x, Numbers const& q, std::size_t targets, double softening) {
  std::vector<long double> all;
  for (std::size_t i = 0; i < targets; ++i) {
    long double sum[10] = {};
    for (std::size_t j = 0; j < q.size(); ++j) {
      if (i == j) continue;
      long double r[3], square = (long double)(softening)*softening;
      for (std::size_t d = 0; d < 3; ++d) {
        r[d] = (long double)(x[3 * i + d]) - x[3 * j + d];
        square += r[d] * r[d];
      }
      long double const inverse = 1 / std::sqrt(square), cube = inverse * inverse * inverse;
      sum[0] += q[j] * inverse;
      for (int d = 0; d < 3; ++d) sum[1 + d] -= q[j] * r[d] * cube;
      for (int d = 0, k = 4; d < 3; ++d)
        for (int e = d; e < 3; ++e, ++k)
          sum[k] += q[j] * (3 * r[d] * r[e] * cube * inverse * inverse - (d == e ? cube : 0));
    }
    all.insert(all.end(), sum, sum + 10);
  }
  return all;
}

/// Of columns [first, last) of rows of `row`.
template <class T>
double error_of(std::vector<T> const& u, std::vector<long double> const& e, int row, int first, int last) {
  long double wrong = 0, all = 0;
  for (std::size_t i = 0; i < e.size() / 10; ++i)
    for (int c = first; c < last; ++c) {
      long double const right = e[10 * i + std::size_t(c)], found = u[std::size_t(row) * i + std::size_t(c)];
      wrong += (found - right) * (found - right);
      all += right * right;
    }
  return double(std::sqrt(wrong / all));
}

struct Stars {
  Numbers x, mass;
};

/// Everywhere in a unit cube; or a Plummer sphere, whose middle is dense.
Stars stars(std::size_t count, bool clustered, bool of_both_signs = false) {
  std::mt19937 random(11);
  auto const uniform = [&] { return random() / 4294967296.0; };
  Stars s;
  for (std::size_t i = 0; i < count; ++i) {
    s.mass.push_back(of_both_signs ? 2 * uniform() - 1 : 0.5 + uniform());
    if (!clustered) {
      for (int d = 0; d < 3; ++d) s.x.push_back(uniform());
      continue;
    }
    double const radius = 0.1 / std::sqrt(std::pow(0.001 + 0.95 * uniform(), -2.0 / 3) - 1), z = 2 * uniform() - 1,
                 angle = 6.283185307179586 * uniform(), flat = std::sqrt(1 - z * z);
    s.x.insert(s.x.end(), {radius * flat * std::cos(angle), radius * flat * std::sin(angle), radius * z});
  }
  return s;
}

template <class T>
std::vector<T> field(BasicFmm<T>& plan, BasicFmmPoints<T> const& points, Numbers const& mass) {
  std::vector<T> const q(mass.begin(), mass.end());
  std::vector<T> u(points.targets() * std::size_t(result_components(plan.options().kernel, plan.options().outputs)));
  plan.submit(points, std::span<T const>(q), std::span<T>(u)).wait();
  return u;
}

FmmOptions softened(double softening, double tolerance, Outputs outputs = Output::potential | Output::gradient) {
  FmmOptions options{.outputs = outputs, .tolerance = tolerance};
  options.softening = softening;
  return options;
}

/// The largest softening that plans take of these points.
double largest(Runtime const& runtime, Stars const& s, FmmOptions options) {
  double softening = 0.05;
  for (int i = 0; i < 30; ++i, softening /= 1.5) {
    options.softening = softening;
    if (refusal_of([&] { Fmm(runtime, options).set_points(s.x); }) == "nothing was refused") return softening;
  }
  return 0;
}

}  // namespace

TEST_CASE("softening: the tolerance is met with as much softening as plans take, for stars anywhere and in a cluster") {
  Runtime const runtime({.gpus = 0});
  for (bool const clustered : {false, true})
    for (bool const of_both_signs : {false, true})
      for (double const tolerance : {1e-3, 1e-5}) {
        CAPTURE(clustered);
        CAPTURE(of_both_signs);
        CAPTURE(tolerance);
        auto const s = stars(20000, clustered, of_both_signs);
        double const most = largest(runtime, s, softened(1, tolerance));
        CAPTURE(most);
        REQUIRE(most > 0);
        Fmm plan(runtime, softened(most, tolerance));
        auto const points = plan.set_points(s.x);
        REQUIRE(points.parameters().translations > 0);
        CHECK(points.parameters().estimated_error <= tolerance);
        auto const u = field(plan, points, s.mass);
        auto const e = exact(s.x, s.mass, checked, most);
        CHECK(error_of(u, e, 4, 0, 1) < tolerance);
        CHECK(error_of(u, e, 4, 1, 4) < tolerance);
      }
}

TEST_CASE("softening: pairs alone are exact, of any softening, with second derivatives, several vectors and targets") {
  Runtime const runtime({.gpus = 0});
  auto const s = stars(300, false, true);
  Outputs const all = Output::potential | Output::gradient | Output::hessian;
  for (double const softening : {1e-6, 0.03, 2.0}) {
    CAPTURE(softening);
    auto const e = exact(s.x, s.mass, 300, softening);
    for (Implementation const implementation : {Implementation::tuned, Implementation::portable}) {
      FmmOptions options = softened(softening, 1e-9, all);
      options.depth = 1;
      options.implementation = implementation;
      Fmm plan(runtime, options);
      auto const u = field(plan, plan.set_points(s.x), s.mass);
      CHECK(error_of(u, e, 10, 0, 1) < 1e-13);
      CHECK(error_of(u, e, 10, 1, 4) < 1e-13);
      CHECK(error_of(u, e, 10, 4, 10) < 1e-12);
      CHECK(error_of(field(plan, plan.set_points(s.x, s.x), s.mass), e, 10, 0, 4) < 1e-13);
    }
    FmmSingle single(runtime, softened(softening, 1e-4));
    std::vector<float> const x(s.x.begin(), s.x.end());
    CHECK(error_of(field(single, single.set_points(std::span(x)), s.mass), e, 4, 0, 4) < 1e-4);
  }
}

TEST_CASE("softening: the unit of length does not matter, and the energy is that of softened pairs") {
  Runtime const runtime({.gpus = 0});
  auto const s = stars(300, false);
  double energy = 0;
  auto const e = exact(s.x, s.mass, 300, 0.05);
  for (std::size_t i = 0; i < 300; ++i) energy += 0.5 * s.mass[i] * double(e[10 * i]);
  for (double const unit : {1.0, 3e20, 1e-30}) {
    CAPTURE(unit);
    Numbers x = s.x;
    for (double& c : x) c *= unit;
    FmmOptions options = softened(0.05 * unit, 1e-9);
    options.depth = 1;
    Fmm plan(runtime, options);
    auto const points = plan.set_points(x);
    Numbers u(4 * 300);
    auto solve = plan.submit(points, s.mass, u);
    solve.wait();
    for (std::size_t i = 0; i < 1200; ++i) u[i] *= i % 4 == 0 ? unit : unit * unit;
    CHECK(error_of(u, e, 4, 0, 1) < 1e-9);
    CHECK(error_of(u, e, 4, 1, 4) < 1e-9);
    CHECK(solve.report().energy.value() * unit == doctest::Approx(energy).epsilon(1e-9));
  }
}

TEST_CASE("softening: what is refused, with what would be right") {
  Runtime const runtime({.gpus = 0});
  auto const s = stars(20000, false);
  auto const says = [&](FmmOptions const& options) {
    return refusal_of([&] { Fmm(runtime, options).set_points(s.x); });
  };
  std::string const large = says(softened(0.05, 1e-6));
  CHECK(large.find("softening is 0.05 with leaves of side") != std::string::npos);
  std::string const advice = "Give a softening of at most ";
  REQUIRE(large.find(advice) != std::string::npos);
  double const most = std::stod(large.substr(large.find(advice) + advice.size()));
  CHECK(says(softened(most, 1e-6)) == "nothing was refused");
  CHECK(says(softened(1.01 * most, 1e-6)) != "nothing was refused");
  CHECK(says(softened(0, 1e-6)).find("softening is 0") != std::string::npos);
  CHECK(says(softened(-1, 1e-6)).find("above 0") != std::string::npos);
  CHECK(says(softened(std::nan(""), 1e-6)).find("above 0") != std::string::npos);
  FmmOptions options = softened(1e-5, 1e-4, Output::velocity);
  options.kernel = Kernel::stokeslet;
  CHECK(says(options).find("kernel stokeslet") != std::string::npos);
  options = softened(1e-5, 1e-4);
  options.periodicity = Periodicity::xyz;
  options.box = {1, 1, 1};
  CHECK(says(options).find("periodic cell") != std::string::npos);
  options = softened(1e-5, 1e-4);
  options.near_precision = NearPrecision::single;
  CHECK(says(options).find("single precision") != std::string::npos);
}

TEST_CASE("softening: direct sums, of any softening, and what they refuse") {
  Runtime const runtime({.gpus = 0});
  auto const s = stars(300, false, true);
  Outputs const all = Output::potential | Output::gradient | Output::hessian;
  Numbers u(10 * 300), rows(u);
  for (double const softening : {1e-6, 0.03, 2.0, 1e200}) {
    CAPTURE(softening);
    direct(runtime, Kernel::laplace, all, s.x, s.x, s.mass, u, {}, softening).wait();
    auto const e = exact(s.x, s.mass, 300, softening);
    CHECK(error_of(u, e, 10, 0, 1) < 1e-15);
    if (softening < 1) CHECK(error_of(u, e, 10, 1, 10) < 1e-14);
    direct(runtime, Kernel::laplace, all, RowsIn::packed(s.x.data(), 300, 3), RowsIn::packed(s.x.data(), 300, 3),
           RowsIn::packed(s.mass.data(), 300, 1), RowsOut::packed(rows.data(), 300, 10), {}, softening)
        .wait();
    CHECK(rows == u);
  }
  auto const says = [&](Kernel kernel, std::optional<double> screening, double softening) {
    Numbers one(300);
    return refusal_of([&] { direct(runtime, kernel, {}, s.x, s.x, s.mass, one, screening, softening).wait(); });
  };
  CHECK(says(Kernel::laplace, {}, 0).find("softening is 0 (a length") != std::string::npos);
  CHECK(says(Kernel::laplace, {}, -0.1).find("Give a length above 0") != std::string::npos);
  CHECK(says(Kernel::yukawa, 2, 0.1).find("softening is 0.1 with kernel yukawa") != std::string::npos);
}

TEST_CASE("softening: points that move") {
  Runtime const runtime({.gpus = 0});
  auto s = stars(5000, true);
  Fmm plan(runtime, softened(1e-4, 1e-3));
  auto points = plan.set_points(s.x);
  for (int step = 0; step < 3; ++step) {
    for (double& c : s.x) c *= 0.995;
    points = plan.move_points(points, s.x);
    auto const u = field(plan, points, s.mass);
    CHECK(error_of(u, exact(s.x, s.mass, checked, 1e-4), 4, 1, 4) < 1e-3);
  }
}

TEST_CASE("softening: fields that cancel are found by the review") {
  Stars s;
  for (int i = 0; i < 1000; ++i) {  // charges of alternating sign on a lattice
    int const at[3] = {i % 10, i / 10 % 10, i / 100};
    s.x.insert(s.x.end(), {double(at[0]), double(at[1]), double(at[2])});
    s.mass.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  constexpr double softening = 1e-3;
  Runtime const runtime({.cpus = 2, .gpus = 0});
  for (double tolerance : {1e-3, 1e-5}) {
    CAPTURE(tolerance);
    Fmm plan(runtime, {.kernel = Kernel::laplace,
                       .outputs = Output::potential | Output::gradient | Output::hessian,
                       .tolerance = tolerance,
                       .capacity = 15,
                       .softening = softening});
    Numbers u(10 * s.mass.size());
    SolveReport const report = plan.submit(plan.set_points(s.x), s.mass, u).report();
    auto const e = exact(s.x, s.mass, s.mass.size(), softening);
    double const told = std::max(tolerance, report.sampled_error);
    CHECK(error_of(u, e, 10, 0, 1) < told);
    CHECK(error_of(u, e, 10, 1, 4) < told);
    CHECK(error_of(u, e, 10, 4, 10) < told);
  }
}
