// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/owners.hpp"

#include "tasks/engine/data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nearfar/runtime.hpp>
#include <numeric>
#include <vector>

using namespace nearfar::detail;

namespace {

std::vector<double> loads(std::vector<double> const& cost, std::vector<double> const& before) {
  auto const rank = equal_pieces(cost, before);
  CHECK(rank.size() == cost.size());
  CHECK(std::is_sorted(rank.begin(), rank.end()));
  auto load = before;
  for (std::size_t i = 0; i < cost.size(); ++i) load.at(std::size_t(rank[i])) += cost[i];
  return load;
}

}  // namespace

TEST_CASE("pieces of equal cost: items alike are dealt evenly") {
  CHECK(loads(std::vector<double>(12, 1), {0, 0, 0}) == std::vector<double>{4, 4, 4});
  CHECK(loads(std::vector<double>(3, 2), {0, 0, 0}) == std::vector<double>{2, 2, 2});
  CHECK(loads({5}, {0, 0}) == std::vector<double>{0, 5});
  CHECK(loads({}, {0, 0}) == std::vector<double>{0, 0});
}

TEST_CASE("pieces of equal cost: no rank has more than its part and an item") {
  std::vector<double> cost;
  for (int i = 0; i < 300; ++i) cost.push_back(1 + i * i % 37);  // up to 37
  for (int ranks : {1, 2, 3, 8}) {
    auto const load = loads(cost, std::vector<double>(std::size_t(ranks), 0));
    double const part = std::accumulate(cost.begin(), cost.end(), 0.0) / ranks;
    for (double l : load) CHECK(l == doctest::Approx(part).epsilon(37 / part));
  }
}

TEST_CASE("pieces of equal cost: who has more to do already gets less, or nothing") {
  CHECK(loads(std::vector<double>(6, 1), {0, 2, 1}) == std::vector<double>{3, 3, 3});
  CHECK(loads(std::vector<double>(4, 1), {0, 10, 0}) == std::vector<double>{2, 10, 2});
}

TEST_CASE("data say who owns them, and whether they outlive a solve, in one process too") {
  nearfar::Runtime const runtime({.cpus = 1});
  auto const nobodys = Data::temporary<double>("nobody's", 3);
  CHECK(owner_of(nobodys) == everywhere);
  auto const kept = Data::temporary<double>("kept", 3, 1);
  auto const brief = SolveData::temporary<double>("brief", 3, 5);
  CHECK(owner_of(kept) == 1);
  CHECK(owner_of(brief) == 5);
  CHECK(outlives_solves(kept));
  CHECK(!outlives_solves(brief));
  double number = 0;
  CHECK(owner_of(Data::constant("constant", &number, 1)) == everywhere);
}
