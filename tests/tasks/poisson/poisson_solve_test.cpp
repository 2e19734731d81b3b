// SPDX-License-Identifier: BSD-3-Clause
// Whole solves against the textbook's pipeline (tests/core/poisson/plain_solver.hpp) and known potentials.
#include "core/math/constants.hpp"
#include "core/poisson/options.hpp"
#include "tests/core/poisson/known_cases.hpp"
#include "tests/core/poisson/plain_solver.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <random>

using namespace nearfar;
using plain::Array;

namespace {

Runtime test_runtime() { return Runtime({.scheduler = "lws", .cpus = 2, .gpus = 0}); }

std::size_t cells(std::array<int, 3> const& n) { return std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2]); }

Array random_density(std::array<int, 3> const& n, unsigned seed = 5) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Array density(cells(n));
  for (auto& d : density) d = normal(random);
  return density;
}

template <class T>
struct Found {
  Array potential;
  std::array<Array, 3> field;
};

template <class T = double>
Found<T> solve(BasicPoisson<T>& plan, Array const& given) {
  std::vector<T> const density(given.begin(), given.end());
  bool const field = plan.options().field;
  std::vector<T> phi(density.size()), e(field ? 3 * density.size() : 0);
  plan.submit(density, phi, e).wait();
  Found<T> found{{phi.begin(), phi.end()}, {}};
  for (std::size_t i = 0; i < e.size(); ++i) found.field[i % 3].push_back(e[i]);
  return found;
}

plain::Solution expected_for(PoissonOptions const& o, Array const& density) {
  auto const green = make_green_function(o.method, o.green, o.grid, o.box, o.periodic);
  return plain::solve(green, plain::green_table(green), density, o.field);
}

}  // namespace

TEST_CASE("poisson: every method and mixture of directions gives the textbook's result") {
  auto const runtime = test_runtime();
  PoissonOptions o{.grid = {9, 12, 10}, .box = {1, 1.5, 0.8}, .field = true};
  auto const density = random_density(o.grid);
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (int mask = 0; mask < 8; ++mask) {
      o.method = method;
      o.periodic = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
      CAPTURE(int(method));
      CAPTURE(mask);
      Poisson plan(runtime, o);
      auto const found = solve(plan, density);
      auto const expected = expected_for(o, density);
      CHECK(plain::relative_error(found.potential, expected.potential) < 2e-14);
      for (std::size_t d = 0; d < 3; ++d) CHECK(plain::relative_error(found.field[d], expected.field[d]) < 2e-14);
    }
}

TEST_CASE("poisson: kinds of samples, and grids of odd and least sizes") {
  auto const runtime = test_runtime();
  for (auto green : {HockneyGreen::constant, HockneyGreen::integrated})
    for (std::array<int, 3> const& grid : {std::array{2, 3, 5}, std::array{17, 1 + 6, 30}}) {
      PoissonOptions const o{.method = PoissonMethod::hockney, .grid = grid, .box = {1, 2, 3}, .green = green};
      Poisson plan(runtime, o);
      auto const density = random_density(grid);
      CHECK(plain::relative_error(solve(plan, density).potential, expected_for(o, density).potential) < 1e-14);
    }
}

TEST_CASE("poisson: a Gaussian, in double and single precision") {
  auto const runtime = test_runtime();
  PoissonOptions const o{.grid = {32, 32, 32}, .field = true};
  auto const c = known::gaussian(o.grid, o.box, {0.5, 0.5, 0.5});
  Poisson plan(runtime, o);
  auto const found = solve(plan, c.density);
  CHECK(plain::relative_error(found.potential, c.potential) < 1.3e-9);
  CHECK(plain::relative_error(found.field[0], c.field[0]) < 6.2e-7);
  PoissonSingle single(runtime, o);
  auto const rough = solve(single, c.density);
  CHECK(plain::relative_error(rough.potential, c.potential) < 1e-6);
  CHECK(plain::relative_error(rough.field[2], c.field[2]) < 1e-5);
}

TEST_CASE("poisson: solves are linear, and a point charge is 1 / (4 pi r), in both precisions") {
  auto const runtime = test_runtime();
  auto const check = [&]<class T>(T epsilon) {
    PoissonOptions o{.grid = {12, 18, 10}, .box = {1.2, 1.8, 1}, .field = true};
    BasicPoisson<T> plan(runtime, o);
    auto const a = random_density(o.grid, 1), b = random_density(o.grid, 2);
    Array sum(a.size()), expected(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) sum[i] = 2 * a[i] - 3 * b[i];
    auto const of_a = solve(plan, a), of_b = solve(plan, b), of_sum = solve(plan, sum);
    for (std::size_t i = 0; i < a.size(); ++i) expected[i] = 2 * of_a.potential[i] - 3 * of_b.potential[i];
    CHECK(plain::relative_error(of_sum.potential, expected) < 20 * double(epsilon));
    for (std::size_t i = 0; i < a.size(); ++i) expected[i] = 2 * of_a.field[1][i] - 3 * of_b.field[1][i];
    CHECK(plain::relative_error(of_sum.field[1], expected) < 20 * double(epsilon));

    o.method = PoissonMethod::hockney;  // whose kernel is exact between cells
    BasicPoisson<T> sampled(runtime, o);
    Array point(a.size());
    auto const at = [](int x, int y, int z) { return (std::size_t(x) * 18 + std::size_t(y)) * 10 + std::size_t(z); };
    point[at(3, 4, 5)] = 1e3;  // a unit charge in a cell of 0.1
    auto const phi = solve(sampled, point).potential;
    for (int y = 5; y < 18; ++y)
      CHECK(phi[at(3, y, 5)] * 4 * pi<double> * 0.1 * (y - 4) == doctest::Approx(1).epsilon(100 * double(epsilon)));
  };
  check(std::numeric_limits<double>::epsilon());
  check(std::numeric_limits<float>::epsilon());
}

