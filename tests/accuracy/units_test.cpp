// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/fmm/fmm_solve.hpp"
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

using namespace nearfar;

namespace {

constexpr Kernel every_kernel[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Periodicity every_periodicity[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};
constexpr oracle::Box box{1, 1.2, .9};

enum class Method { ewald, fmm };

System system_of(Kernel kernel, Periodicity periodicity, bool single) {
  System s = random_system(kernel, box, 100, 100, 71, true, single);
  s.periodicity = periodicity;
  return s;
}

/// Lengths times `length`, f, q or charges times `strength`. Normals grow with lengths, so that all fields of a kernel
/// grow alike: by strength / length, and gradients by strength / length^2.
System scaled(System s, double length, double strength) {
  for (double& edge : s.box) edge *= length;
  for (auto* points : {&s.sources, &s.targets})
    for (double& x : *points) x *= length;
  std::size_t const row = oracle::strength_row(s.kernel);
  for (std::size_t i = 0; i < s.strengths.size(); ++i)
    s.strengths[i] *= row >= 6 && i % row >= row - 3 ? length : strength;
  return s;
}

std::vector<double> scaled(System const& s, std::vector<double> u, double length, double strength) {
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = u[i] * (strength / length) / (s.kernel == Kernel::laplace && i % 4 > 0 ? length : 1);
  return u;
}

template <class T>
std::vector<double> solve(Runtime const& runtime, Method method, System const& s, double length, double tolerance,
                          bool open_box = false) {
  if (method == Method::fmm) return solve_fmm<T>(runtime, s, {.tolerance = tolerance});
  EwaldOptions options{
      .kernel = s.kernel, .outputs = s.outputs(), .periodicity = s.periodicity, .box = s.box, .tolerance = tolerance};
  for (std::size_t d = std::size_t(s.periodicity); d < 3 && open_box; ++d) options.box[d] = 0;
  if (s.periodicity == Periodicity::x && s.kernel != Kernel::stresslet) options.gauge_length = 3 * length;
  BasicEwald<T> plan(runtime, options);
  std::vector<T> const x(s.sources.begin(), s.sources.end()), f(s.strengths.begin(), s.strengths.end());
  auto const points = plan.set_points(x);
  std::vector<T> u(points.targets() * std::size_t(result_components(s.kernel, s.outputs())));
  plan.submit(points, f, u).wait();
  CHECK(plan.parameters().cutoff <= 2 * s.box[1]);  // in the caller's unit
  CHECK(plan.parameters().cutoff > 0.01 * s.box[1]);
  return {u.begin(), u.end()};
}

std::string title(System const& s, Method method, bool single) {
  return std::string(method == Method::ewald ? "Ewald" : "FMM") + ", " + std::string(name(s.kernel)) + ", periodic " +
         std::string(name(s.periodicity)) + (single ? ", single" : ", double");
}

/// Lengths and strengths by powers of two: the same bits.
template <class T>
void check_bits(Runtime const& runtime, Method method, System const& s, int length, int strength) {
  double const a = std::ldexp(1, length), b = std::ldexp(1, strength), tolerance = 1e-4;
  for (bool open_box : {false, true}) {
    if (open_box && (method == Method::fmm || s.periodicity == Periodicity::xyz)) continue;
    CAPTURE(title(s, method, sizeof(T) == 4));
    CAPTURE(length);
    CAPTURE(strength);
    CAPTURE(open_box);
    auto const expected = scaled(s, solve<T>(runtime, method, s, 1, tolerance, open_box), a, b);
    CHECK(solve<T>(runtime, method, scaled(s, a, b), a, tolerance, open_box) == expected);
  }
}

/// Squares of the numbers themselves may be out of range.
void check_relative(std::string const& what, System const& s, std::vector<double> u, std::vector<double> exact,
                    double tolerance) {
  double size[2] = {};
  auto const unit = [&](std::size_t i) -> double& { return size[s.kernel == Kernel::laplace && i % 4 > 0]; };
  for (std::size_t i = 0; i < exact.size(); ++i) unit(i) = std::max(unit(i), std::abs(exact[i]));
  for (std::size_t i = 0; i < exact.size(); ++i) {
    u[i] /= unit(i);
    exact[i] /= unit(i);
  }
  check_error(what, s, u, exact, tolerance);
}

/// By powers of ten: the same accuracy.
template <class T>
void check_accuracy(Runtime const& runtime, Method method, System const& s, double length, double strength) {
  double const tolerance = sizeof(T) == 4 ? 1e-4 : 1e-6;
  std::ostringstream what;
  what << title(s, method, sizeof(T) == 4) << ", lengths times " << length << ", strengths times " << strength;
  check_relative(what.str(), s, solve<T>(runtime, method, scaled(s, length, strength), length, tolerance),
                 scaled(s, whole_reference(s), length, strength), tolerance);
}

}  // namespace

TEST_CASE("units: lengths and strengths by powers of two give the same bits") {
  Runtime const runtime;
  for (Periodicity periodicity : every_periodicity)
    for (Kernel kernel : every_kernel) {
      System s = system_of(kernel, periodicity, false);
      if (periodicity == Periodicity::xyz) s.sources[0] = s.targets[0] = s.sources[0] + 2;  // the zero mode remembers
      check_bits<double>(runtime, Method::ewald, s, 70, -100);
      check_bits<double>(runtime, Method::ewald, s, -200, 300);
      System const single = system_of(kernel, periodicity, true);
      check_bits<float>(runtime, Method::ewald, single, 17, -60);
      check_bits<float>(runtime, Method::ewald, single, -25, 9);
      if (periodicity != Periodicity::none && (periodicity != Periodicity::xyz || kernel != Kernel::laplace)) continue;
      check_bits<double>(runtime, Method::fmm, s, 70, -100);
      check_bits<double>(runtime, Method::fmm, s, -200, 300);
      check_bits<float>(runtime, Method::fmm, single, 17, -60);
      check_bits<float>(runtime, Method::fmm, single, -25, 9);
    }
}

TEST_CASE("units: what results lose that single precision hardly holds is told") {
  Runtime const runtime;
  constexpr double tolerance = 1e-4, strength = 0x1p-90;
  for (Periodicity periodicity : {Periodicity::none, Periodicity::xyz})
    for (double length : {0x1p20, 0x1p44, 0x1p55, 0x1p70}) {  // potentials of some 1e-32, 1e-40, 1e-43, 1e-48
      System const one = system_of(Kernel::laplace, periodicity, true), s = scaled(one, length, strength);
      auto const exact = scaled(one, whole_reference(one), length, strength);
      std::vector<float> const x(s.sources.begin(), s.sources.end()), q(s.strengths.begin(), s.strengths.end());
      auto const check = [&](auto plan) {
        std::vector<float> u(q.size());
        auto const report = plan.submit(plan.set_points(std::span<float const>(x)), q, u).report();
        double wrong = 0, size = 0;  // squares of the numbers themselves are out of range
        for (std::size_t i = 0; i < u.size(); ++i) {
          wrong += std::pow((u[i] - exact[4 * i]) * (length / strength), 2);
          size += std::pow(exact[4 * i] * (length / strength), 2);
        }
        double const error = std::sqrt(wrong / size);
        CAPTURE(name(periodicity));
        CAPTURE(length);
        CAPTURE(error);
        CHECK((error <= tolerance) == (length < 0x1p50));
        CHECK((report.sampled_error <= tolerance) == (length < 0x1p50));
        if (length > 0x1p50) CHECK(report.sampled_error >= 0.5 * error);
      };
      check(BasicEwald<float>(
          runtime, {.kernel = Kernel::laplace, .periodicity = periodicity, .box = s.box, .tolerance = tolerance}));
      check(BasicFmm<float>(
          runtime, {.kernel = Kernel::laplace, .periodicity = periodicity, .box = s.box, .tolerance = tolerance}));
    }
}

TEST_CASE("units: Poisson's equation, box and density by powers of two") {
  Runtime const runtime;
  auto const solved = [&](PoissonOptions options, int length, int strength) {
    for (double& edge : options.box) edge = std::ldexp(edge, length);
    Poisson plan(runtime, options);
    std::vector<double> rho(plan.cells()), phi(plan.cells()), field(3 * plan.cells());
    for (std::size_t i = 0; i < rho.size(); ++i) rho[i] = std::ldexp(std::sin(double(i * i % 97)), strength);
    plan.submit(rho, phi, field).wait();
    for (double& v : phi) v = std::ldexp(v, -strength - 2 * length);
    for (double& v : field) v = std::ldexp(v, -strength - length);
    phi.insert(phi.end(), field.begin(), field.end());
    return phi;
  };
  for (PoissonMethod method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (int open : {0, 1, 3}) {  // with two open there is a logarithm
      PoissonOptions options{.method = method, .grid = {8, 12, 10}, .box = {1, 1.5, 1.1}, .field = true};
      for (std::size_t d = 0; d < 3; ++d) options.periodic[d] = int(d) < 3 - open;
      auto const unit = solved(options, 0, 0);
      CAPTURE(name(method));
      CAPTURE(open);
      for (auto const& [length, strength] : {std::pair(30, -100), std::pair(-60, 200)})
        CHECK(solved(options, length, strength) == unit);
      if (method != PoissonMethod::hockney || open < 3) continue;
      options.green = HockneyGreen::integrated;
      CHECK(solved(options, 40, 7) == solved(options, 0, 0));
    }
}

TEST_CASE("units: any box and any strengths") {
  Runtime const runtime;
  for (Kernel kernel : every_kernel) {
    System const s = system_of(kernel, Periodicity::xyz, false);
    for (double length : {1e20, 1e-21, 1e-30}) check_accuracy<double>(runtime, Method::ewald, s, length, 1);
    System const free = system_of(kernel, Periodicity::none, false);
    for (Method method : {Method::ewald, Method::fmm}) {
      check_accuracy<double>(runtime, method, free, 1e9, 1);
      check_accuracy<double>(runtime, method, free, 1e20, 1e308);
      check_accuracy<double>(runtime, method, free, 1e-5, 1e-300);
    }
  }
  for (Periodicity periodicity : {Periodicity::none, Periodicity::xyz}) {
    check_accuracy<float>(runtime, Method::ewald, system_of(Kernel::stresslet, periodicity, true), 1e-7, 1);
    check_accuracy<float>(runtime, Method::ewald, system_of(Kernel::laplace, periodicity, true), 1e-12, 1);
    check_accuracy<float>(runtime, Method::fmm, system_of(Kernel::laplace, periodicity, true), 1e-12, 1);
  }
}

TEST_CASE("units: an answer that is beyond the range of numbers is an error, by its target") {
  Runtime const runtime;
  System const s = scaled(system_of(Kernel::laplace, Periodicity::none, false), 1e-3, 1.5e308);
  auto const message = [](auto const& body) -> std::string {
    try {
      body();
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return e.what();
    }
    return "none";
  };
  std::vector<double> u(4 * 100);
  for (std::string const& text : {message([&] { solve<double>(runtime, Method::ewald, s, 1, 1e-6); }),
                                  message([&] { solve<double>(runtime, Method::fmm, s, 1, 1e-6); }), message([&] {
                                    direct(runtime, Kernel::laplace, Output::potential | Output::gradient, s.sources,
                                           s.targets, s.strengths, u)
                                        .wait();
                                  })}) {
    CAPTURE(text);
    CHECK(text.find(" of target ") != std::string::npos);
    CHECK(text.find("e+31") != std::string::npos);  // what it would be
    CHECK(text.find("1.79769e+308") != std::string::npos);
    CHECK(text.find("scale the strengths down") != std::string::npos);
  }
}

TEST_CASE("units: layers of very different strength, and strengths that are all zero") {
  Runtime const runtime;
  for (double single : {1e-200, 0.0, 1e200})
    for (double normals : {1.0, 0.0}) {
      System s = system_of(Kernel::stokes, Periodicity::xyz, false);
      for (std::size_t i = 0; i < s.strengths.size(); ++i)
        s.strengths[i] *= i % 9 < 3 ? single : i % 9 < 6 ? 1 : normals;
      auto const u = solve<double>(runtime, Method::ewald, s, 1, 1e-6);
      auto const exact = whole_reference(s);
      if (single == 0 && normals == 0) CHECK(u == exact);
      else check_relative("single layer times " + std::to_string(std::log10(single)), s, u, exact, 1e-6);
    }
}
