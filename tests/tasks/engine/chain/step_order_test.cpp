// SPDX-License-Identifier: BSD-3-Clause
// The order of the steps of a chain on several streams: all that accesses demand, and nothing else.
#include "tasks/engine/chain/step_order.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using namespace nearfar::detail;

namespace {

using Accesses = std::vector<std::pair<int, starpu_data_access_mode>>;

StepOrder::Place add(StepOrder& order, Accesses const& accesses) {
  std::vector<int> data;
  std::vector<starpu_data_access_mode> modes;
  for (auto const& [datum, mode] : accesses) {
    data.push_back(datum);
    modes.push_back(mode);
  }
  return order.next(data, modes);
}

/// Which steps come before which, also by way of others.
using Before = std::vector<std::vector<bool>>;
void close(Before& before) {
  for (std::size_t last = 0; last < before.size(); ++last)
    for (std::size_t middle = last; middle-- > 0;)
      for (std::size_t first = 0; first < middle; ++first)
        if (before[last][middle] && before[middle][first]) before[last][first] = true;
}

bool conflict(Accesses const& a, Accesses const& b) {
  for (auto const& [datum, mode] : a)
    for (auto const& [other, its] : b)
      if (datum == other && ((mode | its) & STARPU_W) != 0 && (mode & STARPU_RW) != 0 && (its & STARPU_RW) != 0)
        return true;
  return false;
}

}  // namespace

TEST_CASE("the near part of a solve runs beside its far part") {
  enum { points, slab, far, near, result };
  StepOrder order;
  CHECK(add(order, {{points, STARPU_W}}).stream == 0);                    // bin
  CHECK(add(order, {{points, STARPU_R}, {slab, STARPU_W}}).stream == 0);  // p2g
  CHECK(add(order, {{slab, STARPU_RW}}).stream == 0);                     // transforms
  CHECK(add(order, {{slab, STARPU_R}, {far, STARPU_W}}).stream == 0);     // g2p
  auto const p2p = add(order, {{points, STARPU_R}, {near, STARPU_W}});
  CHECK(p2p.stream == 1);
  CHECK(p2p.after == std::vector<int>{0});
  CHECK(order.ends() == std::vector<int>{3, 4});
  auto const merge = add(order, {{far, STARPU_R}, {near, STARPU_R}, {result, STARPU_W}});
  CHECK(merge.stream == 1);
  CHECK(merge.after == std::vector<int>{3});
  CHECK(order.ends() == std::vector<int>{5});
}

TEST_CASE("scratch data order nothing") {
  StepOrder order;
  add(order, {{0, STARPU_SCRATCH}});
  auto const second = add(order, {{0, STARPU_SCRATCH}});
  CHECK(second.stream == 1);
  CHECK(second.after.empty());
}

TEST_CASE("streams and waits order all steps that conflict, and no others") {
  std::mt19937 random(11);
  auto const below = [&](int n) { return int(random() % unsigned(n)); };
  for (int trial = 0; trial < 300; ++trial) {
    int const steps = 2 + below(20), data = 1 + below(8);
    StepOrder order;
    std::vector<Accesses> chain;
    std::vector<StepOrder::Place> places;
    for (int s = 0; s < steps; ++s) {
      Accesses accesses;
      for (int a = 1 + below(3); a > 0; --a)
        accesses.emplace_back(below(data), below(3) > 0 ? STARPU_R : below(2) > 0 ? STARPU_W : STARPU_RW);
      chain.push_back(accesses);
      places.push_back(add(order, accesses));
    }
    Before demanded(std::size_t(steps), std::vector<bool>(std::size_t(steps), false)), kept = demanded;
    for (std::size_t last = 0; last < chain.size(); ++last) {
      for (std::size_t first = 0; first < last; ++first) {
        demanded[last][first] = conflict(chain[first], chain[last]);
        kept[last][first] = places[first].stream == places[last].stream;
      }
      for (int const first : places[last].after) {
        CHECK(places[std::size_t(first)].stream != places[last].stream);
        kept[last][std::size_t(first)] = true;
      }
    }
    close(demanded);
    close(kept);
    CHECK(kept == demanded);
    std::vector<int> ends;
    for (std::size_t s = 0; s < chain.size(); ++s) {
      bool waited = false;
      for (auto const& before : demanded) waited = waited || before[s];
      if (!waited) ends.push_back(int(s));
    }
    CHECK(order.ends() == ends);
  }
}
