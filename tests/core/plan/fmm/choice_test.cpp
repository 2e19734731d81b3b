// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/choice.hpp"

#include "core/kernels/pairs/near_precision.hpp"
#include "tests/core/tree/tree_points.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>

using namespace nearfar;

namespace {

/// What is said of options that are good but for one change.
template <class T = double>
void check_rejected(std::function<void(FmmOptions&)> const& change, std::vector<std::string> const& words) {
  FmmOptions options;
  change(options);
  try {
    check_options<T>(options);
    FAIL("accepted, where it should have said ", words[0]);
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::bad_input);
    for (auto const& word : words) CHECK_MESSAGE(std::string(e.what()).find(word) != std::string::npos, e.what());
  }
}

SortedKeys keys_of(std::string const& kind, std::size_t count, int level) {
  auto const x = test::tree_points(kind, count);
  return sorted(point_keys({}, std::span<double const>(x), level), level);
}

KeysAt in_hand(SortedKeys keys) {
  return [keys = std::move(keys)](int) -> SortedKeys const& { return keys; };
}

}  // namespace

TEST_CASE("multipole options: what cannot be done is refused, with what can") {
  check_options<double>({});
  check_options<float>({.tolerance = 1e-5});
  check_options<double>({.periodicity = Periodicity::xyz, .box = {2, 2, 2}});
  double const nan = std::numeric_limits<double>::quiet_NaN();
  check_rejected([](auto& o) { o.kernel = Kernel::stokes, o.outputs = Output::potential | Output::gradient; },
                 {"gradient", "stokes", "velocity"});
  check_rejected([](auto& o) { o.periodicity = Periodicity::xy; }, {"periodicity is xy", "none or xyz", "Ewald"});
  check_rejected(
      [](auto& o) {
        o.periodicity = Periodicity::xyz, o.kernel = Kernel::stokeslet, o.box = {1, 1, 1};
      },
      {"stokeslet", "charges and dipoles only", "Ewald"});
  check_options<double>({.kernel = Kernel::charge_dipole, .periodicity = Periodicity::xyz, .box = {2, 2, 2}});
  check_rejected([](auto& o) { o.periodicity = Periodicity::xyz; }, {"box edge x is 0", "above 0"});
  check_rejected([](auto& o) { o.count = std::numeric_limits<std::size_t>::max(); },
                 {"count is 18446744073709551615", "at most 4294967295"});
  check_options<double>({.periodicity = Periodicity::xyz, .box = {1, 1, 2}});
  check_options<double>({.periodicity = Periodicity::xyz, .box = {1, 1, 0.6}});
  auto const cell = [](double x, double y, double z, std::optional<int> separation = {}) {
    return [=](auto& o) {
      o.periodicity = Periodicity::xyz;
      o.box = {x, y, z};
      o.well_separation = separation;
    };
  };
  check_rejected(cell(1, 1, 3), {"from 1 to 3", "oblong", "1 : 1 : 2", "Ewald"});
  check_rejected(cell(1, 0.5, 1), {"from 0.5 to 1", "1 : 1 : 0.6"});
  check_rejected(cell(1, 1, 1.5, 1), {"well separation is 1", "far from a cube", "Give 2"});
  check_rejected(cell(1, 0.7, 1, 1), {"well separation is 1"});
  check_options<double>({.periodicity = Periodicity::xyz, .box = {1, 1, 0.6}, .tolerance = 1e-9});
  check_rejected(
      [](auto& o) {
        o.periodicity = Periodicity::xyz;
        o.box = {1, 1, 0.6};
        o.tolerance = 1e-10;
      },
      {"tolerance is 1e-10", "from 0.6 to 1", "at least 6e-10", "Ewald"});
  check_rejected([&](auto& o) { o.box = {1, nan, 1}; }, {"box edge y is nan"});
  check_rejected([](auto& o) { o.box = {-1, 0, 0}; }, {"box edge x is -1"});
  check_rejected([](auto& o) { o.boundary = Boundary::vacuum; }, {"vacuum", "free space", "xyz"});
  check_rejected([](auto& o) { o.tolerance = 0; }, {"tolerance is 0", "1e-10", "0.5"});
  check_rejected([&](auto& o) { o.tolerance = nan; }, {"tolerance is nan"});
  check_rejected([](auto& o) { o.tolerance = 0.7; }, {"tolerance is 0.7", "0.5"});
  check_rejected([](auto& o) { o.tolerance = 1e-12; }, {"tolerance is 1e-12", "1e-10", "Ewald"});
  check_rejected<float>([](auto& o) { o.tolerance = 1e-6; }, {"tolerance is 1e-06", "1e-05", "double"});
  check_rejected([](auto& o) { o.order = 0; }, {"order is 0", "1 to 30"});
  check_rejected([](auto& o) { o.order = 31; }, {"order is 31", "1 to 30"});
  check_rejected<float>([](auto& o) { o.tolerance = 1e-3, o.order = 21; }, {"order is 21", "1 to 20"});
  check_rejected([](auto& o) { o.depth = -1; }, {"depth is -1", "0 to 20"});
  check_rejected([](auto& o) { o.depth = 21; }, {"depth is 21", "0 to 20"});
  check_rejected([](auto& o) { o.capacity = -5; }, {"capacity is -5", "0 or more"});
  check_rejected([](auto& o) { o.well_separation = 3; }, {"well separation is 3", "1 or 2"});
  check_rejected([](auto& o) { o.near_precision = NearPrecision::single, o.tolerance = 1e-8; },
                 {"near precision is single with tolerance 1e-08", "1e-06"});
  check_rejected<float>([](auto& o) { o.near_precision = NearPrecision::double_, o.tolerance = 1e-4; },
                        {"near precision is double", "Leave it out"});
}