TEST_CASE("poisson: vico and vico-dct agree to rounding") {
  auto const runtime = test_runtime();
  PoissonOptions o{.method = PoissonMethod::vico, .grid = {24, 20, 32}, .box = {1, 0.8, 2}};
  auto const density = random_density(o.grid);
  Poisson vico(runtime, o);
  o.method = PoissonMethod::vico_dct;
  Poisson dct(runtime, o);
  CHECK(plain::relative_error(solve(vico, density).potential, solve(dct, density).potential) < 1e-14);
}

TEST_CASE("poisson: a very long grid is planned in seconds, by methods that agree") {
  auto const runtime = test_runtime();
  PoissonOptions o{.method = PoissonMethod::vico_dct, .grid = {16384, 2, 2}, .box = {1, 1, 1}};
  auto const density = random_density(o.grid);
  std::clock_t const begun = std::clock();  // of the processor, since others may use it too
  Poisson dct(runtime, o);
  auto const by_cosines = solve(dct, density);
  CHECK(double(std::clock() - begun) / CLOCKS_PER_SEC < 8);
  o.method = PoissonMethod::vico;
  Poisson whole(runtime, o);
  auto const by_whole = solve(whole, density);
  CHECK(plain::relative_error(by_whole.potential, by_cosines.potential) < 1e-12);
}

TEST_CASE("poisson: an earthed face is at potential 0, and equals an image charge of the other sign") {
  auto const runtime = test_runtime();
  double const sigma = 0.08;
  std::array<double, 3> const box{1, 1.2, 0.9};
  std::array<int, 3> const grid{32, 40, 36};
  for (int face = 0; face < 6; ++face) {
    auto const axis = std::size_t(face / 2);
    CAPTURE(face);
    Poisson plan(runtime, {.grid = grid, .box = box, .field = true, .conductor = BoxFace(face)});
    std::array<double, 3> const at{0.5, 0.55, 0.45};
    auto image_at = at;
    image_at[axis] = face % 2 == 0 ? -at[axis] : 2 * box[axis] - at[axis];
    auto const charge = known::gaussian(grid, box, at, sigma), image = known::gaussian(grid, box, image_at, sigma);
    Array expected(charge.potential), along(charge.field[axis]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] -= image.potential[i];
      along[i] -= image.field[axis][i];
    }
    auto const found = solve(plan, charge.density);
    CHECK(plain::relative_error(found.potential, expected) < 3e-8);
    CHECK(plain::relative_error(found.field[axis], along) < 3e-6);
  }
}

TEST_CASE("poisson: another spacing makes the Green's function anew, and nothing else changes") {
  auto const runtime = test_runtime();
  PoissonOptions o{.grid = {16, 14, 12}, .box = {1, 1, 1}, .field = true};
  auto const density = random_density(o.grid);
  Poisson plan(runtime, o);
  auto const before = solve(plan, density);
  std::vector<double> phi(density.size()), e(3 * density.size()), phi2(phi), e2(e);
  // Both are in flight with the making of the second Green's function between them.
  auto first = plan.submit(density, phi, e);
  plan.set_spacing({1.0 / 16, 3.0 / 14, 0.7 / 12});
  auto second = plan.submit(density, phi2, e2);
  first.wait();
  second.wait();
  CHECK(phi == before.potential);
  CHECK(plan.options().box[1] == doctest::Approx(3));
  o.box = plan.options().box;
  auto const expected = expected_for(o, density);
  CHECK(plain::relative_error(phi2, expected.potential) < 2e-14);
  int const tasks = plan.green_report().tasks;
  CHECK(tasks > 0);
  CHECK_THROWS_AS(plan.set_spacing({0, 1, 1}), Error);
  CHECK(solve(plan, density).potential == phi2);
}

TEST_CASE("poisson: many in flight, and the same bits under every scheduler") {
  PoissonOptions const o{.grid = {20, 24, 16}, .box = {1, 1, 1}};
  std::vector<Array> first;
  for (char const* scheduler : {"lws", "eager", "overlap"}) {
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 0});
    Poisson plan(runtime, o);
    std::vector<Array> densities, found;
    for (unsigned i = 0; i < 5; ++i) {
      densities.push_back(random_density(o.grid, i));
      found.emplace_back(densities.back().size());
    }
    std::vector<Solve> solves;
    for (std::size_t i = 0; i < 5; ++i) solves.push_back(plan.submit(densities[i], found[i]));
    for (auto& s : solves) s.wait();
    if (first.empty()) first = found;
    CHECK(found == first);
  }
}

