// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/grids/poisson_case.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nearfar::cli {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double widths_per_edge = 20, radii_per_edge = 2.4;

PoissonValues gaussian(double sigma, std::array<double, 3> const& x, double r) {
  double const bell = std::exp(-r * r / (2 * sigma * sigma)), root = std::sqrt(2 / pi);
  PoissonValues v{bell / std::pow(2 * pi * sigma * sigma, 1.5), root / (4 * pi * sigma), {}};
  if (r < 1e-8 * sigma) return v;
  double const inside = std::erf(r / (std::sqrt(2.0) * sigma));
  v.potential = inside / (4 * pi * r);
  double const slope = (inside / r - root * bell / sigma) / (4 * pi * r * r);
  for (std::size_t d = 0; d < 3; ++d) v.field[d] = slope * x[d];
  return v;
}

PoissonValues sphere(double radius, std::array<double, 3> const& x, double r) {
  double const density = 4 * pi, cube = radius * radius * radius;
  bool const inside = r <= radius;
  PoissonValues v{inside ? density : 0, density * (inside ? (3 * radius * radius - r * r) / 6 : cube / (3 * r)), {}};
  double const slope = density * (inside ? 1.0 / 3 : cube / (3 * r * r * r));
  for (std::size_t d = 0; d < 3; ++d) v.field[d] = slope * x[d];
  return v;
}

}  // namespace

PoissonCase poisson_case_from_name(std::string const& text) {
  if (text == "gaussian") return PoissonCase::gaussian;
  if (text == "sphere") return PoissonCase::sphere;
  throw Error{Fault::bad_input, "--case is '" + text + "', which is not known; take one of gaussian, sphere"};
}

std::array<double, 3> usual_box(PoissonCase which) {
  if (which == PoissonCase::gaussian) return {1, 1, 1};
  return {radii_per_edge, radii_per_edge, radii_per_edge};
}

PoissonValues poisson_values(PoissonCase which, std::array<double, 3> const& box, std::array<double, 3> const& at) {
  std::array<double, 3> x{};
  for (std::size_t d = 0; d < 3; ++d) x[d] = at[d] - 0.5 * box[d];
  double const r = std::hypot(x[0], x[1], x[2]), shortest = *std::ranges::min_element(box);
  return which == PoissonCase::gaussian ? gaussian(shortest / widths_per_edge, x, r)
                                        : sphere(shortest / radii_per_edge, x, r);
}

}  // namespace nearfar::cli
