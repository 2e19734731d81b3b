// SPDX-License-Identifier: BSD-3-Clause
// Poisson solves over ranks give the textbook's result, twice with the same bits, and send what their formula says.
#include "core/poisson/options.hpp"
#include "tasks/poisson/graph.hpp"
#include "tests/core/poisson/plain_solver.hpp"
#include "tests/mpi/ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace nearfar;
using namespace nearfar::test;

namespace {

std::size_t cells_of(PoissonOptions const& o) {
  return std::size_t(o.grid[0]) * std::size_t(o.grid[1]) * std::size_t(o.grid[2]);
}

plain::Array density_of(PoissonOptions const& o) {
  plain::Array density(cells_of(o));
  for (std::size_t i = 0; i < density.size(); ++i) density[i] = std::sin(0.37 * double(i)) + (i % 7 == 0 ? 1 : 0);
  return density;
}

/// Sent by all ranks: the density to all; tiles where a slab and a group of columns are on different ranks, there and
/// back; slabs of others to rank 0.
template <class T>
std::uint64_t expected_bytes(PoissonOptions const& o) {
  int const ranks = runtime().ranks(), components = o.field ? 4 : 1;
  auto const layout = detail::poisson_layout(make_poisson_grid(o), components, all_workers());
  auto const owner = [&](int item, int items) { return item * ranks / items; };
  std::uint64_t numbers = std::uint64_t(ranks - 1) * cells_of(o);
  for (int s = 0; s < layout.slabs; ++s) {
    for (int g = 0; g < layout.columns; ++g)
      if (owner(s, layout.slabs) != owner(g, layout.columns))
        numbers += std::uint64_t(2 * 2 * components * layout.planes(s)) * std::uint64_t(layout.columns_in(g));
    if (owner(s, layout.slabs) != 0)
      numbers += std::uint64_t(components * layout.planes(s)) * std::uint64_t(layout.plane_size());
  }
  return numbers * sizeof(T);
}

template <class T>
void expect_textbook(PoissonOptions const& o, double tolerance) {
  CAPTURE(o.grid[0]);
  auto const rho = density_of(o);
  std::vector<T> const density(rho.begin(), rho.end());
  std::vector<T> potential(density.size()), field(o.field ? 3 * density.size() : 0), again(density.size());
  BasicPoisson<T> plan(runtime(), o);
  auto first = plan.submit(given(density), taken(potential), taken(field));
  auto second = plan.submit(given(density), taken(again), taken(field));
  auto const report = first.report();
  second.wait();
  CHECK(report.ranks == runtime().ranks());
  CHECK(report.sent_bytes == expected_bytes<T>(o));
  if (runtime().rank() > 0) return;
  CHECK(again == potential);
  auto const green = make_green_function(o.method, o.green, o.grid, o.box, o.periodic);
  auto const expected = plain::solve(green, plain::green_table(green), rho, o.field);
  CHECK(plain::relative_error({potential.begin(), potential.end()}, expected.potential) < tolerance);
  for (std::size_t d = 0; d < 3 && o.field; ++d) {
    plain::Array component;
    for (std::size_t i = d; i < field.size(); i += 3) component.push_back(field[i]);
    CHECK(plain::relative_error(component, expected.field[d]) < tolerance);
  }
}

}  // namespace

TEST_CASE("poisson over ranks: every method, open and periodic, odd sizes, both precisions") {
  PoissonOptions o{.grid = {9, 12, 10}, .box = {1, 1.5, 0.8}, .field = true};
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct}) {
    o.method = method;
    for (bool periodic : {false, true}) {
      o.periodic = {periodic, false, periodic};
      expect_textbook<double>(o, 2e-14);
    }
  }
  o.field = false;
  expect_textbook<float>(o, 1e-6);
}

TEST_CASE("poisson over ranks: fewer planes than ranks, and many slabs") {
  expect_textbook<double>({.grid = {2, 3, 5}}, 2e-14);
  expect_textbook<double>({.grid = {50, 46, 48}, .periodic = {true, true, true}}, 2e-14);
}

