// SPDX-License-Identifier: BSD-3-Clause
// Points that move: which of the tree is used again, and that results are those of points set anew.
#include "tasks/fmm/point_set.hpp"
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

using namespace nearfar;
using test::inside_unit_box;
using test::motions;
using test::refusal_of;
using test::relative_difference;

namespace {

template <class T>
std::vector<T> at(BasicFmm<T>& plan, BasicFmmPoints<T> const& points, std::vector<T> const& f) {
  auto const& o = plan.options();
  std::vector<T> u(points.targets() * std::size_t(result_components(o.kernel, o.outputs)));
  plan.submit(points, std::span<T const>(f), std::span<T>(u)).wait();
  return u;
}

/// Whether lists were made anew for `after`.
template <class T>
bool same_boxes(BasicFmmPoints<T> const& before, BasicFmmPoints<T> const& after) {
  auto const lists_of = [](auto const& points) {
    auto const& tree = points.set()->tree();
    return tree->planned() ? tree->planned().get() : tree.get();
  };
  return lists_of(before) == lists_of(after);
}

/// Every motion, from where the one before ended, of sources, and of targets the other way round.
template <class T>
void check_motions(FmmOptions const& options, bool targets, std::size_t n = 3000) {
  Runtime const runtime({.gpus = 0});
  BasicFmm<T> plan(runtime, options);
  auto const p = inside_unit_box<T>(n, strength_components(options.kernel));
  auto x = p.x, y = inside_unit_box<T>(n / 2, 0, 2).x;
  auto points = targets ? plan.set_points(x, y) : plan.set_points(x);
  for (auto const& motion : motions<T>()) {
    CAPTURE(motion.name);
    motion.move(x);
    if (targets) motion.move(y);
    auto const moved = targets ? plan.move_points(points, x, y) : plan.move_points(points, std::span<T const>(x));
    auto const fresh = targets ? plan.set_points(x, y) : plan.set_points(x);
    CHECK(relative_difference(at(plan, moved, p.f), at(plan, fresh, p.f)) < 2 * options.tolerance);
    points = moved;
  }
}

}  // namespace

TEST_CASE("moved points have the results of points set anew, whatever the motion") {
  SUBCASE("adaptive") {
    check_motions<double>({.outputs = Output::potential | Output::gradient, .tolerance = 1e-6, .capacity = 20}, false);
  }
  SUBCASE("by cost") { check_motions<double>({.tolerance = 1e-8}, false); }
  SUBCASE("targets of their own") { check_motions<double>({.tolerance = 1e-6, .capacity = 15}, true); }
  SUBCASE("vectors, single") { check_motions<float>({.kernel = Kernel::stokes, .tolerance = 1e-4, .depth = 2}, true); }
  SUBCASE("periodic, single") {
    check_motions<float>({.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-4, .depth = 2}, false);
  }
  SUBCASE("by tasks") { check_motions<double>({.tolerance = 1e-3, .depth = 4}, false, 40000); }
  SUBCASE("by tasks, single, targets") {
    check_motions<float>({.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-3}, true, 40000);
  }
  SUBCASE("oblong cell") {
    check_motions<double>({.periodicity = Periodicity::xyz, .box = {1, 1.2, 0.9}, .tolerance = 1e-7, .depth = 2}, true);
  }
  SUBCASE("periodic") {
    check_motions<double>({.outputs = Output::potential | Output::gradient,
                           .periodicity = Periodicity::xyz,
                           .box = {1, 1, 1},
                           .tolerance = 1e-7,
                           .depth = 3},
                          false);
  }
}

TEST_CASE("the same boxes with the same points give the same bits, also for points that came back") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-6, .depth = 2});
  std::size_t n = 4000;
  SUBCASE("by the caller") {}
  SUBCASE("by tasks") { n = 40000; }
  auto const p = inside_unit_box(n, 1);
  auto const first = plan.set_points(p.x);
  auto const before = at(plan, first, p.f);
  for (auto const& motion : motions()) {
    CAPTURE(motion.name);
    auto x = p.x;
    motion.move(x);
    auto const moved = plan.move_points(first, x);
    auto const back = plan.move_points(moved, p.x);
    if (same_boxes(first, moved)) CHECK(at(plan, back, p.f) == before);
    if (std::string(motion.name) == "a little") CHECK(at(plan, moved, p.f) == at(plan, plan.set_points(x), p.f));
  }
  CHECK(at(plan, first, p.f) == before);  // which motion leaves alone
}

TEST_CASE("boxes are used again while points have one and none is too full") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.tolerance = 1e-5, .depth = 3});
  auto const p = inside_unit_box(20000, 1);
  auto const first = plan.set_points(p.x);
  for (auto const& [name, keeps] : {std::pair{"nothing moves", true},
                                    {"a little", true},
                                    {"one point crosses", true},
                                    {"a diffusing step", true},
                                    {"all shuffle", true},
                                    {"into a corner", false}}) {
    CAPTURE(name);
    auto x = p.x;
    for (auto const& motion : motions())
      if (std::string(motion.name) == name) motion.move(x);
    CHECK(same_boxes(first, plan.move_points(first, x)) == keeps);
  }
}

