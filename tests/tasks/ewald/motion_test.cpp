// SPDX-License-Identifier: BSD-3-Clause
// Points of an Ewald plan that move: results are in every bit those of points set anew.
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using test::inside_unit_box;
using test::motions;
using test::refusal_of;

namespace {

template <class T>
std::vector<T> at(BasicEwald<T>& plan, BasicPoints<T> const& points, std::vector<T> const& f) {
  std::vector<T> u(points.targets() * std::size_t(result_components(plan.options().kernel, plan.options().outputs)));
  plan.submit(points, std::span<T const>(f), std::span<T>(u)).wait();
  return u;
}

template <class T>
void check_motions(EwaldOptions const& options, bool targets) {
  Runtime const runtime({.gpus = 0});
  BasicEwald<T> plan(runtime, options);
  auto const p = inside_unit_box<T>(2000, strength_components(options.kernel));
  auto x = p.x, y = inside_unit_box<T>(900, 0, 2).x;
  auto points = targets ? plan.set_points(x, y) : plan.set_points(x);
  auto const first = points;
  auto const before = at(plan, first, p.f);
  for (auto const& motion : motions<T>()) {
    CAPTURE(motion.name);
    motion.move(x);
    if (targets) motion.move(y);
    points = targets ? plan.move_points(points, x, y) : plan.move_points(points, std::span<T const>(x));
    auto const fresh = targets ? plan.set_points(x, y) : plan.set_points(x);
    CHECK(at(plan, points, p.f) == at(plan, fresh, p.f));
  }
  CHECK(at(plan, first, p.f) == before);
}

}  // namespace

TEST_CASE("moved points have the bits of points set anew, whatever the motion") {
  SUBCASE("periodic") { check_motions<double>({.tolerance = 1e-5}, false); }
  SUBCASE("targets, single") { check_motions<float>({.kernel = Kernel::laplace, .tolerance = 1e-4}, true); }
  SUBCASE("free, no box") {
    check_motions<double>({.periodicity = Periodicity::none, .box = {0, 0, 0}, .tolerance = 1e-4}, false);
  }
  SUBCASE("double layer, layers") {
    check_motions<double>({.kernel = Kernel::stokes, .periodicity = Periodicity::xy, .tolerance = 1e-3}, true);
  }
}

TEST_CASE("points that leave a box without edges get a plan with room") {
  Runtime const runtime({.gpus = 0});
  Ewald plan(runtime, {.periodicity = Periodicity::none, .box = {0, 0, 0}, .tolerance = 1e-4});
  auto const p = inside_unit_box(1000, 3);
  auto points = plan.set_points(p.x);
  auto x = p.x;
  x[0] = 1.2;
  points = plan.move_points(points, x);
  CHECK(plan.parameters().box[0] > 1.4);
  x[0] = 1.3;
  auto const box = plan.parameters().box;
  points = plan.move_points(points, x);
  CHECK(plan.parameters().box == box);
}

TEST_CASE("bad points are refused by move_points as by set_points") {
  Runtime const runtime({.gpus = 0});
  Ewald plan(runtime, {.periodicity = Periodicity::xy, .tolerance = 1e-3});
  auto const p = inside_unit_box(500, 3);
  auto const points = plan.set_points(p.x), two = plan.set_points(p.x, p.x);
  auto const says = [&](std::size_t i, double value) {
    auto x = p.x;
    x[i] = value;
    auto const moved = refusal_of([&] { plan.move_points(points, x); });
    CHECK(moved == refusal_of([&] { plan.set_points(x); }));
    return moved;
  };
  CHECK(says(3 * 400 + 1, std::nan("")).find("coordinate y of source 400 is") != std::string::npos);
  CHECK(says(3 * 40 + 2, 1.5).find("coordinate z of source 40 is 1.5") != std::string::npos);
  auto x = p.x;
  std::copy_n(&x[3 * 17], 3, &x[3 * 190]);
  CHECK(refusal_of([&] { plan.move_points(points, x); }).find("sources 17 and 190") != std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(points, std::span(p.x).first(30)); }).find("10 sources") !=
        std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(points, std::span(p.x).first(31)); }).find("multiple of 3") !=
        std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(two, p.x); }).find("no targets are given") != std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(points, p.x, p.x); }).find("targets are given") != std::string::npos);
  Ewald other(runtime, {.tolerance = 1e-3});
  CHECK(refusal_of([&] { other.move_points(points, p.x); }).find("another plan") != std::string::npos);
}
