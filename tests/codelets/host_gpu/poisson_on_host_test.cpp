// SPDX-License-Identifier: BSD-3-Clause
// The stages of Poisson's equation that it has for itself as GPUs run them, on the host, against the portable bodies.
#include "codelets/spectral/green/green.cu"
#include "codelets/spectral/pad/pad.cu"

#include "codelets/spectral/green/cosine.hpp"
#include "tests/codelets/spectral/pad_cases.hpp"

#include <cmath>
#include <limits>

using namespace nearfar;
using namespace nearfar::test;

namespace {

template <class V>
double relative(V const& a, V const& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::pow(double(a[i]) - double(b[i]), 2);
    size += std::pow(double(b[i]), 2);
  }
  return std::sqrt(error / size);
}

}  // namespace

TEST_CASE("pad and restrict: as GPUs run them") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  for (auto const& options : pad_cases())
    check_pad<double>(
        options,
        [](Buffers const& b, PadArgs const& args) {
          BadNumber bad;
          launch_pad(PadBody<double>{{args.grid, args.layout, args.slab}, b.get<double const>(0), b.get<double>(1)},
                     &bad, nullptr);
          CHECK(bad.place == BadNumber::none);
        },
        [](Buffers const& b, RestrictArgs const& args) {
          BadNumber bad;
          launch_restrict(RestrictBody<double>(args, b.get<double const>(0), b.get<double>(1)), &bad, nullptr);
          CHECK(bad.place == BadNumber::none);
        });
}

TEST_CASE("pad: as GPUs run it, the first cell that is no number is told") {
  PoissonGrid const grid = make_poisson_grid({.grid = {2, 3, 4}, .conductor = BoxFace::x_high});
  SpectralLayout const layout = plain_layout(grid.edge, grid.size, 3, grid.size);
  std::vector<double> density(2 * 3 * 4, 1.0), slab(4 * 3 * 4);
  density[20] = std::nan("");
  density[13] = std::numeric_limits<double>::infinity();
  BadNumber bad;
  launch_pad(PadBody<double>{{grid, layout, 0}, density.data(), slab.data()}, &bad, nullptr);
  CHECK(bad.place == 13);
  CHECK(std::isinf(bad.value));
}

TEST_CASE("restrict: as GPUs run it, the first cell whose result is no number is told") {
  PoissonGrid const grid = make_poisson_grid({.grid = {2, 3, 4}});
  SpectralLayout const layout = plain_layout(grid.edge, grid.size, 3, grid.size);
  std::vector<float> slab(4 * 2 * 3 * 4, 1.0F), field(3 * 2 * 3 * 4);
  slab[2 * 24 + 20] = std::nanf("");
  slab[3 * 24 + 13] = -std::numeric_limits<float>::infinity();
  BadNumber bad;
  launch_restrict(RestrictBody<float>({layout, grid, 0, 1, 3}, slab.data(), field.data()), &bad, nullptr);
  CHECK(bad.place == 13);
  CHECK(bad.value == -std::numeric_limits<double>::infinity());
}

namespace {

void check_green(GreenFunction const& green) {
  prepare_cosine_plans(green);
  int const samples = green.axis[0].samples(), modes = green.axis[0].modes();
  std::int64_t const plane = green_plane(green);
  auto shared = shared_terms(green);
  std::vector<double> work(std::size_t(green_scratch(green))), planes(std::size_t(samples * plane)), others(planes);
  std::vector<double> table(std::size_t(modes * plane)), other(table);
  LocalBuffers of_planes, of_columns;
  of_planes.access().add(shared).access().add(work).access().add(planes);
  of_columns.access().add(planes).access().add(work).access().add(table);
  GreenPlanes::portable(of_planes.view(), {green, 0, samples});
  GreenColumnsArgs const all{green, 0, plane, 0.5};
  GreenColumns<double>::portable(of_columns.view(), all);
  launch_green({green, 0, samples}, shared.data(), others.data(), nullptr);
  CHECK(relative(others, planes) < 1e-14);
  int const half = samples / 2;
  launch_green_columns(all, {{others.data(), half}, {others.data() + half * plane, samples - half}}, other.data(),
                       nullptr);
  CHECK(relative(other, table) < 1e-14);
}

}  // namespace

TEST_CASE("green stages: as GPUs run them") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  std::array<int, 3> const grid{9, 12, 21};
  std::array<double, 3> const box{0.9, 1.3, 1.7};
  for (auto method : {PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct})
    for (auto const& periodic : {std::array{false, false, false}, std::array{false, false, true},
                                 std::array{false, true, true}, std::array{true, true, true}})
      check_green(make_green_function(method, HockneyGreen::cell_average, grid, box, periodic));
  check_green(make_green_function(PoissonMethod::hockney, HockneyGreen::integrated, grid, box, {}));
}