namespace {

/// A cloud with a dense middle, whose outermost points have boxes far from others.
std::vector<double> cloud(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(3 * n);
  for (double& v : x) v = normal(random);
  return x;
}
void diffuse(std::vector<double>& x, double step, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (double& v : x) v += step * normal(random);
}
/// All within `radius` of `centre`, to a tenth of their distance: they need smaller boxes.
void contract(std::vector<double>& x, std::array<double, 3> const& centre, double radius) {
  for (std::size_t i = 0; i < x.size(); i += 3) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += std::pow(x[i + d] - centre[d], 2);
    for (std::size_t d = 0; square < radius * radius && d < 3; ++d) x[i + d] = centre[d] + 0.1 * (x[i + d] - centre[d]);
  }
}

}  // namespace

TEST_CASE("boxes come and go with the points in the same root") {
  Runtime const runtime({.gpus = 0});
  bool const own_targets = true;
  for (bool targets : {!own_targets, own_targets}) {
    CAPTURE(targets);
    Fmm plan(runtime, {.outputs = Output::potential | Output::gradient, .tolerance = 1e-6, .capacity = 40});
    auto x = cloud(30000, 1), y = cloud(10000, 2);
    x[0] = x[1] = x[2] = 6;  // the root has room
    x[3] = x[4] = x[5] = -6;
    std::vector<double> f(30000);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = i % 3 == 0 ? 1 : -0.5;
    auto points = targets ? plan.set_points(x, y) : plan.set_points(x);
    auto const root = plan.parameters().box;
    int anew = 0, in_part = 0;
    for (unsigned step = 0; step < 6; ++step) {
      CAPTURE(step);
      if (step % 2 == 0) contract(x, {0.8, 0.3 * step, -0.5}, 0.4);
      else diffuse(x, 0.02, step);
      if (targets) diffuse(y, 0.02, 100 + step);
      x[0] = x[1] = x[2] = 6;
      x[3] = x[4] = x[5] = -6;
      auto const moved = targets ? plan.move_points(points, x, y) : plan.move_points(points, x);
      auto const tree = moved.set()->tree();
      anew += !same_boxes(points, moved);
      in_part += tree->blocks_with_new_lists() < tree->blocks();
      CHECK(moved.set()->parameters().box == root);
      Fmm other(runtime, plan.options());
      auto const fresh = targets ? other.set_points(x, y) : other.set_points(x);
      CHECK(relative_difference(at(plan, moved, f), at(other, fresh, f)) < 2e-6);
      points = moved;
    }
    CHECK(anew >= 4);
    if (!targets) CHECK(in_part > 0);
  }
}

TEST_CASE("points that leave the root by much are set anew, with room for the next step") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.tolerance = 1e-5, .depth = 2});
  auto const p = inside_unit_box(5000, 1);
  auto const first = plan.set_points(p.x);
  auto x = p.x;
  x[0] = 1.02;
  auto const outside = plan.move_points(first, x);
  CHECK_FALSE(same_boxes(first, outside));
  CHECK(plan.parameters().box[0] > 1.05);
  x[0] = 1.025;
  CHECK(same_boxes(outside, plan.move_points(outside, x)));
  CHECK(relative_difference(at(plan, outside, p.f), at(plan, plan.set_points(p.x), p.f)) > 1e-9);  // for it has moved
}

TEST_CASE("strengths of points that move are examined once") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.outputs = Output::potential | Output::gradient, .tolerance = 1e-6});
  auto const p = inside_unit_box<double>(3000, 1), q = inside_unit_box<double>(3000, 1, 2);
  auto const points = plan.set_points(p.x);
  CHECK_FALSE(plan.move_points(points, q.x).set()->strengths_judged());
  at(plan, points, p.f);
  REQUIRE(points.set()->finest()->strengths_judged());
  CHECK(plan.move_points(points, q.x).set()->strengths_judged());
  CHECK_FALSE(plan.set_points(p.x).set()->strengths_judged());
}

TEST_CASE("bad points are refused by move_points as by set_points") {
  Runtime const runtime({.gpus = 0});
  Fmm plan(runtime, {.box = {1, 1, 1}, .depth = 2});
  auto const p = inside_unit_box(2000, 1);
  auto const points = plan.set_points(p.x), two = plan.set_points(p.x, p.x);
  auto const says = [&](std::size_t i, double value) {
    auto x = p.x;
    x[i] = value;
    auto const moved = refusal_of([&] { plan.move_points(points, x); });
    CHECK(moved == refusal_of([&] { plan.set_points(x); }));
    return moved;
  };
  CHECK(says(3 * 1500 + 1, std::nan("")).find("coordinate y of source 1500 is") != std::string::npos);
  CHECK(says(3 * 40, 1.5).find("coordinate x of source 40 is 1.5") != std::string::npos);
  auto x = p.x;
  std::copy_n(&x[3 * 17], 3, &x[3 * 1900]);
  CHECK(refusal_of([&] { plan.move_points(points, x); }).find("sources 17 and 1900") != std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(points, std::span(p.x).first(30)); }).find("10 sources") !=
        std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(two, p.x); }).find("no targets are given") != std::string::npos);
  CHECK(refusal_of([&] { plan.move_points(points, p.x, p.x); }).find("targets are given") != std::string::npos);
  Fmm other(runtime, {});
  CHECK(refusal_of([&] { other.move_points(points, p.x); }).find("another plan") != std::string::npos);
}
