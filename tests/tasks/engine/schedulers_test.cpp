// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/problem.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>
#include <utility>

using namespace nearfar;
using test::Problem;

namespace {

/// Some points of the problem are outside: free directions are left open.
std::array<double, 3> box_of(Periodicity periodicity) {
  std::array<double, 3> box{1, 1.2, 0.9};
  for (auto d = std::size_t(periodicity); d < 3; ++d) box[d] = 0;
  return box;
}

/// Everything by hand, so that the plan does not depend on what the machine measured.
template <class T>
BasicEwald<T> plan_of(Runtime const& runtime, Kernel kernel, Implementation implementation,
                      Periodicity periodicity = Periodicity::xyz,
                      NearPrecision near_precision = NearPrecision::automatic) {
  return BasicEwald<T>(runtime, {.kernel = kernel,
                                 .outputs = outputs_of(kernel),
                                 .periodicity = periodicity,
                                 .box = box_of(periodicity),
                                 .tolerance = 1e-4,
                                 .implementation = implementation,
                                 .near_precision = near_precision,
                                 .far_precision = near_precision == NearPrecision::automatic ? FarPrecision::automatic
                                                                                             : FarPrecision::double_,
                                 .cutoff = 0.2,
                                 .grid = std::array{24, 30, 24}});
}

template <class T>
std::vector<T> solve_under(std::string const& scheduler, int cpus, Kernel kernel, Implementation implementation,
                           Periodicity periodicity = Periodicity::xyz,
                           NearPrecision near_precision = NearPrecision::automatic) {
  Runtime const runtime({.scheduler = scheduler, .cpus = cpus, .gpus = 0});
  auto const plan = plan_of<T>(runtime, kernel, implementation, periodicity, near_precision);
  return test::solve(plan, Problem<T>(3000, strength_components(kernel)));
}

template <class T>
void check_same_bits(Kernel kernel, Implementation implementation, Periodicity periodicity = Periodicity::xyz) {
  auto const reference = solve_under<T>("eager", 1, kernel, implementation, periodicity);
  for (std::string const scheduler : {"lws", "overlap", "random"}) {
    CAPTURE(scheduler);
    CHECK(solve_under<T>(scheduler, 2, kernel, implementation, periodicity) == reference);
  }
}

}  // namespace

TEST_CASE("same bits under every profile, with one to four workers, and with several solves in flight") {
  auto const reference = solve_under<double>("eager", 1, Kernel::stokeslet, Implementation::tuned);
  Problem<double> const problem(3000, strength_components(Kernel::stokeslet));
  for (auto const& profile : scheduler_profiles())
    for (int cpus : {1, 2, 3, 4}) {
      CAPTURE(profile.name);
      CAPTURE(cpus);
      Runtime const runtime({.scheduler = profile.name, .cpus = cpus, .gpus = 0});
      auto plan = plan_of<double>(runtime, Kernel::stokeslet, Implementation::tuned);
      auto const points = plan.set_points(problem.x);
      std::vector<std::vector<double>> results(4, std::vector<double>(reference.size()));
      std::vector<Solve> solves;
      for (auto& u : results) solves.push_back(plan.submit(points, problem.f, u));
      for (auto& solve : solves) solve.wait();
      for (auto const& u : results) CHECK(u == reference);
    }
}

TEST_CASE("same bits under three schedulers, for every kernel, precision and periodicity") {
  SUBCASE("stokeslet") { check_same_bits<double>(Kernel::stokeslet, Implementation::tuned); }
  SUBCASE("stokes") { check_same_bits<double>(Kernel::stokes, Implementation::tuned); }
  SUBCASE("laplace with gradient") { check_same_bits<double>(Kernel::laplace, Implementation::tuned); }
  SUBCASE("single precision") { check_same_bits<float>(Kernel::stokeslet, Implementation::tuned); }
  SUBCASE("free space") { check_same_bits<double>(Kernel::stokeslet, Implementation::tuned, Periodicity::none); }
  SUBCASE("periodic along x") { check_same_bits<double>(Kernel::laplace, Implementation::tuned, Periodicity::x); }
  SUBCASE("periodic along x and y") {
    check_same_bits<float>(Kernel::stokeslet, Implementation::portable, Periodicity::xy);
  }
  SUBCASE("portable") { check_same_bits<double>(Kernel::stokeslet, Implementation::portable); }
}

TEST_CASE("whole solves: portable and tuned agree, and so does what StarPU picks") {
  // Portable bodies sum all pairs in double.
  for (auto const& [near_precision, allowed] :
       {std::pair(NearPrecision::double_, 1e-12), std::pair(NearPrecision::single, 5e-7)})
    for (Kernel kernel : {Kernel::stokeslet, Kernel::stokes}) {
      auto const solved = [&](Implementation implementation) {
        return solve_under<double>("lws", 2, kernel, implementation, Periodicity::xyz, near_precision);
      };
      auto const tuned = solved(Implementation::tuned);
      for (auto other : {Implementation::portable, Implementation::any}) {
        auto const u = solved(other);
        double error = 0, size = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
          error += (u[i] - tuned[i]) * (u[i] - tuned[i]);
          size += tuned[i] * tuned[i];
        }
        CHECK(error < allowed * allowed * size);
      }
    }
}

TEST_CASE("an unknown scheduler is refused with the list of those there are") {
  try {
    Runtime const runtime({.scheduler = "nonsense"});
    FAIL("a runtime was started");
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::bad_input);
    CHECK(std::string(e.what()).find("nonsense") != std::string::npos);
    CHECK(std::string(e.what()).find("dmdas") != std::string::npos);
  }
}

TEST_CASE("one runtime per process: joined, or refused when it would have to be another") {
  Runtime const first({.scheduler = "prio", .cpus = 2});
  Runtime const second;
  CHECK(second.scheduler() == "prio");
  CHECK_THROWS_AS(Runtime({.scheduler = "eager"}), Error);
  CHECK(Runtime({.scheduler = "prio"}).workers().size() == 2);
}