TEST_CASE("pairs in single precision: where the tolerance allows it and it is faster, their share included") {
  auto const choose = [](FmmOptions const& o) { return choose_fmm_for_uniform<double>(o, 1e5); };
  for (double tolerance : {1e-2, 1e-4, 1e-6}) {
    FmmOptions o{.outputs = Output::potential | Output::gradient, .tolerance = tolerance};
    FmmChoice const found = choose(o);
    CHECK(found.near_in_single);
    CHECK(found.error <= tolerance);
    CHECK(found.error > single_near_error);
    o.near_precision = NearPrecision::double_;
    FmmChoice const in_double = choose(o);
    CHECK(!in_double.near_in_single);
    CHECK(found.cost < in_double.cost);
    CHECK(found.boxes <= in_double.boxes);  // pairs are cheaper, so leaves are larger
  }
  CHECK(!choose({.tolerance = 9e-7}).near_in_single);
  CHECK(!choose({.tolerance = 1e-3, .order = 8}).near_in_single);
  CHECK(choose({.near_precision = NearPrecision::single, .order = 8}).near_in_single);
  CHECK(!choose_fmm_for_uniform<float>({.tolerance = 1e-3}, 1e5).near_in_single);
  // A potential to 1e-6 just needs order 12, which leaves nothing for rounding.
  CHECK(order_for<double>({}, 1) == 12);
  CHECK(order_for<double>({}, 1, true) == 13);
}

TEST_CASE("orders: more for finer tolerances, some order for every tolerance that is accepted") {
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stresslet, Kernel::stokes})
    for (bool gradient : {false, true})
      for (Periodicity periodicity : {Periodicity::none, Periodicity::xyz}) {
        if (kernel != Kernel::laplace && (gradient || periodicity == Periodicity::xyz)) continue;
        FmmOptions o{.kernel = kernel,
                     .outputs = gradient ? Output::potential | Output::gradient : Outputs(),
                     .periodicity = periodicity};
        int last[2] = {0, 0};
        for (o.tolerance = 1e-1; o.tolerance > 0.9e-10; o.tolerance /= 10) {
          bool reached = false;
          for (int separation : {1, 2}) {
            int const order = order_for<double>(o, separation);
            if (order == 0) continue;
            reached = true;
            CHECK(order >= last[separation - 1]);
            last[separation - 1] = order;
            CHECK(fmm_error(o, order, separation) <= o.tolerance);
            if (order > 1) CHECK(fmm_error(o, order - 1, separation) > o.tolerance);
          }
          CHECK(reached);
        }
        CHECK(last[0] > last[1]);
        o.tolerance = 1e-5;
        CHECK(order_for<float>(o, 2) > 0);
      }
}

TEST_CASE("oblong cells: worse than cubes, larger separation where boxes are long, every tolerance reached") {
  FmmOptions const cube{.periodicity = Periodicity::xyz, .box = {2, 2, 2}};
  CHECK(cell_aspect(cube) == std::array{1.0, 1.0, 1.0});
  CHECK(worst_ratio(cube, 1) == doctest::Approx(std::sqrt(3.0) / 2));
  CHECK(worst_ratio(cube, 2) == doctest::Approx(std::sqrt(3.0) / 3));
  double const boxes[][3] = {{1, 1, 0.9}, {0.9, 0.9, 1}, {1, 1.2, 0.9}, {1, 1, 1.5}, {1, 2, 1}, {0.7, 1, 1}};
  for (auto const& box : boxes) {
    FmmOptions o{.periodicity = Periodicity::xyz, .box = {box[0], box[1], box[2]}};
    for (int separation : {1, 2}) CHECK(fmm_error(o, 10, separation) > fmm_error(cube, 10, separation));
    CHECK(converges(o, 2));
    for (o.tolerance = 1e-1; o.tolerance > 0.9e-10; o.tolerance /= 10) {
      CHECK(order_for<double>(o, 2) > 0);
      FmmChoice const c = choose_fmm_for_uniform<double>(o, 1e5);
      CHECK(c.error <= o.tolerance);
      if (!converges(o, 1)) CHECK(c.separation == 2);
    }
    o.tolerance = 1e-5;
    CHECK(order_for<float>(o, 2) > 0);
  }
  CHECK(converges({.periodicity = Periodicity::xyz, .box = {1, 1, 0.9}}, 1));
  CHECK(!converges({.periodicity = Periodicity::xyz, .box = {1, 1, 1.5}}, 1));
}

