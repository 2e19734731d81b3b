// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/spectral/even_grid.hpp"
#include "tests/tasks/spectral/solve_field.hpp"

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::test;

namespace {

using Sizes = std::array<int, 3>;
using Edges = std::array<double, 3>;

/// Potential and field [4][x][y][z] at the centres of the cells, by value(position).
template <class Value>
std::vector<double> sampled(SpectralLayout const& l, int components, Value value) {
  std::vector<double> all;
  for (int m = 0; m < components; ++m)
    for (int x = 0; x < l.size[0]; ++x)
      for (int y = 0; y < l.size[1]; ++y)
        for (int z = 0; z < l.size[2]; ++z)
          all.push_back(value(Edges{(x + 0.5) / l.scale(0), (y + 0.5) / l.scale(1), (z + 0.5) / l.scale(2)})[m]);
  return all;
}

template <class T>
std::vector<T> as(std::vector<double> const& values) {
  return {values.begin(), values.end()};
}

double points(EvenGrid const& g) { return double(g.size[0]) * g.size[1] * g.size[2]; }

/// A charge cos(k (x - h / 2)) for some mode numbers, which may be half of a size.
struct Wave {
  Sizes mode;
  double charge;
};

struct Waves {
  SpectralLayout layout;
  std::vector<Wave> waves;

