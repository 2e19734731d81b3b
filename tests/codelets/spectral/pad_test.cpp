// SPDX-License-Identifier: BSD-3-Clause
// The cells of a density: as they are numbered for GPUs, and known ones.
#include "codelets/spectral/pad/pad_body.hpp"
#include "tests/codelets/spectral/pad_cases.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nearfar;
using namespace nearfar::test;

namespace {

/// Cells in an order that no thread knows.
template <class Body>
void cell_by_cell(Body const& body) {
  for (std::int64_t i = body.cells.count() - 1; i >= 0; --i)
    body.copy(body.cells.row(i / body.cells.length), int(i % body.cells.length));
}

}  // namespace

TEST_CASE("pad and restrict: what threads of a GPU do is what the portable bodies do") {
  Runtime const runtime({.cpus = 1, .gpus = 0});  // portable bodies run through Kokkos
  for (auto const& options : pad_cases()) {
    auto const pad = [](Buffers const& b, PadArgs const& args) {
      cell_by_cell(PadBody<double>{{args.grid, args.layout, args.slab}, b.get<double const>(0), b.get<double>(1)});
    };
    auto const restricted = [](Buffers const& b, RestrictArgs const& args) {
      cell_by_cell(RestrictBody<double>(args, b.get<double const>(0), b.get<double>(1)));
    };
    check_pad<double>(options, pad, restricted);
  }
}

TEST_CASE("pad: behind an earthed face lies the negative of the mirror image, and a cell that is no number is named") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  PoissonOptions const options{.grid = {2, 3, 4}, .conductor = BoxFace::z_low};
  PoissonGrid const grid = make_poisson_grid(options);
  SpectralLayout const layout = plain_layout(grid.edge, grid.size, 3, grid.size);
  std::vector<double> density(2 * 3 * 4), slab(2 * 3 * 8);
  for (std::size_t i = 0; i < density.size(); ++i) density[i] = double(i) + 1;
  LocalBuffers b;
  b.access().add(density).access().add(slab);
  Pad<double>::portable(b.view(), {layout, grid, 0});
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t z = 0; z < 4; ++z) {
      CHECK(slab[8 * row + 4 + z] == density[4 * row + z]);
      CHECK(slab[8 * row + 3 - z] == -density[4 * row + z]);
    }
  density[(1 * 3 + 2) * 4 + 3] = std::nan("");
  CHECK_THROWS_WITH_AS(Pad<double>::portable(b.view(), {layout, grid, 0}), doctest::Contains("in cell (1, 2, 3)"),
                       Error);
}

TEST_CASE("restrict: a cell whose result is no number is named, one of an image behind an earthed face is not") {
  Runtime const runtime({.cpus = 1, .gpus = 0});
  PoissonGrid const grid = make_poisson_grid({.grid = {2, 3, 4}, .conductor = BoxFace::z_low});
  SpectralLayout const layout = plain_layout(grid.edge, grid.size, 3, grid.size);
  std::vector<float> slab(2 * 3 * 8, 1.0F), potential(2 * 3 * 4);
  LocalBuffers b;
  b.access().add(slab).access().add(potential);
  slab[8 * 5] = std::nanf("");
  Restrict<float>::portable(b.view(), {layout, grid, 0, 0, 1});
  slab[8 * 5 + 4 + 3] = -std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(Restrict<float>::portable(b.view(), {layout, grid, 0, 0, 1}),
                       doctest::Contains("the result is -inf in cell (1, 2, 3)"), Error);
}
