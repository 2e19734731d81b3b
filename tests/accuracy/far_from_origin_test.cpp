// SPDX-License-Identifier: BSD-3-Clause
// Points far from the origin, whose doubles become single precision only relative to the box; and ends of the box that
// single precision does not have.
#include "tests/accuracy/measure.hpp"
#include "tests/accuracy/solve_views.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::accuracy;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};

/// Moved by `offset` whole units, which are periods where there are some, and rounded to doubles there; open elsewhere.
struct Moved {
  System moved;
  std::vector<double> exact;

  Moved(Kernel kernel, Periodicity periodicity, double offset)
      : moved(random_system(kernel, {1, 1, 1}, 60, 20, 3, false)) {
    moved.periodicity = periodicity;
    System here = moved;
    for (auto [from, to] : {std::pair{&moved.sources, &here.sources}, {&moved.targets, &here.targets}})
      for (std::size_t i = 0; i < from->size(); ++i) (*to)[i] = ((*from)[i] += offset) - offset;
    exact = whole_reference(here);
    for (std::size_t d = std::size_t(periodicity); d < 3; ++d) moved.box[d] = 0;
  }
};

}  // namespace

TEST_CASE("far from the origin: single precision keeps the tolerance wherever the points are") {
  Runtime const runtime;
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz})
    for (Kernel kernel : kernels)
      for (double offset : {7.0, -3e3, 1e5, -1e6}) {
        Moved const m(kernel, periodicity, offset);
        auto const what =
            std::string(name(kernel)) + " periodic " + std::string(name(periodicity)) + " at " + std::to_string(offset);
        auto const single = ewald<float>(runtime, m.moved, 1e-4);
        check_error("single ewald, " + what, m.moved, single.rows, m.exact, 1e-4);
        CHECK(single.told < 1e-4);
        check_error("double ewald, " + what, m.moved, ewald<double>(runtime, m.moved, 1e-9).rows, m.exact, 1e-9);
        if (periodicity == Periodicity::none || (periodicity == Periodicity::xyz && kernel == Kernel::laplace)) {
          auto const by_multipoles = fmm<float>(runtime, m.moved, 1e-4);
          check_error("single fmm, " + what, m.moved, by_multipoles.rows, m.exact, 1e-4);
        }
      }
}

TEST_CASE("far from the origin: points of a simulation that moves on") {
  Runtime const runtime;
  Moved const m(Kernel::laplace, Periodicity::none, 1e5);
  BasicFmm<float> plan(runtime,
                       {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-4});
  auto points = plan.set_points(view(m.moved.sources, 3), view(m.moved.targets, 3));
  System next = m.moved, here = m.moved;
  for (auto [from, to] : {std::pair{&next.sources, &here.sources}, {&next.targets, &here.targets}})
    for (std::size_t i = 0; i < from->size(); ++i) (*to)[i] = ((*from)[i] += i % 2 == 0 ? 0.01 : -0.01) - 1e5;
  points = plan.move_points(points, view(next.sources, 3), view(next.targets, 3));
  std::vector<float> u(4 * points.targets());
  plan.submit(points, std::vector<float>(m.moved.strengths.begin(), m.moved.strengths.end()), u).wait();
  check_error("moved", here, {u.begin(), u.end()}, whole_reference(here), 1e-4);
}

TEST_CASE("far from the origin: what single precision does not resolve is told") {
  Runtime const runtime;
  // Two clouds of 1 that are 1e6 apart: relative to one, the other has steps of 0.06.
  System s = random_system(Kernel::laplace, {1, 1, 1}, 60, 60, 3);
  s.periodicity = Periodicity::none;
  for (std::size_t i = 0; i < s.sources.size(); i += 6) s.sources[i] += 1e6;
  s.targets = s.sources;
  s.box = {0, 0, 0};
  auto const exact = whole_reference(s);
  for (bool multipoles : {false, true}) {
    auto const single = multipoles ? fmm<float>(runtime, s, 1e-4) : ewald<float>(runtime, s, 1e-4);
    double const error = oracle::relative_error(single.rows, exact, 4, 1, 3);
    CHECK(error > 1e-4);
    CHECK(single.told > 0.3 * error);
  }
  for (std::size_t i = 3; i < s.sources.size(); i += 6)
    s.sources[i] = s.sources[i - 3] + 1e-5;  // pairs too close for it
  std::vector<float> const rounded(s.sources.begin(), s.sources.end());
  std::vector<double> const close{1e6, 0, 0, 1e6 + 1e-3, 0, 0, 0, 0, 0};
  s.sources = s.targets = close;
  s.strengths = {1, 1, 1};
  try {
    ewald<float>(runtime, s, 1e-4);
    FAIL("two points at one place were accepted");
  } catch (Error const& e) {
    CHECK(std::string(e.what()).find("as far as single precision tells") != std::string::npos);
  }
}

TEST_CASE("ends of a box that single precision does not have: points on them are inside") {
  Runtime const runtime;
  for (double edge : {0.1, 0.3, 0.7, 1.1, 1e-3, 37.3}) {
    CAPTURE(edge);
    System s{Kernel::laplace, {edge, edge, edge}, {0, 0, 0, edge, edge, edge, 0, edge, 0.5 * edge}, {},
             {1, -1, 2},      Periodicity::none};
    s.targets = s.sources;
    auto const exact = whole_reference(s);
    check_error("ewald", s, ewald<float>(runtime, s, 1e-4).rows, exact, 1e-4);
    check_error("fmm", s, fmm<float>(runtime, s, 1e-4).rows, exact, 1e-4);
    for (Periodicity periodicity : {Periodicity::x, Periodicity::xy}) {
      s.periodicity = periodicity;
      s.sources = s.targets = {0, 0, 0, 0.4 * edge, edge, edge, 0.2 * edge, 0.5 * edge, 0.5 * edge};
      check_error("ewald", s, ewald<float>(runtime, s, 1e-4).rows, whole_reference(s), 1e-4);
    }
    s.periodicity = Periodicity::none;
    s.sources = s.targets = {0, 0, 0, edge, edge, edge * (1 + 1e-5), 0, edge, 0.5 * edge};
    CHECK_THROWS_AS(ewald<float>(runtime, s, 1e-4), Error);
    CHECK_THROWS_AS(fmm<float>(runtime, s, 1e-4), Error);
  }
}