TEST_CASE("poisson: what cannot be used is refused, with the reason") {
  auto const runtime = test_runtime();
  auto const message = [&](PoissonOptions const& o) {
    try {
      Poisson plan(runtime, o);
    } catch (Error const& error) {
      return std::to_string(int(error.fault())) + " " + error.what();
    }
    return std::string("none");
  };
  auto const starts = [](std::string const& text, char const* with) { return text.rfind(with, 0) == 0; };
  CHECK(starts(message({.grid = {8, 1, 8}}), "2 the grid has 1 cells along y"));
  CHECK(starts(message({.grid = {8, 8, 8}, .box = {1, 1, 0}}), "2 box edge z is 0, so cells are 0 wide"));
  CHECK(starts(message({.grid = {8, 8, 8}, .box = {1, NAN, 1}}), "2 box edge y is nan"));
  CHECK(starts(message({.grid = {8, 8, 8}, .box = {1, 1, 1000}}), "2 edges along open directions"));
  CHECK(starts(message({.grid = {8, 8, 8}, .green = HockneyGreen::integrated}), "2 the Green's function is to be"));
  CHECK(starts(message({.method = PoissonMethod::hockney,
                        .grid = {8, 8, 8},
                        .periodic = {true, false, false},
                        .green = HockneyGreen::constant}),
               "2 the Green's function is to be constant in a box that repeats"));
  CHECK(starts(message({.grid = {8, 8, 8}, .periodic = {false, false, true}, .conductor = BoxFace::z_low}),
               "2 a face across z conducts"));
  CHECK(starts(message({.grid = {16384, 16384, 16384}}), "3 a grid of 16384 x 16384 x 16384 cells needs about"));

  Poisson plan(runtime, {.grid = {6, 7, 8}});
  std::vector<double> density(6 * 7 * 8), phi(density.size()), shorter(10);
  CHECK_THROWS_AS(plan.submit(shorter, phi), Error);
  CHECK_THROWS_AS(plan.submit(density, shorter), Error);
  CHECK_THROWS_AS(plan.submit(density, phi, phi), Error);
  density[(3 * 7 + 2) * 8 + 5] = NAN;
  auto bad = plan.submit(density, phi);
  std::string said;
  try {
    bad.wait();
  } catch (Error const& error) {
    said = error.what();
    CHECK(error.fault() == Fault::bad_input);
  }
  CHECK(said.find("in cell (3, 2, 5)") != std::string::npos);
  density[(3 * 7 + 2) * 8 + 5] = 1;
  plan.submit(density, phi).wait();
}

TEST_CASE("poisson: a solve of the potential alone needs at most 100 bytes per cell of a cube, the caller's included") {
  auto const runtime = test_runtime();
  int const n = 128;
  Poisson plan(runtime, {.grid = {n, n, n}});
  auto const p = plan.parameters();
  double const callers = 16.0 * n * n * n;
  CHECK(double(p.bytes) + callers < 100.0 * n * n * n);
  CHECK(double(p.green_bytes + p.setup_bytes) + callers < 100.0 * n * n * n);
}

TEST_CASE("poisson: a result beyond the range of numbers is an error of the solve, and the next one is right") {
  auto const runtime = test_runtime();
  for (auto const method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct}) {
    PoissonSingle plan(runtime, {.method = method, .grid = {8, 10, 12}, .field = true});
    std::vector<float> density(8 * 10 * 12, 3e38F), phi(density.size()), field(3 * density.size());
    CHECK_THROWS_WITH_AS(plan.submit(density, phi, field).wait(), doctest::Contains("single precision, which ends at"),
                         Error);
    std::ranges::fill(density, 1.0F);
    plan.submit(density, phi, field).wait();
    for (float const value : phi) CHECK(std::isfinite(value));
  }
}

TEST_CASE(
    "poisson: boxes whose squares a precision does not hold are refused, in the constructor and by a new spacing") {
  auto const runtime = test_runtime();
  for (double const edge : {1e-25, 1e-19, 1e25}) {
    CAPTURE(edge);
    CHECK_THROWS_WITH_AS(PoissonSingle(runtime, {.grid = {8, 8, 8}, .box = {edge, edge, edge}}),
                         doctest::Contains("single precision does not hold"), Error);
    PoissonSingle plan(runtime, {.grid = {8, 8, 8}});
    CHECK_THROWS_AS(plan.set_spacing({edge / 8, edge / 8, edge / 8}), Error);
    Poisson(runtime, {.grid = {8, 8, 8}, .box = {edge, edge, edge}});
  }
  CHECK_THROWS_WITH_AS(Poisson(runtime, {.grid = {8, 8, 8}, .box = {1e-160, 1e-160, 1e-160}}),
                       doctest::Contains("double precision does not hold"), Error);
}
