// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/direct_shift.hpp"

#include "core/fmm/complex_view.hpp"
#include "core/fmm/harmonics.hpp"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace nearfar;
using Point = std::array<double, 3>;

namespace {

/// Charges about a centre, and what their expansions should be.
struct Cluster {
  Point centre;
  std::vector<Point> point;
  std::vector<double> charge;

  Cluster(Point c, double radius, int count, unsigned seed) : centre(c) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < count; ++i) {
      point.push_back(
          {c[0] + radius * uniform(random), c[1] + radius * uniform(random), c[2] + radius * uniform(random)});
      charge.push_back(uniform(random));
    }
  }
  std::vector<double> multipole(int order, Point const& about) const {
    std::vector<double> m(std::size_t(coefficient_count(order))), r(m.size());
    for (std::size_t j = 0; j < point.size(); ++j) {
      regular_harmonics<double>(order, point[j][0] - about[0], point[j][1] - about[1], point[j][2] - about[2],
                                r.data());
      for (std::size_t i = 0; i < m.size(); ++i) m[i] += charge[j] * r[i];
    }
    return m;
  }
  double potential(Point const& x) const {
    double phi = 0;
    for (std::size_t j = 0; j < point.size(); ++j)
      phi += charge[j] / std::hypot(x[0] - point[j][0], x[1] - point[j][1], x[2] - point[j][2]);
    return phi;
  }
};

double value(int order, std::vector<double> const& local, Point const& centre, Point const& x) {
  std::vector<double> r(local.size());
  regular_harmonics<double>(order, x[0] - centre[0], x[1] - centre[1], x[2] - centre[2], r.data());
  double phi = 0;
  for (int n = 0; n <= order; ++n)
    for (int m = -n; m <= n; ++m)
      phi += (std::conj(coefficient(r.data(), n, m)) * coefficient(local.data(), n, m)).real();
  return phi;
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return error / size;
}

}  // namespace

TEST_CASE("shifting a multipole is exact") {
  int const order = 10;
  Cluster const cluster({0.5, -0.5, 0.5}, 0.5, 20, 1);
  double const t[3] = {0.5, -0.5, 0.5};
  std::vector<double> shifted(std::size_t(coefficient_count(order)));
  shift_multipole(order, t, cluster.multipole(order, cluster.centre).data(), shifted.data());
  CHECK(difference(shifted, cluster.multipole(order, {0, 0, 0})) < 1e-14);
}

TEST_CASE("shifting a local is exact") {
  int const order = 10;
  std::vector<double> local(std::size_t(coefficient_count(order))), shifted(local.size());
  std::mt19937 random(2);
  for (double& l : local) l = std::uniform_real_distribution<double>(-1, 1)(random);
  double const s[3] = {0.5, 0.5, -0.5};
  shift_local(order, s, local.data(), shifted.data());
  for (Point const x : {Point{0.1, 0.2, 0.3}, Point{-0.4, 0.3, 0.9}, Point{0.5, 0.5, -0.5}})
    CHECK(value(order, shifted, {0.5, 0.5, -0.5}, x) ==
          doctest::Approx(value(order, local, {0, 0, 0}, x)).epsilon(1e-13));
}

TEST_CASE("the whole chain of shifts converges to the potential") {
  Cluster const cluster({0.5, 0.5, 0.5}, 0.5, 20, 3);  // child of the box about 0 with half side 1
  Point const target{4, -2, 2}, child{3.5, -1.5, 1.5}, x{3.1, -1.1, 1.2};
  double last = 1;
  for (int order : {4, 10, 16, 22}) {
    std::size_t const size = std::size_t(coefficient_count(order));
    std::vector<double> m(size), l(size), lower(size);
    double const up[3] = {0.5, 0.5, 0.5}, down[3] = {-0.5, 0.5, -0.5};
    shift_multipole(order, up, cluster.multipole(order, cluster.centre).data(), m.data());
    multipole_to_local(order, target.data(), m.data(), l.data());
    shift_local(order, down, l.data(), lower.data());
    double const error = std::abs(value(order, lower, child, x) / cluster.potential(x) - 1);
    CHECK(error < 0.1 * last);
    last = error;
  }
  CHECK(last < 1e-8);
  CHECK(last > 0);
}
