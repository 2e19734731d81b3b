// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/every.hpp"
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>

using namespace nearfar;

// Periodic sums as limits: of more and more images in free space, and the other way round.

namespace {

/// Strengths that add up to zero, and double layers whose q.n do.
System neutral_system(Periodicity periodicity, Kernel kernel, oracle::Box const& box) {
  auto system = random_system(periodicity, kernel, box, 8, 5, 71, false);
  std::size_t const row = oracle::strength_row(kernel), rows = system.strengths.size() / row;
  std::size_t const charges = kernel == Kernel::laplace ? 1 : oracle::has_stokeslet(kernel) ? 3 : 0;
  for (std::size_t c = 0; c < charges; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += system.strengths[row * i + c];
    for (std::size_t i = 0; i < rows; ++i) system.strengths[row * i + c] -= sum / double(rows);
  }
  return system;
}

/// The sum over the images up to `most` cells away along the directions that repeat.
std::vector<double> image_sum(System const& s, long most) {
  std::vector<double> sources, strengths;
  long const second = s.periodicity == Periodicity::xy ? most : 0;
  for (long i = -most; i <= most; ++i)
    for (long j = -second; j <= second; ++j) {
      for (std::size_t n = 0; n < s.sources.size(); n += 3)
        sources.insert(sources.end(), {s.sources[n] + double(i) * s.box[0], s.sources[n + 1] + double(j) * s.box[1],
                                       s.sources[n + 2]});
      strengths.insert(strengths.end(), s.strengths.begin(), s.strengths.end());
    }
  return oracle::free_space(s.kernel, s.gradient(), sources, s.targets, strengths);
}

/// What sums over (2 m + 1) or (2 m + 1)^2 cells tend to: the rest is a series in powers first, first + 2, ... of
/// 1 / (m + 1/2), which Richardson's extrapolation takes off one by one; m + 1/2 = 9/2 times powers of 3.
std::vector<double> limit(System const& s, std::size_t sums, int first) {
  std::vector<std::vector<double>> table;
  for (long m = 4; table.size() < sums; m = 3 * m + 1) table.push_back(image_sum(s, m));
  for (std::size_t level = 1; level < table.size(); ++level)
    for (std::size_t k = table.size() - 1; k >= level; --k) {
      double const gain = std::pow(3.0, first + 2 * int(level) - 2);
      for (std::size_t i = 0; i < table[k].size(); ++i) table[k][i] += (table[k][i] - table[k - 1][i]) / (gain - 1);
    }
  return table.back();
}

}  // namespace

TEST_CASE("property: neutral sums are the limit of sums over images") {
  Runtime const runtime;
  for (Kernel kernel : every_kernel) {
    auto const line = neutral_system(Periodicity::x, kernel, {1, 1.3, .8});
    check_error(title(line) + ", images", line, solve_whole(runtime, line, {.tolerance = 1e-12}), limit(line, 5, 2),
                1e-11);
    auto const layer = neutral_system(Periodicity::xy, kernel, {1, 1.3, .8});
    check_error(title(layer) + ", images", layer, solve_whole(runtime, layer, {.tolerance = 1e-12}), limit(layer, 4, 1),
                1e-10);
  }
}

TEST_CASE("property: a huge periodic box is free space, and Hasimoto's constant") {
  // phi - 2.8373 Q / L + (2 pi / 3 V) sum q r^2, and velocities -(4/3) 2.8373 F / L; what comes next falls like L^-5
  // for charges in a cube, L^-3 for velocities.
  Runtime const runtime;
  double const hasimoto = 2.837297479480620, pi = std::acos(-1.0);
  auto const difference = [&](Kernel kernel, double edge) {
    auto system = random_system(kernel, {1, 1, 1}, 30, 20, 73, false);
    auto const free = oracle::free_space(kernel, system.gradient(), system.sources, system.targets, system.strengths);
    system.box = {edge, edge, edge};
    auto u = solve_whole(runtime, system, {.tolerance = 1e-12, .zero_mode = ZeroMode::zero_mean_flow});
    std::size_t const columns = oracle::result_row(kernel, true), row = oracle::strength_row(kernel);
    double size = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      std::size_t const t = i / columns, c = i % columns;
      u[i] -= free[i];
      for (std::size_t n = 0; n < 30; ++n) {
        double const* s = &system.strengths[row * n];
        double r[3], r2 = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          r[d] = system.targets[3 * t + d] - system.sources[3 * n + d];
          r2 += r[d] * r[d];
        }
        double const curved = 2 * pi / (3 * edge * edge * edge) * s[0];
        if (kernel == Kernel::laplace && c == 0) u[i] += hasimoto / edge * s[0] - curved * r2;
        if (kernel == Kernel::laplace && c > 0) u[i] -= 2 * curved * r[c - 1];
        if (oracle::has_stokeslet(kernel)) u[i] += 4. / 3 * hasimoto / edge * s[c];
      }
      size += u[i] * u[i];
    }
    return std::sqrt(size / double(u.size()));
  };
  for (Kernel kernel : every_kernel) {
    CAPTURE(name(kernel));
    double const order = kernel == Kernel::laplace ? 5 : 3;
    double const near = difference(kernel, 8), far = difference(kernel, 16);
    CHECK(near / far == doctest::Approx(std::pow(2, order)).epsilon(.1));
    CHECK(far < (kernel == Kernel::laplace ? 1e-4 : 3e-2));
  }
}
