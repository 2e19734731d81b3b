// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/portable.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace nearfar;

namespace {

/// Squares by portable_for; every index must have come once.
void check_loop(int count) {
  std::vector<int> square(std::size_t(count), -1), visits(std::size_t(count), 0);
  portable_for(count, [&](int i) {
    square[std::size_t(i)] = i * i;
    ++visits[std::size_t(i)];
  });
  for (int i = 0; i < count; ++i) {
    CHECK(square[std::size_t(i)] == i * i);
    CHECK(visits[std::size_t(i)] == 1);
  }
}

/// The text of what a loop throws whose bodies 7, 20 and 99 fail.
std::string error_of_loop() {
  try {
    portable_for(100, [](int i) {
      if (i == 7 || i == 20 || i == 99) throw std::runtime_error("item " + std::to_string(i));
    });
  } catch (std::runtime_error const& e) {
    return e.what();
  }
  return "none";
}

/// Items by their part.
std::vector<int> shared_out(int items) {
  std::vector<int> visits(std::size_t(items), 0);
  portable_parts([&](LoopPart part) {
    for (int i = 0; i < items; ++i)
      if (part.has(i)) ++visits[std::size_t(i)];
  });
  return visits;
}

void check_all() {
  check_loop(0);
  check_loop(1);
  check_loop(1000);
  CHECK(error_of_loop() == "item 7");
  CHECK(shared_out(0).empty());
  CHECK(shared_out(37) == std::vector<int>(37, 1));
}

}  // namespace

TEST_CASE("portable loops: every index once, the first error comes out, parts share out all items") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // starts Kokkos on this thread
  check_all();
  check_loop(10);  // the threads are free again after an error
}

TEST_CASE("portable loops: from threads that did not start Kokkos, several at a time") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  std::vector<std::thread> threads;
  std::vector<long> sum(4, 0);
  for (std::size_t t = 0; t < sum.size(); ++t)
    threads.emplace_back([&sum, t] {
      std::vector<int> value(2000);
      portable_for(2000, [&](int i) { value[std::size_t(i)] = i * int(t); });
      sum[t] = std::accumulate(value.begin(), value.end(), 0L);
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t t = 0; t < sum.size(); ++t) CHECK(sum[t] == 1999000L * long(t));
}
