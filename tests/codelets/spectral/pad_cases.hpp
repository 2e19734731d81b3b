// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/pad/pad.hpp"
#include "tests/codelets/local_buffers.hpp"

#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace nearfar::test {

/// Boxes whose axes turn, and boxes beside a conductor of each face.
inline std::vector<PoissonOptions> pad_cases() {
  std::vector<PoissonOptions> cases;
  for (int mask = 0; mask < 8; ++mask)
    cases.push_back({.grid = {5, 7, 6}, .periodic = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0}});
  for (int face = 0; face < 6; ++face) cases.push_back({.grid = {5, 7, 6}, .conductor = BoxFace(face)});
  cases.push_back({.grid = {5, 7, 6}, .periodic = {true, false, false}, .conductor = BoxFace::z_high});
  return cases;
}

template <class T>
std::vector<T> random_cells(std::size_t count) {
  std::mt19937 random(3);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = T(random() / 2147483648.0 - 1);
  return numbers;
}

/// Slabs with three components and room behind rows and planes, into which `pad` puts a density, and out of which
/// `restricted` takes a potential and a field: both as the portable bodies do, to the bit.
template <class T, class PadBy, class RestrictBy>
void check_pad(PoissonOptions const& options, PadBy const& pad, RestrictBy const& restricted) {
  PoissonGrid const grid = make_poisson_grid(options);
  SpectralLayout layout = plain_layout(grid.edge, grid.size, grid.open(), grid.size);
  layout.slabs = 3;
  layout.rows += 1;
  layout.row_length += 2;
  auto const density = random_cells<T>(5 * 7 * 6);
  std::vector<T> potential[2], field[2];
  for (int which : {0, 1}) {
    potential[which].assign(density.size(), T(7));
    field[which].assign(3 * density.size(), T(7));
  }
  for (int s = 0; s < layout.slabs; ++s) {
    auto const numbers = std::size_t(layout.planes(s) * layout.plane_size());
    std::vector<T> slab[2]{std::vector<T>(numbers, T(5)), std::vector<T>(numbers, T(5))};
    auto given = random_cells<T>(4 * numbers), callers = density;
    for (int which : {0, 1}) {
      LocalBuffers in;
      in.access().add(callers).access().add(slab[which]);
      if (which == 0) Pad<T>::portable(in.view(), {layout, grid, s});
      else pad(in.view(), PadArgs{layout, grid, s});
      for (int components : {1, 3}) {
        LocalBuffers out;
        out.access().add(given).access().add(components == 1 ? potential[which] : field[which]);
        RestrictArgs const args{layout, grid, s, components == 1 ? 0 : 1, components};
        if (which == 0) Restrict<T>::portable(out.view(), args);
        else restricted(out.view(), args);
      }
    }
    CHECK(slab[0] == slab[1]);
  }
  CHECK(potential[0] == potential[1]);
  CHECK(field[0] == field[1]);
  for (T const value : field[0]) CHECK(value != T(7));  // all of them are written
}

}  // namespace nearfar::test
