// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/influence/influence.hpp"
#include "codelets/spectral/influence/lines.hpp"
#include "core/ewald/split/profile.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "tasks/engine/arena.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace nearfar;

namespace {

using Point = std::array<int, 3>;

/// The table of a plan, as if its window were a point, in so many parts.
class Table {
 public:
  Table(EwaldOptions const& options, int parts)
      : parameters(choose_parameters<double>(options, 2000, 2000)), f(make_influence_function(options, parameters)) {
    std::vector<double> corrections(std::size_t(f.corrections()), 1.0);
    for (int d = 0; d < 3; ++d) corrections[std::size_t(f.first_correction(d) + f.axis[d].samples() - 1)] = 0;
    prepare_line_plans(f);
    detail::Arena<double> scratch(std::size_t(influence_scratch(f)));
    std::vector<std::vector<double>> planes;
    std::vector<std::span<double const>> slabs;
    int const samples = f.axis[0].samples();
    for (int p = 0; p < parts; ++p) {
      int const first = samples * p / parts, count = samples * (p + 1) / parts - first;
      planes.emplace_back(std::size_t(count * f.numbers() * f.plane()));
      fill_influence_planes(f, corrections.data(), first, count, scratch.data(), planes.back().data());
    }
    for (auto const& p : planes) slabs.emplace_back(p);
    table.resize(std::size_t(f.table_size()));
    std::int64_t const half = f.plane() / 2, row = std::int64_t(f.numbers()) * f.axis[0].modes();
    fill_influence_columns(f, slabs, 0, half, scratch.data(), table.data());
    fill_influence_columns(f, slabs, half, f.plane() - half, scratch.data(), table.data() + half * row);
  }

  /// What the modes of a number come to at a point of the grid, by a sum over all of them.
  double in_space(int number, Point const& at) const {
    std::array<std::vector<double>, 3> wave;
    for (std::size_t d = 0; d < 3; ++d)
      for (int k = 0; k < f.axis[d].modes(); ++k) {
        double const angle = pi<double> * k * at[d] / f.axis[d].size;
        double const pair = k == 0 || k == f.axis[d].size ? 1 : 2;
        wave[d].push_back(pair * (is_odd(f.number(number), int(d)) ? std::sin(angle) : std::cos(angle)));
      }
    double sum = 0;
    for (std::size_t y = 0; y < wave[1].size(); ++y)
      for (std::size_t z = 0; z < wave[2].size(); ++z)
        for (std::size_t x = 0; x < wave[0].size(); ++x)
          sum +=
              wave[0][x] * wave[1][y] * wave[2][z] *
              table[((y * wave[2].size() + z) * wave[0].size() + x) * std::size_t(f.numbers()) + std::size_t(number)];
    return number < 3 ? sum : -sum;  // the product of two sines, or of one and the i before it
  }

  EwaldPlanning parameters;
  InfluenceFunction f;
  std::vector<double> table;
};

/// The far part's kernel (ewald.md, Sec. 1) in space.
double kernel_at(EwaldOptions const& o, EwaldPlanning const& p, int number, std::array<double, 3> const& r) {
  Profile const profile(o.split, p.split_parameter, p.cutoff);
  constexpr std::size_t pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  double const distance = std::hypot(r[0], r[1], r[2]), first = double(profile.first(distance));
  bool const laplace = o.kernel == Kernel::laplace, diagonal = number < 3;
  if (distance == 0) return !diagonal ? 0 : laplace ? first : 2 * first;
  double const far = double(profile.value(distance)) / distance;
  if (laplace) return far;
  if (number >= 6)
    return r[std::size_t(number - 6)] / distance * (double(profile.second(distance)) + 2 * (first - far) / distance);
  auto const [i, j] = pair[number];
  return (diagonal ? far + first : 0) + r[i] * r[j] / (distance * distance) * (far - first);
}

}  // namespace

TEST_CASE(
    "influence function: on twice the grid it is the far part's kernel in space, up to the far corner of the box") {
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet, Kernel::stokes})
    for (auto const& box : {std::array{1.0, 1.0, 1.0}, {1.0, 0.5, 2.0}}) {
      EwaldOptions const o{.kernel = kernel, .periodicity = Periodicity::none, .box = box, .tolerance = 1e-9};
      Table const t(o, kernel == Kernel::laplace ? 1 : 3);
      Point corner{};
      for (std::size_t d = 0; d < 3; ++d) corner[d] = int(box[d] / t.f.axis[d].spacing);
      for (Point const& at : {Point{0, 0, 0}, {1, 0, 0}, {0, 2, 1}, {3, 1, 4}, {0, corner[1], 0}, corner})
        for (int number = 0; number < t.f.numbers(); ++number) {
          CAPTURE(name(kernel));
          CAPTURE(number);
          CAPTURE(at[2]);
          std::array<double, 3> r{};
          for (std::size_t d = 0; d < 3; ++d) r[d] = at[d] * t.f.axis[d].spacing;
          double const scale = std::pow(t.parameters.cutoff, number < 6 ? -1 : -2);  // that of the kernel at 0
          CHECK(std::abs(t.in_space(number, at) - kernel_at(o, t.parameters, number, r)) < 3e-9 * scale);
        }
    }
}
