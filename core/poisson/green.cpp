// SPDX-License-Identifier: BSD-3-Clause
#include "core/poisson/green.hpp"

#include "core/math/constants.hpp"
#include "core/poisson/sampled_kernel.hpp"
#include "core/spectral/smooth_length.hpp"

#include <cmath>

namespace nearfar {

namespace {

/// A density that the grid does not resolve feels the cut of the kernel; this leaves room between the cut and the
/// largest distance of two cells.
constexpr double cut_per_diagonal = 1.1;

double central_sample(GreenFunction const& g, double kappa) {
  if (g.green == HockneyGreen::constant) return 1 / (4 * pi<double>);
  std::array<double, 3> edges{};
  std::size_t count = 0;
  for (auto const& axis : g.axis)
    if (axis.open) edges[count++] = axis.spacing;
  return central_average(g.open(), edges, kappa);
}

}  // namespace

GreenFunction make_green_function(PoissonMethod method, HockneyGreen green, std::array<int, 3> const& grid,
                                  std::array<double, 3> const& box, std::array<bool, 3> const& periodic) {
  GreenFunction g;
  g.method = method;
  g.green = green;
  double diagonal = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    g.axis[d] = {grid[d], box[d] / grid[d], !periodic[d], 0};
    if (!periodic[d]) diagonal = std::hypot(diagonal, box[d]);
  }
  bool const cut = method != PoissonMethod::hockney;
  if (cut) g.radius = cut_per_diagonal * diagonal;
  for (auto& axis : g.axis) {
    if (!axis.open) continue;
    // Sampling the modes of the kernel repeats it in space: the images begin beyond the farthest cell.
    if (cut) axis.cut = even_smooth_at_least(axis.size + g.radius / axis.spacing);
    g.scale *= cut ? 1.0 / axis.cut : axis.spacing;
  }
  return g;
}

std::vector<SharedTerms> shared_terms(GreenFunction const& g) {
  if (g.open() == 0) return {SharedTerms()};
  std::vector<SharedTerms> terms;
  auto const modes = [&](int d) { return g.axis[d].open ? 1 : g.axis[d].modes(); };
  for (int x = 0; x < modes(0); ++x)
    for (int y = 0; y < modes(1); ++y)
      for (int z = 0; z < modes(2); ++z) {
        double const kappa = std::hypot(x * g.axis[0].unit(), y * g.axis[1].unit(), z * g.axis[2].unit());
        SharedTerms& of_mode = terms.emplace_back();
        if (g.radius == 0) of_mode.central = central_sample(g, kappa);
        if (g.radius > 0 && g.open() == 2 && kappa > 0) of_mode.edge = bessel_k(g.radius * kappa);
      }
  return terms;
}

}  // namespace nearfar