TEST_CASE("choices: deeper for more points, one level for even points, capacity for clustered ones") {
  FmmOptions const options{.outputs = Output::potential | Output::gradient};
  int last = 0;
  for (double count : {1e2, 1e4, 1e5, 1e6, 1e7}) {
    FmmChoice const c = choose_fmm_for_uniform<double>(options, count);
    CHECK(c.depth >= last);
    CHECK(c.error <= options.tolerance);
    last = c.depth;
  }
  CHECK(last >= 5);
  CHECK(choose_fmm_for_uniform<double>(options, 10).depth == 0);
  FmmChoice const even = choose_fmm<double>(options, in_hand(keys_of("uniform", 50000, 16)), 16, 4000);
  CHECK(even.capacity == 0);
  FmmChoice const cluster = choose_fmm<double>(options, in_hand(keys_of("cusp", 50000, 16)), 16, 4000);
  CHECK(cluster.capacity > 0);
}

TEST_CASE("of clustered points a handful of trees are counted, each once, and no uniform one") {
  PointTrees trees(in_hand(keys_of("plummer", 200000, 16)));
  std::vector<std::array<int, 3>> counted;
  auto const count = trees.work;
  trees.work = [&](int depth, int capacity, TreeSight const& sight, std::uint32_t few) {
    counted.push_back({depth, capacity, sight.separation});
    return count(depth, capacity, sight, few);
  };
  FmmOptions const options{.outputs = Output::potential | Output::gradient, .tolerance = 1e-8};
  CHECK(choose_fmm<double>(options, trees, 16, 200000).capacity > 0);
  CHECK(counted.size() <= 7);
  for (auto const& tree : counted) CHECK(tree[1] > 0);
  std::ranges::sort(counted);
  CHECK(std::ranges::adjacent_find(counted) == counted.end());
}

TEST_CASE("roots that points do not fill: boxes and pairs as trees in them have") {
  int const level = 6;
  for (std::string const kind : {"uniform", "sphere"}) {
    auto const x = test::tree_points(kind, 20000);
    auto const in_root = [&](double factor) {  // with the lowest corner of the least one
      TreeShape const shape{{factor / 2 - 0.5, factor / 2 - 0.5, factor / 2 - 0.5}, factor / 2};
      return occupancy(sorted(point_keys(shape, std::span<double const>(x), level), level), level);
    };
    Occupancy const least = in_root(1);
    for (double factor : {1.0, 8.0 / 7, 8.0 / 6, 8.0 / 5}) {
      Occupancy const expected = stretched(least, factor), found = in_root(factor);
      for (std::size_t d = 3; d <= 4; ++d) {  // where boxes hold several points
        CAPTURE(kind);
        CAPTURE(factor);
        CAPTURE(d);
        double const odd = kind == "sphere" || d == 3 ? 0.25 : 0.1;  // whose surface, or last boxes, fit as they do
        CHECK(found.boxes[d] == doctest::Approx(expected.boxes[d]).epsilon(odd));
        CHECK(found.pairs[d] == doctest::Approx(expected.pairs[d]).epsilon(odd));
      }
    }
  }
}

TEST_CASE("choices: time grows as the number of points, whatever it is to powers of eight") {
  FmmOptions const options{.outputs = Output::potential | Output::gradient};
  std::vector<double> per_point;
  for (double count = 1e5; count < 4.1e6; count *= 1.17)
    per_point.push_back(choose_fmm_for_uniform<double>(options, count).seconds / count);
  std::sort(per_point.begin(), per_point.end());
  double const median = per_point[per_point.size() / 2];
  CHECK(per_point.front() > 0.85 * median);
  CHECK(per_point.back() < 1.15 * median);
}

TEST_CASE("choices: what is set by hand is kept") {
  auto const keys = keys_of("uniform", 5000, 16);
  FmmChoice c = choose_fmm<double>({.order = 7, .well_separation = 2}, in_hand(keys), 16, 4000);
  CHECK(c.order == 7);
  CHECK(c.separation == 2);
  c = choose_fmm<double>({.capacity = 12}, in_hand(keys), 16, 4000);
  CHECK(c.capacity == 12);
  CHECK(c.depth == 16);
  c = choose_fmm<double>({.depth = 4}, in_hand(keys_of("uniform", 5000, 4)), 4, 4000);
  CHECK(c.depth == 4);
  CHECK(c.capacity == 0);
  CHECK(choose_fmm_for_uniform<double>({.depth = 12}, 1e6).boxes > 1e6);
  // A few targets need more for their gradients.
  FmmOptions const gradient{.outputs = Output::potential | Output::gradient};
  CHECK(choose_fmm<double>(gradient, in_hand(keys), 16, 10).order >
        choose_fmm<double>(gradient, in_hand(keys), 16, 4000).order);
  CHECK(few_targets({}, 10) == 1);
}
