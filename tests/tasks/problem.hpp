// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/nearfar.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace nearfar::test {

/// Random points with strengths, some of them outside the box.
template <class T = double>
struct Problem {
  std::vector<T> x, f;
  Problem(std::size_t n, int components, unsigned seed = 1) : x(3 * n), f(std::size_t(components) * n) {
    std::mt19937 random(seed);
    auto uniform = [&] { return T(random()) / T(4294967296.0); };
    for (T& v : x) v = T(1.2) * uniform() - T(0.1);
    for (T& v : f) v = 2 * uniform() - 1;
  }
};

/// Relative l2 difference of `a` from `b`.
template <class T>
double relative_difference(std::vector<T> const& a, std::vector<T> const& b) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::pow(double(a[i]) - double(b[i]), 2);
    all += std::pow(double(b[i]), 2);
  }
  return std::sqrt(difference / all);
}

template <class T>
std::vector<T> solve(BasicEwald<T> plan, Problem<T> const& p, Part part = Part::whole) {
  auto const points = plan.set_points(p.x);
  std::vector<T> u(points.targets() * std::size_t(result_components(plan.options().kernel, plan.options().outputs)));
  plan.submit(points, std::span<T const>(p.f), std::span<T>(u), part).wait();
  return u;
}

}  // namespace nearfar::test
