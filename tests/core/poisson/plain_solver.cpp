// SPDX-License-Identifier: BSD-3-Clause
#include "tests/core/poisson/plain_solver.hpp"

#include "core/math/constants.hpp"
#include "core/poisson/green_samples.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace nearfar::plain {

namespace {

using Complex = std::complex<double>;
using Modes = std::vector<Complex>;

std::size_t count(Size const& n) { return std::size_t(n[0]) * n[1] * n[2]; }
std::size_t place(Size const& n, int x, int y, int z) { return (std::size_t(x) * n[1] + y) * n[2] + z; }

template <class Visit>
void for_each(Size const& n, Visit visit) {
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < n[2]; ++z) visit(x, y, z);
}

void transform(Size const& n, Modes& modes, int sign) {
  auto* data = reinterpret_cast<fftw_complex*>(modes.data());
  fftw_plan const plan = fftw_plan_dft_3d(n[0], n[1], n[2], data, data, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/// DCT-I of the first `length` values along an axis, of which `keep` are kept.
Array cosine(Size& n, Array const& from, int axis, int keep) {
  int const length = n[std::size_t(axis)];
  Size lines = n, kept = n;
  lines[std::size_t(axis)] = 1;
  kept[std::size_t(axis)] = keep;
  Array to(count(kept)), line(from.size() / count(lines));
  fftw_plan const plan = fftw_plan_r2r_1d(length, line.data(), line.data(), FFTW_REDFT00, FFTW_ESTIMATE);
  for_each(lines, [&](int x, int y, int z) {
    Size at{x, y, z};
    int& i = at[std::size_t(axis)];
    for (i = 0; i < length; ++i) line[std::size_t(i)] = from[place(n, at[0], at[1], at[2])];
    fftw_execute(plan);
    for (i = 0; i < keep; ++i) to[place(kept, at[0], at[1], at[2])] = line[std::size_t(i)];
  });
  fftw_destroy_plan(plan);
  n = kept;
  return to;
}

Size padded_size(GreenFunction const& g) {
  return {g.axis[0].transform(), g.axis[1].transform(), g.axis[2].transform()};
}

int folded(int i, int n) { return std::min(i, n - i); }

}  // namespace

Array green_table(GreenFunction const& g) {
  Size n{g.axis[0].samples(), g.axis[1].samples(), g.axis[2].samples()};
  Array table(count(n));
  auto const shared = shared_terms(g);
  GreenSamples const sample(g, shared.data());
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < n[2]; ++z) table[place(n, x, y, z)] = sample(x, y, z);
  for (int d = 0; d < 3; ++d) {
    if (!g.axis[d].open) continue;
    if (g.axis[d].cut > 0) table = cosine(n, table, d, g.axis[d].modes());
    table = cosine(n, table, d, g.axis[d].modes());
  }
  return table;
}

Array whole_green_table(Size const& grid, std::array<double, 3> const& box, Size const& padded, double radius) {
  Modes kernel(count(padded));
  for_each(padded, [&](int x, int y, int z) {
    Size const i{x, y, z};
    double squared = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      double const k = 2 * pi<double> * folded(i[d], padded[d]) * grid[d] / (padded[d] * box[d]);
      squared += k * k;
    }
    double const k = std::sqrt(squared), s = std::sin(radius * k / 2);
    kernel[place(padded, x, y, z)] = (k > 0 ? 2 * s * s / squared : radius * radius / 2) / double(count(padded));
  });
  transform(padded, kernel, FFTW_BACKWARD);
  Size const twice{2 * grid[0], 2 * grid[1], 2 * grid[2]}, octant{grid[0] + 1, grid[1] + 1, grid[2] + 1};
  Modes mirrored(count(twice));
  for_each(twice, [&](int x, int y, int z) {
    mirrored[place(twice, x, y, z)] =
        kernel[place(padded, folded(x, twice[0]), folded(y, twice[1]), folded(z, twice[2]))];
  });
  transform(twice, mirrored, FFTW_FORWARD);
  Array table(count(octant));
  for_each(octant,
           [&](int x, int y, int z) { table[place(octant, x, y, z)] = mirrored[place(twice, x, y, z)].real(); });
  return table;
}

Solution solve(GreenFunction const& g, Array const& table, Array const& density, bool field) {
  Size const box{g.axis[0].size, g.axis[1].size, g.axis[2].size}, n = padded_size(g);
  Size const octant{n[0] / 2 + 1, n[1] / 2 + 1, n[2] / 2 + 1};
  Modes modes(count(n));
  for_each(box, [&](int x, int y, int z) { modes[place(n, x, y, z)] = density[place(box, x, y, z)]; });
  transform(n, modes, FFTW_FORWARD);
  for_each(n, [&](int x, int y, int z) {
    modes[place(n, x, y, z)] *=
        table[place(octant, folded(x, n[0]), folded(y, n[1]), folded(z, n[2]))] / double(count(n));
  });
  auto const restricted = [&](Modes values) {
    transform(n, values, FFTW_BACKWARD);
    Array inside(count(box));
    for_each(box, [&](int x, int y, int z) { inside[place(box, x, y, z)] = values[place(n, x, y, z)].real(); });
    return inside;
  };
  Solution solution{restricted(modes), {}};
  for (std::size_t d = 0; d < 3 && field; ++d) {
    Modes slope = modes;
    for_each(n, [&](int x, int y, int z) {
      int const i = Size{x, y, z}[d], number = 2 * i < n[d] ? i : 2 * i == n[d] ? 0 : i - n[d];
      slope[place(n, x, y, z)] *= Complex(0, -2 * pi<double> * number / (n[d] * g.axis[d].spacing));
    });
    solution.field[d] = restricted(slope);
  }
  return solution;
}

double relative_error(Array const& a, Array const& b) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    all += b[i] * b[i];
  }
  return std::sqrt(difference / all);
}

}  // namespace nearfar::plain
