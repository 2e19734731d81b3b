// SPDX-License-Identifier: BSD-3-Clause
// A caller's array that a solve reads and writes: refused, or as right as with two.
#include "tasks/points/views/pack.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::size_t n = 2000;

/// Refused, and nothing is written.
template <class Submit>
void expect_refused(std::vector<double> const& memory, Submit const& submit) {
  auto const before = memory;
  CHECK_THROWS_WITH_AS(submit().wait(), doctest::Contains("shares memory with"), Error);
  CHECK(memory == before);
}

/// Strengths of a kernel and room for the results behind them, in one array.
struct Both {
  std::vector<double> memory;
  std::size_t strengths, results;

  Both(std::vector<double> const& f, std::size_t results_) : memory(f), strengths(f.size()), results(results_) {
    memory.resize(strengths + results);
  }
  std::span<double const> in() const { return std::span(memory).first(strengths); }
  std::span<double> out(std::size_t from) { return std::span(memory).subspan(from, results); }
};

/// Every way in which the result can lie over the strengths; beside them it is right.
template <class Submit>
void check_places(Both both, std::vector<double> const& want, Submit const& submit) {
  for (std::size_t const from : {std::size_t(0), std::size_t(1), both.strengths / 2, both.strengths - 1})
    expect_refused(both.memory, [&] { return submit(both.in(), both.out(from)); });
  submit(both.in(), both.out(both.strengths)).wait();
  CHECK(std::ranges::equal(both.out(both.strengths), want));
}

}  // namespace

TEST_CASE("strengths and result in one memory: sums over particles are refused, whatever the overlap") {
  Runtime const runtime({.gpus = 0});
  for (auto const kernel : {Kernel::laplace, Kernel::stokeslet}) {
    CAPTURE(name(kernel));
    int const numbers = strength_components(kernel);
    test::Problem<> const p(n, numbers);
    std::vector<double> want(n * std::size_t(numbers));
    SUBCASE("Ewald") {
      Ewald plan(runtime, {.kernel = kernel, .tolerance = 1e-4});
      auto const points = plan.set_points(p.x);
      auto const submit = [&](std::span<double const> f, std::span<double> u) { return plan.submit(points, f, u); };
      submit(p.f, want).wait();
      check_places({p.f, want.size()}, want, submit);
    }
    SUBCASE("multipoles") {
      Fmm plan(runtime, {.kernel = kernel, .tolerance = 1e-4});
      auto const points = plan.set_points(p.x);
      auto const submit = [&](std::span<double const> f, std::span<double> u) { return plan.submit(points, f, u); };
      submit(p.f, want).wait();
      check_places({p.f, want.size()}, want, submit);
    }
    SUBCASE("direct") {
      auto const submit = [&](std::span<double const> f, std::span<double> u) {
        return direct(runtime, kernel, {}, p.x, p.x, f, u);
      };
      submit(p.f, want).wait();
      check_places({p.f, want.size()}, want, submit);
    }
  }
}

TEST_CASE("strengths and result in one memory: so in single precision") {
  Runtime const runtime({.gpus = 0});
  test::Problem<float> p(n, 1);
  EwaldSingle plan(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-3});
  auto const points = plan.set_points(p.x);
  std::span<float> const both(p.f);
  CHECK_THROWS_WITH_AS(plan.submit(points, both, both), doctest::Contains("shares memory with"), Error);
}

TEST_CASE("a direct sum over its own positions is refused") {
  Runtime const runtime({.gpus = 0});
  test::Problem<> p(n, 3);
  auto const from = p.x;
  expect_refused(p.x, [&] { return direct(runtime, Kernel::stokeslet, {}, p.x, from, p.f, p.x); });
  expect_refused(p.x, [&] { return direct(runtime, Kernel::stokeslet, {}, from, p.x, p.f, p.x); });
}

TEST_CASE("views of one memory: strengths are read before results are written") {
  Runtime const runtime({.gpus = 0});
  test::Problem<> const p(n, 3);
  std::vector<double> want(3 * n), own = p.f, shifted = p.f;
  Ewald plan(runtime, {.tolerance = 1e-4});
  auto const points = plan.set_points(p.x);
  plan.submit(points, p.f, want).wait();
  plan.submit(points, RowsIn::packed(own.data(), n, 3), RowsOut::packed(own.data(), n, 3)).wait();
  CHECK(own == want);
  shifted.resize(3 * n + 4);
  plan.submit(points, RowsIn::packed(shifted.data(), n, 3), RowsOut::packed(shifted.data() + 4, n, 3)).wait();
  CHECK(std::equal(want.begin(), want.end(), shifted.begin() + 4));
}

TEST_CASE("a potential in the memory of its density is right, a field in that of the potential is refused") {
  Runtime const runtime({.gpus = 0});
  std::array<int, 3> const grid{12, 10, 8};
  std::size_t const cells = 12 * 10 * 8;
  for (auto const method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct}) {
    Poisson plan(runtime, {.method = method, .grid = grid, .field = true});
    test::Problem<> const p(cells, 1);
    std::vector<double> potential(cells), field(3 * cells), own = p.f, shifted = p.f;
    plan.submit(p.f, potential, field).wait();
    plan.submit(own, own, field).wait();
    CHECK(own == potential);
    shifted.resize(cells + 5);
    plan.submit(std::span(shifted).first(cells), std::span(shifted).subspan(5), field).wait();
    CHECK(std::equal(potential.begin(), potential.end(), shifted.begin() + 5));
    expect_refused(field, [&] { return plan.submit(p.f, std::span(field).first(cells), field); });
  }
}

TEST_CASE("what is read of a particle loop goes to arrays of its own") {
  Runtime const runtime({.gpus = 0});
  test::Problem<> p(50, 1);
  for (double& x : p.x) x += 1;  // inside the box
  std::vector<double> const v(150);
  Pic loop(runtime, {.grid = {8, 8, 8}, .box = {4, 4, 4}, .time_step = 1e-3}, p.x, v, p.f);
  std::vector<double> both(512);
  expect_refused(both, [&] { return loop.read({.density = both, .potential = both}); });
  expect_refused(both, [&] {
    return loop.read({.positions = std::span(both).first(150), .velocities = std::span(both).subspan(149, 150)});
  });
}

TEST_CASE("views whose numbers overwrite each other are refused, and no others") {
  std::mt19937 random(5);
  auto const one_of = [&](int count) { return int(random() % unsigned(count)); };
  constexpr int middle = 160;
  alignas(8) char memory[2 * middle] = {};
  int apart = 0, shared = 0;
  for (int i = 0; i < 20000; ++i) {
    std::size_t const rows = std::size_t(one_of(5));
    std::vector<RowsOut::Column> columns;
    std::vector<int> used(2 * middle);
    bool overlap = false;
    int const same = 4 * (one_of(9) - 4);
    for (int c = 0; c <= one_of(3); ++c) {
      bool const single = one_of(2) == 1;
      int const stride = one_of(2) == 1 ? same : 4 * (one_of(17) - 8), first = middle + 4 * (one_of(9) - 4);
      columns.push_back({memory + first, stride, single});
      for (int row = 0; row < int(rows); ++row)
        for (int byte = 0; byte < (single ? 4 : 8); ++byte)
          overlap |= used[std::size_t(first + row * stride + byte)]++ > 0;
    }
    bool refused = false;
    try {
      detail::expect_apart(RowsOut::of(columns, rows));
    } catch (Error const&) {
      refused = true;
    }
    REQUIRE(refused == overlap);
    ++(overlap ? shared : apart);
  }
  CHECK(std::min(apart, shared) > 2000);
}
