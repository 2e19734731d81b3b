// SPDX-License-Identifier: BSD-3-Clause
// Points that a GPU sorts: the same as CPUs sort them, from arrays of the host or of the GPU.
#include "tasks/points/cell_sort.hpp"
#include "tasks/points/gpu_cell_sort.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>

using namespace nearfar;
using namespace nearfar::detail;
using namespace nearfar::test;

namespace {

constexpr std::size_t count = 20000;

Frame frame_with(bool periodic) {
  Frame frame;
  for (std::size_t d = 0; d < 3; ++d) {
    frame.cells.count[d] = 9 + int(d);
    frame.cells.periodic[d] = periodic;
  }
  frame.cells.cutoff = 0.1;
  set_faces<double>(frame.cells);
  for (std::size_t d = 0; d < 3 && periodic; ++d) frame.origin[d] = first_face(frame.cells, int(d));
  return frame;
}

template <class T>
std::vector<T> rows_of(double from, double to) {
  std::mt19937 random(7);
  std::vector<T> rows(3 * count);
  for (T& x : rows) x = T(from + (to - from) * (random() / 4294967296.0));
  return rows;
}

/// Numbers of arrays that are not the same.
template <class T>
int differences(BlockedPoints<T> const& a, BlockedPoints<T> const& b) {
  auto const differs = [](auto const* p, auto const* q, std::int64_t n) {
    return int(std::memcmp(p, q, sizeof *p * std::size_t(n)) != 0);
  };
  int found = int(a.blocks() != b.blocks());
  for (int k = 0; k < a.blocks() && found == 0; ++k) {
    BlockArrays<T> const x = a.arrays(k), y = b.arrays(k);
    if (x.points != y.points || x.cells != y.cells) return 1;
    found += differs(x.offset, y.offset, x.cells + 1) + differs(x.row, y.row, x.points) +
             differs(x.position, y.position, 3 * x.stride) + differs(a.near(k), b.near(k), 3 * x.stride);
    if (x.rough != nullptr) found += differs(x.rough, y.rough, 3 * x.stride);
    T const *given = x.given != nullptr ? x.given : x.position, *brought = y.given != nullptr ? y.given : y.position;
    found += differs(given, brought, 3 * x.stride);
  }
  return found;
}

template <class T>
void check_sorted(Runtime const& runtime, bool periodic, bool keep_unwrapped) {
  auto const rows = periodic ? rows_of<T>(-1.2, 2.3) : rows_of<T>(0, 1);
  DeviceMemory device(sizeof(T) * rows.size());
  device.upload(0, rows.data(), sizeof(T) * rows.size());
  std::span<T const> const here(rows), there(reinterpret_cast<T const*>(device.data()), rows.size());
  std::size_t const some = 3 * 777;
  for (std::array<int, 3> const& blocks : {std::array{1, 1, 1}, std::array{4, 1, 1}, std::array{2, 3, 2}}) {
    CAPTURE(blocks[0]);
    Frame frame = frame_with(periodic);
    std::copy(blocks.begin(), blocks.end(), frame.cells.blocks);
    auto const expected =
        sorted_into_cells<T>(runtime.shared(), frame, rows, "source", periodic && keep_unwrapped, true);
    for (GivenArrays<T const> const& given :
         {GivenArrays<T const>(here), GivenArrays<T const>(there),
          GivenArrays<T const>(Arrays<T const>({here.first(some), there.subspan(some)}))}) {
      auto const points =
          sorted_on_gpu<T>(runtime.shared(), frame, given, {"source", periodic && keep_unwrapped, true});
      points.bring_to_host(runtime.shared());
      CHECK(differences(expected, points) == 0);
    }
  }
}

std::string message_of(Ewald& plan, std::span<double const> x) {
  try {
    plan.set_points(x);
  } catch (Error const& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("points: a GPU sorts them as CPUs do") {
  if (DeviceMemory::devices() == 0) return;  // another test case says that it is skipped
  Runtime const runtime({.cpus = 1, .gpus = 1});
  REQUIRE(sorts_on_gpu<double>(count));
  for (bool const periodic : {true, false}) {
    check_sorted<double>(runtime, periodic, true);
    check_sorted<float>(runtime, periodic, false);
  }
}

TEST_CASE("points: what is wrong with them is told as CPUs tell it") {
  if (DeviceMemory::devices() == 0) return;
  auto x = rows_of<double>(0, 1);
  auto twins = x, lost = x;
  std::copy_n(x.begin() + 30, 3, twins.begin() + 39000);
  lost[777] = std::numeric_limits<double>::quiet_NaN();
  lost[40000] = std::numeric_limits<double>::infinity();
  std::string told[2][2];
  for (int const gpus : {0, 1}) {
    Runtime const runtime({.cpus = 1, .gpus = gpus});
    Ewald plan(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-6});
    told[gpus][0] = message_of(plan, twins);
    told[gpus][1] = message_of(plan, lost);
    if (gpus == 1) CHECK(plan.parameters().on_gpus);
  }
  CHECK(told[0][0] == told[1][0]);
  CHECK(told[0][1] == told[1][1]);
  CHECK(told[0][0] != told[0][1]);
}
