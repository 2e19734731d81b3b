// SPDX-License-Identifier: BSD-3-Clause
// The particle-in-cell loop as a machine: bits, what is in flight, what is read, and what is refused.
#include "tests/tasks/pic/bunch.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace nearfar;
using test::Bunch;

namespace {

Runtime test_runtime() { return Runtime({.scheduler = "lws", .cpus = 2, .gpus = 0}); }

PicOptions options() {
  return {.grid = {20, 16, 18}, .time_step = 0.01, .charge_per_mass = -2, .external = {.magnetic = {0, 1, 0}}};
}

template <class T = double>
Bunch<T> moving(std::size_t count = 70000) {  // several blocks
  Bunch<T> bunch(count, 0.2, -1);
  std::mt19937_64 random(2);
  for (T& v : bunch.velocities) v = T(std::normal_distribution<double>()(random));
  return bunch;
}

template <class Call>
std::string message(Call const& call) {
  try {
    call();
  } catch (Error const& error) {
    return std::to_string(int(error.fault())) + " " + error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("pic: density and potential are those of the clouds, by a plain sum and a Poisson solve") {
  auto const runtime = test_runtime();
  auto const check = [&]<class T>(double tolerance) {
    auto const bunch = moving<T>(3000);
    for (int periodic : {0, 2, 5, 7}) {
      CAPTURE(periodic);
      PicOptions o = options();
      o.periodic = {(periodic & 1) != 0, (periodic & 2) != 0, (periodic & 4) != 0};
      auto loop = bunch.loop(runtime, o);
      std::size_t const cells = 20 * 16 * 18;
      std::vector<T> density(cells), potential(cells);
      loop.read({.density = density, .potential = potential}).wait();

      std::vector<double> expected(cells);
      for (std::size_t i = 0; i < bunch.charges.size(); ++i)
        for (int corner = 0; corner < 8; ++corner) {
          std::size_t cell = 0;
          double weight = double(cells) * double(bunch.charges[i]);
          for (std::size_t d = 0; d < 3; ++d) {
            double const place = double(bunch.positions[3 * i + d]) * o.grid[d] - 0.5, low = std::floor(place);
            bool const high = (corner >> d & 1) != 0;
            weight *= high ? place - low : 1 - (place - low);
            int c = int(low) + int(high);
            c = o.periodic[d] ? (c + o.grid[d]) % o.grid[d] : std::clamp(c, 0, o.grid[d] - 1);
            cell = cell * std::size_t(o.grid[d]) + std::size_t(c);
          }
          expected[cell] += weight;
        }
      CHECK(test::relative_difference(std::vector<double>(density.begin(), density.end()), expected) < tolerance);

      std::vector<T> solved(cells);
      BasicPoisson<T> poisson(runtime, {.grid = o.grid, .periodic = o.periodic});
      poisson.submit(density, solved).wait();
      CHECK(test::relative_difference(potential, solved) < tolerance);
    }
  };
  check.operator()<double>(1e-13);
  check.operator()<float>(1e-5);
}

TEST_CASE("pic: the same bits under every scheduler, in one solve or many, and from a state that was saved") {
  auto const bunch = moving();
  std::vector<test::State<double>> found;
  for (char const* scheduler : {"lws", "eager", "overlap"}) {
    Runtime const runtime({.scheduler = scheduler, .cpus = 2, .gpus = 0});
    auto loop = bunch.loop(runtime, options());
    loop.advance(6).wait();
    found.push_back(test::state_of(loop));
  }
  auto const runtime = test_runtime();
  auto singly = bunch.loop(runtime, options());
  std::vector<Solve> flight;
  std::vector<PicTotals> totals(6);
  for (std::size_t i = 0; i < 6; ++i) {
    flight.push_back(singly.advance());
    flight.push_back(singly.read({.totals = &totals[i]}));
  }
  for (auto& solve : flight) solve.wait();
  CHECK(totals[3].time == doctest::Approx(0.04));
  found.push_back(test::state_of(singly));

  auto before = bunch.loop(runtime, options());
  before.advance(4).wait();
  auto const saved = test::state_of(before);
  BasicPic<double> after(runtime, options(), saved.positions, saved.velocities, bunch.charges, before.step());
  CHECK(after.step() == 4);
  after.advance(2).wait();
  CHECK(after.step() == 6);
  found.push_back(test::state_of(after));
  for (auto const& state : found) CHECK(state == found[0]);
}

TEST_CASE("pic: the same bits whatever the number of blocks and slabs, that is, of workers") {
  auto const bunch = moving(150000);
  std::vector<std::vector<double>> found;
  for (int cpus : {1, 2}) {
    Runtime const runtime({.scheduler = "lws", .cpus = cpus, .gpus = 0});
    auto loop = bunch.loop(runtime, options());
    std::vector<double> density(20 * 16 * 18);
    loop.read({.density = density}).wait();
    found.push_back(density);
  }
  CHECK(found[0] == found[1]);
}

TEST_CASE("pic: single precision follows double precision") {
  auto const runtime = test_runtime();
  auto const after = [&]<class T>(Bunch<T> const& bunch) {
    auto loop = bunch.loop(runtime, {.grid = {16, 16, 16}, .time_step = 0.01});
    loop.advance(20).wait();
    auto const s = test::state_of(loop).positions;
    return std::vector<double>(s.begin(), s.end());
  };
  CHECK(test::relative_difference(after(Bunch<float>(2000, 0.1, 1)), after(Bunch<double>(2000, 0.1, 1))) < 1e-5);
}

TEST_CASE("pic: a particle that goes too far fails its solve and all that follow, and no other loop") {
  auto const runtime = test_runtime();
  Bunch<> bunch(100, 0.1, 1);
  bunch.velocities[3 * 42 + 1] = 1000;
  auto loop = bunch.loop(runtime, options());
  auto first = loop.advance(2);
  auto second = loop.advance(3);
  PicTotals totals;
  auto third = loop.read({.totals = &totals});
  auto const said = message([&] { first.wait(); });
  CHECK(said.find("particle 42 moves to y = 10.") != said.npos);
  CHECK(said.find("take a smaller time step") != said.npos);
  CHECK(message([&] { second.wait(); }).find("a solve before has failed") != std::string::npos);
  CHECK(message([&] { third.wait(); }).find("a solve before has failed") != std::string::npos);
  CHECK(message([&] { loop.advance().wait(); }).substr(0, 2) == "2 ");
  bunch.velocities[3 * 42 + 1] = 1;
  auto other = bunch.loop(runtime, options());
  other.advance().wait();
}

TEST_CASE("pic: what cannot be used is refused, with the reason") {
  auto const runtime = test_runtime();
  Bunch<> const good(10, 0.1, 1);
  auto const refusal = [&](PicOptions const& o, Bunch<> const& bunch, std::int64_t step = 0) {
    return message([&] { bunch.loop(runtime, o, step); });
  };
  auto const changed = [&](auto const& change) {
    PicOptions o = options();
    change(o);
    return refusal(o, good);
  };
  auto const starts = [](std::string const& text, char const* with) { return text.rfind(with, 0) == 0; };
  CHECK(starts(changed([](auto& o) { o.time_step = 0; }), "2 the time step is 0"));
  CHECK(starts(changed([](auto& o) { o.time_step = NAN; }), "2 the time step is nan"));
  CHECK(starts(changed([](auto& o) { o.charge_per_mass = 0; }), "2 the charge per mass is 0"));
  CHECK(starts(changed([](auto& o) { o.grid[1] = 1; }), "2 the grid has 1 cells along y"));
  CHECK(starts(changed([](auto& o) { o.box[2] = 0; }), "2 box edge z is 0"));
  CHECK(starts(changed([](auto& o) { o.external.magnetic[0] = HUGE_VAL; }), "2 the external field's magnetic part"));
  CHECK(starts(changed([](auto& o) { o.grid = {8192, 8192, 8192}; }), "3 a grid of 8192 x 8192 x 8192 cells"));
  CHECK(starts(refusal(options(), good, -1), "2 the loop begins after -1 steps"));
  CHECK(starts(refusal(options(), Bunch<>()), "2 there are no particles"));
  auto bad = good;
  bad.positions[3 * 4 + 1] = 1.5;
  CHECK(starts(refusal(options(), bad), "2 particle 4 is at y = 1.5"));
  bad.positions[3 * 4 + 1] = NAN;
  CHECK(starts(refusal(options(), bad), "2 particle 4 is at y = nan"));
  bad = good;
  bad.velocities[7] = NAN;
  CHECK(starts(refusal(options(), bad), "2 the velocity of particle 2 is nan"));
  bad = good;
  bad.charges[3] = HUGE_VAL;
  CHECK(starts(refusal(options(), bad), "2 the charge of particle 3 is inf"));
  bad = good;
  bad.velocities.pop_back();
  CHECK(starts(refusal(options(), bad), "2 there are 10 charges with 30 numbers for positions and 29"));

  auto loop = good.loop(runtime, options());
  CHECK(starts(message([&] { loop.advance(-1); }), "2 the loop is to go -1 steps"));
  std::vector<double> few(5);
  CHECK(starts(message([&] { loop.read({.density = few}); }), "2 the array for the density has 5 numbers"));
  CHECK(starts(message([&] { loop.read({.velocities = few}); }), "2 the array for velocities has 5"));
}

TEST_CASE("pic: totals and densities that are beyond the range of numbers are errors of what reads them") {
  auto const runtime = test_runtime();
  auto const read = [&]<class T>(double charge) {
    Bunch<T> const bunch(500, 0.1, charge);
    auto loop = bunch.loop(runtime, options());
    PicTotals totals;
    std::vector<T> density(20 * 16 * 18);
    return std::pair(message([&] { loop.read({.totals = &totals}).wait(); }),
                     message([&] { loop.read({.density = density}).wait(); }));
  };
  auto const large = read.operator()<double>(1e200);
  CHECK(large.first.starts_with("2 "));
  CHECK(large.first.find("energy in their own field of the particles is") != std::string::npos);
  CHECK(large.second == "none");
  auto const single = read.operator()<float>(2e38);
  CHECK(single.second.find("beyond the range of single precision") != std::string::npos);
}
