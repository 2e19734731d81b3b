// SPDX-License-Identifier: BSD-3-Clause
// The stages that make a Green's function, against whole cosine transforms.
#include "codelets/spectral/green/green.hpp"
#include "codelets/spectral/green/cosine.hpp"
#include "codelets/spectral/green/green_lines.hpp"
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
  auto shared = shared_terms(green);
  Array work(std::size_t(green_scratch(green)), std::nan(""));
  std::vector<Array> planes;
  for (int s = 0; s < slabs; ++s) {
    int const first = s * samples / slabs, count = (s + 1) * samples / slabs - first;
    planes.emplace_back(std::size_t(count * plane), std::nan(""));
    test::LocalBuffers buffers;
    buffers.access().add(shared).access().add(work).access().add(planes.back());
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

/// What a stream of a GPU does, one number after the other, by sums over all points.
struct HostRunner {
  Array space(std::int64_t numbers) const { return Array(std::size_t(numbers), std::nan("")); }
  template <class Body>
  void for_all(std::int64_t count, Body const& body) const {
    for (std::int64_t i = count - 1; i >= 0; --i) body(i);
  }
  void transform(int n, std::int64_t lines, GreenLines const& in, double* from, GreenLines const& out,
                 double* to) const {
    for (std::int64_t l = 0; l < lines; ++l)
      for (int k = 0; k <= n / 2; ++k) {
        double sum[2] = {};
        for (int p = 0; p < n; ++p) {
          double const angle = 2 * pi<double> * double(std::int64_t(p) * k % n) / n;
          double const value = from[p * in.point + l * in.line];
          sum[0] += value * std::cos(angle);
          sum[1] -= value * std::sin(angle);
        }
        for (int part : {0, 1}) to[2 * (k * out.point + l * out.line) + part] = sum[part];
      }
  }
};

/// Mixtures of directions, in every place.
std::array<bool, 3> const mixtures[] = {{false, false, false}, {false, false, true}, {true, false, false},
                                        {false, true, true},   {true, false, true},  {true, true, true}};

GreenFunction green_for(PoissonMethod method, std::array<bool, 3> const& periodic,
                        HockneyGreen green = HockneyGreen::cell_average) {
  return make_green_function(method, green, {9, 12, 21}, {0.9, 1.3, 1.7}, periodic);
}

}  // namespace

TEST_CASE("green stages: the table is that of whole transforms, for every method and mixture of directions") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (auto const& periodic : mixtures) {
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

namespace {

/// The table [x][y][z] as GPUs make it, in parts.
Array made_by_program(GreenFunction const& green) {
  HostRunner runner;
  auto const shared = shared_terms(green);
  GreenProgram<HostRunner> program(runner, green, shared.data(), 40000);
  std::int64_t const plane = green_plane(green), samples = green.axis[0].samples(), modes = green.axis[0].modes();
  Array planes(std::size_t(samples * plane), std::nan(""));
  int const half = int(samples / 2);
  program.planes(0, half, planes.data());
  program.planes(half, int(samples) - half, planes.data() + half * plane);
  std::vector<float> table(std::size_t(plane * modes), NAN);
  auto const fill = [&](std::int64_t first, std::int64_t count, double* to) {
    runner.for_all(half * count, CopyColumns{planes.data(), plane, first, count, to});
    runner.for_all((samples - half) * count,
                   CopyColumns{planes.data() + half * plane, plane, first, count, to + half * count});
  };
  program.columns(0, 31, 0.5, fill, table.data());
  program.columns(31, plane - 31, 0.5, fill, table.data());
  Array turned(table.size());
  for (std::int64_t i = 0; i < plane; ++i)
    for (int x = 0; x < modes; ++x) turned[std::size_t(x * plane + i)] = 2 * double(table[std::size_t(i * modes + x)]);
  return turned;
}

}  // namespace

TEST_CASE("green stages: what GPUs do for it, on the host, in parts") {
  for (auto const& periodic : mixtures)
    for (auto method : {PoissonMethod::hockney, PoissonMethod::vico_dct}) {
      auto const green = green_for(method, periodic);
      CHECK(plain::relative_error(made_by_program(green), plain::green_table(green)) < 1e-7);
    }
  for (auto value : {HockneyGreen::constant, HockneyGreen::integrated}) {
    auto const green = green_for(PoissonMethod::hockney, {}, value);
    CHECK(plain::relative_error(made_by_program(green), plain::green_table(green)) < 1e-7);
  }
}