  double k(int d, Wave const& w) const { return layout.mode_unit(d, layout.size[d]) * w.mode[std::size_t(d)]; }
  double squared(Wave const& w) const { return k(0, w) * k(0, w) + k(1, w) * k(1, w) + k(2, w) * k(2, w); }
  double phase(Wave const& w, Edges const& at) const {
    double sum = 0;
    for (int d = 0; d < 3; ++d) sum += k(d, w) * (at[std::size_t(d)] - 0.5 / layout.scale(d));
    return sum;
  }
  std::array<double, 1> charge(Edges const& at) const {
    double sum = 3;  // a mean, which has no potential
    for (Wave const& w : waves) sum += w.charge * std::cos(phase(w, at));
    return {sum};
  }
  std::array<double, 4> potential_and_field(Edges const& at) const {
    std::array<double, 4> all{};
    for (Wave const& w : waves) {
      double const potential = w.charge / squared(w);
      all[0] += potential * std::cos(phase(w, at));
      // Along a direction where the sign of the mode is not defined the wave is taken for a standing one.
      for (int d = 0; d < 3; ++d)
        if (2 * w.mode[std::size_t(d)] != layout.size[d])
          all[std::size_t(d + 1)] += potential * k(d, w) * std::sin(phase(w, at));
    }
    return all;
  }
};

EvenGrid periodic_green(SpectralLayout const& l) {
  EvenGrid green({l.size[0], l.size[1], l.size[2]});
  green.fill([&](int x, int y, int z) {
    double const k[3] = {l.mode_unit(0, l.size[0]) * x, l.mode_unit(1, l.size[1]) * y, l.mode_unit(2, l.size[2]) * z},
                 squared = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    return squared > 0 ? 1 / squared : 0;
  });
  return green;
}

constexpr double width = 0.05;  // of Gaussian charges

/// A Gaussian charge of size 1 in free space (fmm.md, Sec. 5.6).
std::array<double, 1> gaussian(double r) {
  return {std::pow(2 * pi<double> * width * width, -1.5) * std::exp(-r * r / (2 * width * width))};
}
std::array<double, 4> gaussian_field(Edges const& from) {
  double const r = std::hypot(from[0], from[1], from[2]), x = r / (std::sqrt(2.0) * width),
               slope =
                   (std::erf(x) / r - std::sqrt(2 / pi<double>) * std::exp(-x * x) / width) / (4 * pi<double> * r * r);
  return {std::erf(x) / (4 * pi<double> * r), from[0] * slope, from[1] * slope, from[2] * slope};
}

/// The Green's function cut at a radius that no two points exceed, on four times the grid, then restricted to what the
/// points need (fmm.md, Secs. 5.2 to 5.4).
EvenGrid vico_green(SpectralLayout const& l) {
  double const radius = 1.1 * std::hypot(l.edge[0], l.edge[1], l.edge[2]);
  EvenGrid green({4 * l.size[0], 4 * l.size[1], 4 * l.size[2]});
  green.fill([&](int x, int y, int z) {
    double const k = std::hypot(l.mode_unit(0, 4 * l.size[0]) * x, l.mode_unit(1, 4 * l.size[1]) * y,
                                l.mode_unit(2, 4 * l.size[2]) * z);
    return k > 0 ? 2 * std::pow(std::sin(0.5 * radius * k) / k, 2) : 0.5 * radius * radius;
  });
  green.transform();
  double const scale = 1 / points(green);
  green = green.restricted({2 * l.size[0], 2 * l.size[1], 2 * l.size[2]});
  green.transform();
  green.fill([&](int x, int y, int z) { return scale * green.at(x, y, z); });
  return green;
}

/// The same where x alone is free: of e^{-kappa |x|} / (2 kappa), or of -|x| / 2 for kappa = 0.
EvenGrid slab_green(SpectralLayout const& l) {
  double const cut = 1.1 * l.edge[0];
  auto modes = [&](EvenGrid& green, auto value) {
    green.fill([&](int x, int y, int z) {
      return value(l.mode_unit(0, green.size[0]) * x,
                   std::hypot(l.mode_unit(1, l.size[1]) * y, l.mode_unit(2, l.size[2]) * z));
    });
  };
  EvenGrid green({4 * l.size[0], l.size[1], l.size[2]});
  modes(green, [&](double k, double kappa) {
    if (kappa > 0)
      return (kappa + std::exp(-kappa * cut) * (k * std::sin(k * cut) - kappa * std::cos(k * cut))) /
             (kappa * (kappa * kappa + k * k));
    return k > 0 ? -(cut * std::sin(k * cut) / k + (std::cos(k * cut) - 1) / (k * k)) : -0.5 * cut * cut;
  });
  // Back and forth along y and z, too, which changes nothing but the scale.
  green.transform();
  double const scale = 1 / points(green);
  green = green.restricted({2 * l.size[0], l.size[1], l.size[2]});
  green.transform();
  green.fill([&](int x, int y, int z) { return scale * green.at(x, y, z); });
  return green;
}

/// What a layer of charge, Gaussian across x, times cos(kappa s) along it has for a potential at the distance x.
double layer_potential(double x, double kappa) {
  double const root = std::sqrt(2.0) * width;
  if (kappa == 0)
    return -0.5 * (x * std::erf(x / root) + std::sqrt(2 / pi<double>) * width * std::exp(-x * x / root / root));
  double const spread = kappa * width * width;
  return std::exp(0.5 * kappa * spread) / (4 * kappa) *
         (std::exp(-kappa * x) * std::erfc((spread - x) / root) + std::exp(kappa * x) * std::erfc((spread + x) / root));
}

}  // namespace

TEST_CASE("periodic: sums of cosines, with their field, on any grid and for any cut") {
  Runtime const runtime;
  for (Sizes const& size : {Sizes{12, 10, 8}, {9, 7, 15}, {5, 16, 6}, {8, 9, 21}}) {
    Waves problem{plain_layout({1, 1.3, 0.7}, size, 0, size),
                  {{{1, 2, 3}, 1}, {{2, 0, 0}, -2}, {{0, 3, 1}, 0.7}, {{0, 0, 2}, 1.5}}};
    for (std::size_t d = 0; d < 3; ++d)
      if (size[d] % 2 == 0) {
        Wave highest{{1, 1, 1}, 0.3};
        highest.mode[d] = size[d] / 2;
        problem.waves.push_back(highest);
      }
    auto const& l = problem.layout;
    auto const charge = sampled(l, 1, [&](Edges const& at) { return problem.charge(at); });
    auto const exact = sampled(l, 4, [&](Edges const& at) { return problem.potential_and_field(at); });
    std::size_t const n = charge.size();
    EvenGrid const green = periodic_green(l);
    auto const table = green.table<double>(l, 1 / points(green));
    for (FieldCut const& cut : cuts) {
      CAPTURE(size[0]);
      CAPTURE(cut.slabs);
      auto const potential = solve_field(runtime, l, cut, PotentialOperator<double>{}, table, charge);
      auto const field = solve_field(runtime, l, cut, FieldOperator<double>{}, table, charge);
      auto const both = solve_field(runtime, l, cut, PotentialAndFieldOperator<double>{}, table, charge);
      CHECK(error_of(both, exact) < 1e-13);
      CHECK(potential == std::vector(both.begin(), both.begin() + std::ptrdiff_t(n)));
      CHECK(field == std::vector(both.begin() + std::ptrdiff_t(n), both.end()));
    }
    auto const single = solve_field(runtime, l, cuts[1], PotentialAndFieldOperator<float>{},
                                    green.table<float>(l, 1 / points(green)), as<float>(charge));
    CHECK(error_of(single, exact) < 2e-6);
  }
}

