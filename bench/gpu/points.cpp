// SPDX-License-Identifier: BSD-3-Clause
// What it takes to set and to move points that are in the memory of the GPU.
#include "bench/gpu/cases.hpp"

#include <cmath>
#include <cstdio>

namespace nearfar::bench {

namespace {

/// Points of a Plummer sphere with a scale length of 1, those within 30 of its centre.
template <class T>
std::vector<T> plummer(std::size_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  std::vector<T> x;
  x.reserve(3 * count);
  while (x.size() < 3 * count) {
    double const way[3] = {normal(random), normal(random), normal(random)},
                 radius = 1 / std::sqrt(std::pow(uniform(random), -2.0 / 3) - 1);
    if (radius > 30) continue;
    for (double w : way) x.push_back(T(radius * w / std::hypot(way[0], way[1], way[2])));
  }
  return x;
}

template <class T>
void print_row(Runtime const& runtime, char const* what, std::vector<T> const& x, double tolerance, Checks& checks) {
  constexpr int repeat = 5;
  std::vector<T> moved = x;
  std::mt19937 random(2);
  T const step = T(1e-4) * *std::ranges::max_element(x);
  for (T& v : moved) v += step * T(random() / 2147483648.0 - 1);
  DeviceArray<T> const here{std::span<T const>(x)}, there{std::span<T const>(moved)};
  std::vector<T> const charges(x.size() / 3, T(1));
  DeviceArray<T> const strengths{std::span<T const>(charges)}, result(x.size() / 3 * 4);
  BasicFmm<T> plan(runtime, {.outputs = Output::potential | Output::gradient, .tolerance = tolerance});
  auto points = plan.set_points(here.span());
  double const set = median_of(repeat, [&] { points = plan.set_points(here.span()); });
  std::vector<T> by_gpu(result.span().size()), by_host(by_gpu);
  plan.submit(points, strengths.span(), result.span()).wait();
  result.download(by_gpu);
  // Of views, the host makes the tree.
  auto const of_view = plan.set_points(RowsIn::packed(x.data(), x.size() / 3, 3));
  plan.submit(of_view, charges, by_host).wait();
  checks.expect(by_gpu == by_host, std::string("other bits by a tree that the host has made of points, ") + what);
  bool to = true;
  double const move = median_of(repeat, [&] {
    points = plan.move_points(points, (to ? there : here).span());
    to = !to;
  });
  double const first = plan.submit(points, strengths.span(), result.span()).report().seconds;
  double const later =
      time_solves([&] { return plan.submit(points, strengths.span(), result.span()); }, 3, 1).seconds();
  auto const p = plan.parameters();
  std::printf("| %zu | %s | %s | %.2f | %.2f | %.2f | %.2f | order %d, depth %d, capacity %d, %zu boxes |\n",
              x.size() / 3, what, sizeof(T) == sizeof(float) ? "single" : "double", 1e3 * set, 1e3 * move, 1e3 * first,
              1e3 * later, p.order, p.depth, p.capacity, p.boxes);
}

}  // namespace

void print_points(Settings const& settings, Checks& checks) {
  std::printf(
      "## Points\n\nPoints in the memory of the GPU, set for sums of charges (potential and gradient; 1e-6, in single "
      "precision 1e-3), and moved by 1e-4 of the system: milliseconds.\n\n"
      "| points | distribution | precision | set | moved | first solve | later ones | plan "
      "|\n|---|---|---|---|---|---|---|---|\n");
  Runtime const runtime({.gpus = 1});
  for (double const millions : {1.0, 4.0, 16.0}) {
    if (settings.quick && millions > 4) continue;
    auto const count = std::size_t(1e6 * millions);
    print_row<double>(runtime, "uniform", Particles<double>(count, 1).x, 1e-6, checks);
    print_row<float>(runtime, "uniform", Particles<float>(count, 1).x, 1e-3, checks);
    print_row<double>(runtime, "Plummer", plummer<double>(count), 1e-6, checks);
  }
  std::printf("\n");
}

}  // namespace nearfar::bench
