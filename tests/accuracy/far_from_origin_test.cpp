// SPDX-License-Identifier: BSD-3-Clause
// Points far from the origin, whose doubles become single precision only relative to the box; and ends of the box that
// single precision does not have.
#include "tests/accuracy/measure.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <random>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};

RowsIn view(std::vector<double> const& rows, int columns) {
  return RowsIn::packed(rows.data(), rows.size() / std::size_t(columns), columns);
}

struct Answer {
  std::vector<double> rows;
  double told;
};

template <class Plan>
Answer answer(Plan plan, System const& s) {
  auto const points = s.targets == s.sources ? plan.set_points(view(s.sources, 3))
                                             : plan.set_points(view(s.sources, 3), view(s.targets, 3));
  int const columns = result_components(s.kernel, s.outputs());
  std::vector<double> u(points.targets() * std::size_t(columns));
  auto solve = plan.submit(points, view(s.strengths, strength_components(s.kernel)),
                           RowsOut::packed(u.data(), points.targets(), columns));
  solve.wait();
  return {u, solve.report().sampled_error};
}

template <class T>
Answer ewald(Runtime const& runtime, System const& s, double tolerance) {
  return answer(BasicEwald<T>(runtime, {.kernel = s.kernel,
                                        .outputs = s.outputs(),
                                        .periodicity = s.periodicity,
                                        .box = s.box,
                                        .tolerance = tolerance}),
                s);
}

template <class T>
Answer fmm(Runtime const& runtime, System const& s, double tolerance) {
  return answer(BasicFmm<T>(runtime, {.kernel = s.kernel,
                                      .outputs = s.outputs(),
                                      .periodicity = s.periodicity,
                                      .box = s.box,
                                      .tolerance = tolerance}),
                s);
}

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

TEST_CASE("close to sources: what single precision moves points by is told by the pairs that it matters to") {
  Runtime const runtime;
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  struct Case {
    Kernel kernel;
    Periodicity periodicity;
    oracle::Box box;
    double close;  // distance of the targets; 0: they are the sources
    double tolerance;
  };
  for (Case const& c : {Case{Kernel::dipole, Periodicity::xyz, {1, 6.4, 1.8}, 0.0013, 3e-5},
                        Case{Kernel::rotlet, Periodicity::y, {1, 5.7, 0.55}, 0, 1e-5},
                        Case{Kernel::laplace, Periodicity::none, {1, 6.4, 1.8}, 0.0005, 1e-5}})
    for (bool multipoles : {false, true}) {
      if (multipoles && c.kernel != Kernel::laplace) continue;
      std::vector<double> x(1200), targets, strengths(std::size_t(400 * strength_components(c.kernel)));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = c.box[i % 3] * uniform();
      for (double& s : strengths) s = 2 * uniform() - 1;
      // Most targets are far from sources; a sample would hardly meet the one that is not.
      for (std::size_t i = 0; c.close > 0 && i < x.size(); ++i) targets.push_back(c.box[i % 3] * uniform());
      for (std::size_t d = 0; c.close > 0 && d < 3; ++d) targets[600 + d] = x[900 + d] + (d == 1 ? c.close : 0);
      Outputs const outputs = (c.kernel == Kernel::rotlet ? Output::velocity : Output::potential) | Output::gradient;
      int const columns = result_components(c.kernel, outputs), field = c.kernel == Kernel::rotlet ? 3 : 1;
      auto const sums = [&](auto plan, std::vector<double> const& from, std::vector<double> const& to) {
        auto const points = to.empty() ? plan.set_points(view(from, 3)) : plan.set_points(view(from, 3), view(to, 3));
        std::vector<double> u(points.targets() * std::size_t(columns));
        auto solve = plan.submit(points, view(strengths, strength_components(c.kernel)),
                                 RowsOut::packed(u.data(), points.targets(), columns));
        solve.wait();
        return Answer{u, solve.report().sampled_error};
      };
      EwaldOptions const options{
          .kernel = c.kernel, .outputs = outputs, .periodicity = c.periodicity, .box = c.box, .tolerance = c.tolerance};
      auto const single = [&](std::vector<double> const& from, std::vector<double> const& to) {
        if (!multipoles) return sums(BasicEwald<float>(runtime, options), from, to);
        return sums(BasicFmm<float>(runtime, {.kernel = c.kernel, .outputs = outputs, .tolerance = c.tolerance}), from,
                    to);
      };
      EwaldOptions fine = options;
      fine.tolerance = 1e-10;
      auto const error = [&](Answer const& found, std::vector<double> const& from, std::vector<double> const& to) {
        return oracle::relative_error(found.rows, sums(BasicEwald<double>(runtime, fine), from, to).rows, columns,
                                      field, columns - field);
      };
      CAPTURE(name(c.kernel));
      CAPTURE(multipoles);
      Answer const moved = single(x, targets);
      double const missed = error(moved, x, targets);
      CHECK(missed > c.tolerance);
      CHECK(moved.told > 0.7 * missed);
      CHECK(moved.told < 5 * missed);
      // Points that single precision does not move are solved to the tolerance, and nothing else is said.
      for (auto* rows : {&x, &targets})
        for (double& coordinate : *rows) coordinate = double(float(coordinate));
      Answer const exact = single(x, targets);
      CHECK(error(exact, x, targets) < c.tolerance);
      CHECK(exact.told < c.tolerance);
    }
}

TEST_CASE("close to images of sources in skewed cells: what single precision moves points by is told") {
  Runtime const runtime;
  std::array<std::array<double, 3>, 3> const rows{{{1, 0, 0}, {0.45, 1.2, 0}, {-0.3, 0.4, 0.9}}};
  std::mt19937 random(12);
  auto const uniform = [&random] { return double(random()) / 4294967296.0; };
  std::vector<double> sources, targets, strengths(1200);
  for (double& s : strengths) s = 2 * uniform() - 1;
  for (auto* points : {&sources, &targets})
    for (int i = 0; i < 400; ++i) {
      double const at[3] = {i == 300 ? 5e-4 : uniform(), uniform(), uniform()};
      for (std::size_t c = 0; c < 3; ++c)
        points->push_back(at[0] * rows[0][c] + at[1] * rows[1][c] + at[2] * rows[2][c]);
    }
  // Beside the image of a source on the opposite face.
  for (std::size_t c = 0; c < 3; ++c) targets[600 + c] = sources[900 + c] + (c == 0 ? 1 - 0.0013 : 0);
  EwaldOptions options{.kernel = Kernel::dipole, .outputs = Output::potential | Output::gradient, .tolerance = 3e-5};
  options.cell = rows;
  auto const sums = [&](auto plan) {
    auto const points = plan.set_points(view(sources, 3), view(targets, 3));
    std::vector<double> u(4 * points.targets());
    auto solve = plan.submit(points, view(strengths, 3), RowsOut::packed(u.data(), points.targets(), 4));
    solve.wait();
    return Answer{u, solve.report().sampled_error};
  };
  Answer const single = sums(BasicEwald<float>(runtime, options));
  options.tolerance = 1e-10;
  double const missed = oracle::relative_error(single.rows, sums(BasicEwald<double>(runtime, options)).rows, 4, 1, 3);
  CHECK(missed > 3e-5);
  CHECK(single.told > 0.7 * missed);
  CHECK(single.told < 5 * missed);
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
