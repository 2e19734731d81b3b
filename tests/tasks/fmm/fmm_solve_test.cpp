// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/point_set.hpp"
#include "tests/tasks/problem.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>

using namespace nearfar;
using test::Problem;

namespace {

template <class T>
std::vector<T> solve(BasicFmm<T> plan, std::span<T const> x, std::span<T const> f) {
  auto const points = plan.set_points(x);
  auto const& o = plan.options();
  std::vector<T> u(f.size() / std::size_t(strength_components(o.kernel)) *
                   std::size_t(result_components(o.kernel, o.outputs)));
  plan.submit(points, f, std::span<T>(u)).wait();
  return u;
}

template <class T>
std::vector<T> solve_under(std::string const& scheduler, int cpus, FmmOptions const& options) {
  Runtime const runtime({.scheduler = scheduler, .cpus = cpus, .gpus = 0});
  Problem<T> const p(2500, strength_components(options.kernel));
  return solve<T>(BasicFmm<T>(runtime, options), p.x, p.f);
}

template <class T = double>
void check_same_bits(FmmOptions const& options) {
  auto const reference = solve_under<T>("eager", 1, options);
  for (std::string const scheduler : {"lws", "random", "prio", "dmdas"}) {
    CAPTURE(scheduler);
    CHECK(solve_under<T>(scheduler, 2, options) == reference);
  }
}

std::string said_by(std::function<void()> const& call, Fault fault = Fault::bad_input) {
  try {
    call();
  } catch (Error const& e) {
    CHECK(e.fault() == fault);
    return e.what();
  }
  FAIL("nothing was refused");
  return {};
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("same bits under every scheduler, with one worker and with two") {
  SUBCASE("laplace") {
    check_same_bits({.outputs = Output::potential | Output::gradient, .tolerance = 1e-5, .depth = 3});
  }
  SUBCASE("adaptive") {
    check_same_bits({.outputs = Output::potential | Output::gradient, .tolerance = 1e-5, .capacity = 10});
  }
  SUBCASE("stokes, single") { check_same_bits<float>({.kernel = Kernel::stokes, .tolerance = 1e-3, .depth = 2}); }
  SUBCASE("periodic, portable") {
    check_same_bits({.periodicity = Periodicity::xyz,
                     .box = {1, 1, 1},
                     .tolerance = 1e-4,
                     .implementation = Implementation::portable,
                     .depth = 2});
  }
}

TEST_CASE("several vectors of strengths at once give what each gives alone") {
  Runtime const runtime({.gpus = 0});
  for (auto const& options :
       {FmmOptions{.outputs = Output::potential | Output::gradient, .tolerance = 1e-6, .depth = 3},
        FmmOptions{.tolerance = 1e-6, .capacity = 8},
        FmmOptions{.kernel = Kernel::stokes, .tolerance = 1e-4, .depth = 2},
        FmmOptions{.outputs = Output::potential | Output::gradient,
        .periodicity = Periodicity::xyz,
        .box = {1, 1, 1},
        .tolerance = 1e-5,
        .depth = 2}}) {
    auto const s = std::size_t(strength_components(options.kernel));
    auto const r = std::size_t(result_components(options.kernel, options.outputs));
    constexpr std::size_t n = 1200, vectors = 3;
    Fmm plan(runtime, options);
    Problem<> const p(n, int(vectors * s));
    auto const points = plan.set_points(p.x);
    std::vector<double> together(n * vectors * r), alone(n * r), f(n * s);
    plan.submit(points, p.f, together).wait();
    double difference = 0, size = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < s; ++k) f[i * s + k] = p.f[(i * vectors + v) * s + k];
      plan.submit(points, f, alone).wait();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < r; ++k) {
          difference += std::pow(together[(i * vectors + v) * r + k] - alone[i * r + k], 2);
          size += std::pow(alone[i * r + k], 2);
        }
    }
    CHECK(difference <= 1e-28 * size);
  }
}

TEST_CASE("several solves in flight on the same points do not disturb each other") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.tolerance = 1e-4, .depth = 3});
  Problem<> const p(3000, 1);
  auto const points = plan.set_points(p.x);
  std::vector<std::vector<double>> f, u(5, std::vector<double>(3000));
  std::vector<Solve> solves;
  for (unsigned i = 0; i < 5; ++i) f.push_back(Problem<>(3000, 1, i + 10).f);
  for (std::size_t i = 0; i < 5; ++i) solves.push_back(plan.submit(points, f[i], u[i]));
  std::vector<double> alone(3000);
  for (std::size_t i = 0; i < 5; ++i) {
    solves[i].wait();
    plan.submit(points, f[i], alone).wait();
    CHECK(u[i] == alone);
  }
}

TEST_CASE("bad input is refused, with what is wrong and what would be right") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.box = {2, 0, 0}});
  std::vector<double> x{0, 0, 0, 1, 0, 0, 0.5, 0.5, 3}, u(3), f{1, 2, 3};
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const with = [&](std::size_t i, double value) {
    auto changed = x;
    changed[i] = value;
    return said_by([&] { plan.set_points(changed); });
  };
  CHECK(has(said_by([&] { plan.parameters(); }), "count"));
  CHECK(has(said_by([&] { plan.set_points({}); }), "no sources"));
  CHECK(has(said_by([&] { plan.set_points(std::span<double const>(x).first(4)); }), "multiple of 3"));
  CHECK(has(with(4, nan), "coordinate y of source 1"));
  CHECK(has(with(8, std::numeric_limits<double>::infinity()), "coordinate z of source 2"));
  CHECK(has(with(3, 2.5), "coordinate x of source 1 is 2.5"));
  CHECK(has(with(3, 0), "sources 0 and 1 are at the same point"));
  CHECK(has(said_by([&] { plan.set_points(x, std::vector<double>{0, nan, 0}); }), "coordinate y of target 0"));
  auto const points = plan.set_points(x);
  CHECK(has(said_by([&] { plan.submit(points, std::span<double const>(f).first(2), u); }), "strengths has 2"));
  CHECK(has(said_by([&] { plan.submit(points, f, std::span<double>(u).first(2)); }), "result has 2"));
  Fmm other(runtime, {});
  CHECK(has(said_by([&] { other.submit(points, f, u); }), "another plan"));
  f[1] = nan;
  CHECK(has(said_by([&] { plan.submit(points, f, u).wait(); }), "source 1"));
  // Separate targets may be where a source is: that pair is left out.
  f[1] = 2;
  std::vector<double> at{1, 0, 0}, one(1);
  plan.submit(plan.set_points(x, at), f, one).wait();
  CHECK(one[0] == doctest::Approx(1 + 3 / std::sqrt(0.25 + 0.25 + 9)));
}

TEST_CASE("a tree too deep for the memory is refused before it is built") {
  Runtime const runtime({.gpus = 0});
  auto const said = said_by([&] { Fmm(runtime, {.count = 2000000000, .order = 30, .depth = 10}); }, Fault::no_resource);
  CHECK(has(said, "depth 10"));
  CHECK(has(said, "GiB"));
  CHECK(has(said, "smaller depth"));
  // Deep where there are few boxes is fine.
  Problem<> const p(50, 1);
  solve<double>(Fmm(runtime, {.order = 4, .depth = 20}), p.x, p.f);
}