TEST_CASE("free: a Gaussian charge, with the errors of the method") {
  Runtime const runtime;
  struct Case {
    Sizes size;
    Edges edge;
    double potential, field;  // errors; of cubes those of fmm.md, Sec. 5.6
  };
  for (Case const& c :
       {Case{{16, 16, 16}, {1, 1, 1}, 2.8895e-4, 1.86e-2}, {{32, 32, 32}, {1, 1, 1}, 1.17e-9, 5.81e-7}}) {
    Sizes const padded{2 * c.size[0], 2 * c.size[1], 2 * c.size[2]};
    auto const l = plain_layout(c.edge, c.size, 3, padded);
    auto from = [&](Edges const& at) {
      return Edges{at[0] - c.edge[0] / 2, at[1] - c.edge[1] / 2, at[2] - c.edge[2] / 2};
    };
    auto const charge = sampled(l, 1, [&](Edges const& at) {
      Edges const x = from(at);
      return gaussian(std::hypot(x[0], x[1], x[2]));
    });
    auto const exact = sampled(l, 4, [&](Edges const& at) { return gaussian_field(from(at)); });
    EvenGrid const green = vico_green(l);
    auto const both = solve_field(runtime, l, cuts[2], PotentialAndFieldOperator<double>{},
                                  green.table<double>(l, 1 / points(green)), charge);
    auto part = [&](auto const& all, int m) {
      auto const n = std::ptrdiff_t(charge.size());
      return std::vector(all.begin() + m * n, all.begin() + (m + 1) * n);
    };
    CAPTURE(c.size[1]);
    CHECK(error_of(part(both, 0), part(exact, 0)) == doctest::Approx(c.potential).epsilon(0.05));
    for (int m : {1, 2, 3}) CHECK(error_of(part(both, m), part(exact, m)) == doctest::Approx(c.field).epsilon(0.05));
  }
}

TEST_CASE("free along x: layers of charge, with and without waves along them") {
  Runtime const runtime;
  Sizes const size{64, 9, 12}, padded{128, 9, 12};
  auto const l = plain_layout({1.1, 0.8, 1.3}, size, 1, padded);
  double const ky = l.mode_unit(1, size[1]), kz = l.mode_unit(2, size[2]), kappa = std::hypot(2 * ky, kz);
  auto wave = [&](Edges const& at) { return std::cos(2 * ky * at[1]) * std::cos(kz * at[2]); };
  auto const charge = sampled(l, 1, [&](Edges const& at) {
    double const x = at[0] - 0.5;
    return std::array{std::exp(-x * x / (2 * width * width)) / (std::sqrt(2 * pi<double>) * width) *
                      (1 + 20 * wave(at) + 3 * std::cos(ky * at[1]))};
  });
  auto const exact = sampled(l, 1, [&](Edges const& at) {
    double const x = at[0] - 0.5;
    return std::array{layer_potential(x, 0) + 20 * wave(at) * layer_potential(x, kappa) +
                      3 * std::cos(ky * at[1]) * layer_potential(x, ky)};
  });
  EvenGrid const green = slab_green(l);
  auto const table = green.table<double>(l, 1 / points(green));
  for (FieldCut const& cut : cuts)
    CHECK(error_of(solve_field(runtime, l, cut, PotentialOperator<double>{}, table, charge), exact) < 1e-13);
}