TEST_CASE("poisson over ranks: each gives and gets its slab, with the bits of the whole grid") {
  std::size_t const rank = std::size_t(runtime().rank()), ranks = std::size_t(runtime().ranks());
  auto const slab_of = [](auto& all, std::array<int, 2> planes, std::size_t plane) {
    return std::span(all).subspan(std::size_t(planes[0]) * plane, std::size_t(planes[1] - planes[0]) * plane);
  };
  auto const expect_slabs = [&](PoissonOptions o) {
    CAPTURE(o.grid[0]);
    auto const density = density_of(o);
    plain::Array whole(density.size()), fields(o.field ? 3 * density.size() : 0);
    Poisson(runtime(), o).submit(density, whole, fields).wait();
    for (auto* rows : {&whole, &fields}) {
      plain::Array of_first;
      auto const shared = runtime().shared()->ranks().share(given(*rows), of_first);
      if (runtime().rank() > 0) rows->assign(shared.begin(), shared.end());
    }
    o.slabs = true;
    Poisson plan(runtime(), o);
    auto const planes = plan.planes();
    std::size_t const nx = std::size_t(o.grid[0]), plane = cells_of(o) / nx;
    CHECK(std::size_t(planes[0]) == nx * rank / ranks);
    CHECK(std::size_t(planes[1]) == nx * (rank + 1) / ranks);
    auto const mine = slab_of(density, planes, plane);
    CHECK(plan.cells() == mine.size());
    std::vector<double> potential(mine.size()), field(o.field ? 3 * mine.size() : 0);
    for (int turn = 0; turn < 2; ++turn) {
      plan.submit(mine, potential, field).wait();
      CHECK(std::ranges::equal(potential, slab_of(whole, planes, plane)));
      CHECK((!o.field || std::ranges::equal(field, slab_of(fields, planes, 3 * plane))));
      std::ranges::fill(potential, -1.0);
    }
  };
  PoissonOptions o{.grid = {11, 6, 10}, .box = {1, 1.5, 0.8}, .field = true};
  for (bool periodic : {false, true}) {
    o.periodic = {periodic, false, false};  // our first axis is another one of the caller's in one of these
    expect_slabs(o);
  }
  expect_slabs({.grid = {2, 3, 5}});  // fewer planes than ranks
  for (BoxFace face : {BoxFace::x_low, BoxFace::x_high, BoxFace::z_low})
    expect_slabs({.grid = {9, 6, 8}, .field = true, .conductor = face});
}

TEST_CASE("poisson over ranks: an array of another length than its rank's slab is refused on all") {
  PoissonOptions const o{.grid = {8, 6, 5}, .slabs = true};
  Poisson plan(runtime(), o);
  plain::Array density(plan.cells()), potential(plan.cells());
  bool const last = runtime().rank() + 1 == runtime().ranks();
  auto const said = message_of(
      [&] { plan.submit(std::span<double const>(density).first(density.size() - (last ? 1 : 0)), potential).wait(); });
  CHECK(said.find("this rank's slab of a grid of 8 x 6 x 5") != std::string::npos);
  CHECK(message_of([&] { plan.submit(density, potential).wait(); }) == "");
}

TEST_CASE("poisson over ranks: other distances between cells, from rank 0") {
  PoissonOptions o{.method = PoissonMethod::hockney, .grid = {12, 10, 8}};
  Poisson plan(runtime(), o);
  plan.set_spacing(runtime().rank() == 0 ? std::array{0.1, 0.2, 0.3} : std::array{1.0, 1.0, 1.0});
  CHECK(plan.parameters().spacing == std::array{0.1, 0.2, 0.3});
  auto const density = density_of(o);
  plain::Array potential(density.size());
  plan.submit(given(density), taken(potential)).wait();
  if (runtime().rank() > 0) return;
  auto const green = make_green_function(o.method, o.green, o.grid, {1.2, 2, 2.4}, o.periodic);
  CHECK(plain::relative_error(potential, plain::solve(green, plain::green_table(green), density, false).potential) <
        2e-14);
}

TEST_CASE("poisson over ranks: an error in a task of any rank is thrown on all, and the next solve is well") {
  PoissonOptions const o{.grid = {24, 24, 24}};
  auto density = density_of(o);
  plain::Array potential(density.size());
  Poisson plan(runtime(), o);
  auto const solve = [&] { return message_of([&] { plan.submit(given(density), taken(potential)).wait(); }); };
  for (std::size_t cell : {std::size_t(0), density.size() - 1}) {
    double const before = density[cell];
    density[cell] = std::numeric_limits<double>::quiet_NaN();
    CHECK(solve().find("nan") != std::string::npos);
    density[cell] = before;
    CHECK(solve() == "");
  }
  CHECK(message_of([&] { plan.submit(given(density), taken(potential).first(0)).wait(); }).find("potential") !=
        std::string::npos);
  auto senseless = o;
  senseless.grid[1] = 0;
  CHECK(message_of([&] { Poisson(runtime(), senseless); }) != "");
  CHECK(solve() == "");
}
