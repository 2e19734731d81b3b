// SPDX-License-Identifier: BSD-3-Clause
// The stages that make a Green's function, against whole cosine transforms.
#include "codelets/spectral/green/green.hpp"
#include "codelets/spectral/green/cosine.hpp"
#include "tests/codelets/local_buffers.hpp"
#include "tests/core/poisson/plain_solver.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace nearfar;
using plain::Array;

namespace {

/// The table [x][y][z] that the stages make, planes in `slabs` parts and columns in `groups`.
template <class T>
Array made_by_stages(GreenFunction const& green, int slabs, int groups) {
  prepare_cosine_plans(green);
  int const samples = green.axis[0].samples(), modes = green.axis[0].modes();
  std::int64_t const plane = green_plane(green);
  Array work(std::size_t(green_scratch(green)), std::nan(""));
  std::vector<Array> planes;
  for (int s = 0; s < slabs; ++s) {
    int const first = s * samples / slabs, count = (s + 1) * samples / slabs - first;
    planes.emplace_back(std::size_t(count * plane), std::nan(""));
    test::LocalBuffers buffers;
    buffers.access().add(work).access().add(planes.back());
    GreenPlanes::portable(buffers.view(), {green, first, count});
  }
  std::vector<T> table(std::size_t(plane * modes), T(NAN));
  for (int g = 0; g < groups; ++g) {
    std::int64_t const first = g * plane / groups, count = (g + 1) * plane / groups - first;
    test::LocalBuffers buffers;
    buffers.access();
    for (auto& p : planes) buffers.add(p);
    buffers.access().add(work).access().add(table);
    GreenColumns<T>::portable(buffers.view(), {green, first, count, 0.5});
  }
  Array turned(table.size());
  for (std::int64_t i = 0; i < plane; ++i)
    for (int x = 0; x < modes; ++x) turned[std::size_t(x * plane + i)] = 2 * double(table[std::size_t(i * modes + x)]);
  return turned;
}

GreenFunction green_for(PoissonMethod method, std::array<bool, 3> const& periodic) {
  return make_green_function(method, HockneyGreen::cell_average, {9, 12, 21}, {0.9, 1.3, 1.7}, periodic);
}

}  // namespace

TEST_CASE("green stages: the table is that of whole transforms, for every method and mixture of directions") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (auto const& periodic : {std::array{false, false, false}, std::array{false, false, true},
                                 std::array{false, true, true}, std::array{true, true, true}}) {
      auto const green = green_for(method, periodic);
      Array const expected = plain::green_table(green);
      CHECK(plain::relative_error(made_by_stages<double>(green, 3, 4), expected) < 1e-14);
      CHECK(plain::relative_error(made_by_stages<float>(green, 1, 1), expected) < 1e-7);
    }
}

TEST_CASE("green stages: vico and vico-dct make the same table") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  auto const a = made_by_stages<double>(green_for(PoissonMethod::vico, {}), 2, 2);
  auto const b = made_by_stages<double>(green_for(PoissonMethod::vico_dct, {}), 2, 2);
  CHECK(plain::relative_error(a, b) < 1e-14);
}
