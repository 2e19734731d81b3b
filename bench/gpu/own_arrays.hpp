// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/gpu/cases.hpp"
#include "bench/gpu/device.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::bench {

/// The number of a cell of 64 cubed along a curve through nested cubes, each of which is cut along x first.
template <class T>
unsigned along_curve(T const* x) {
  unsigned number = 0;
  for (int bit = 5; bit >= 0; --bit)
    for (int d = 0; d < 3; ++d) number = 2 * number + ((unsigned(x[d] * 64) >> bit) & 1);
  return number;
}

/// The same points in another order: GPU k of K has the k-th part of them along x, or along the curve.
template <class T>
Particles<T> in_order(Particles<T> const& given, int in, bool curve) {
  std::size_t const count = given.x.size() / 3;
  std::vector<std::pair<double, std::uint32_t>> order(count);
  for (std::size_t i = 0; i < count; ++i)
    order[i] = {curve ? double(along_curve(&given.x[3 * i])) : double(given.x[3 * i]), std::uint32_t(i)};
  std::ranges::sort(order);
  Particles<T> sorted = given;
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(&given.x[3 * order[i].second], 3, &sorted.x[3 * i]);
    std::copy_n(&given.f[order[i].second * std::size_t(in)], in, &sorted.f[i * std::size_t(in)]);
  }
  return sorted;
}

/// An array for each GPU, with its own points.
template <class T>
struct OnEachGpu {
  std::vector<std::unique_ptr<DeviceArray<T>>> parts;

  OnEachGpu(std::span<T const> all, std::size_t row, int gpus) {
    std::size_t const rows = all.size() / row;
    for (int g = 0; g < gpus; ++g) {
      std::size_t const first = rows * std::size_t(g) / std::size_t(gpus),
                        last = rows * (std::size_t(g) + 1) / std::size_t(gpus);
      parts.push_back(std::make_unique<DeviceArray<T>>(all.subspan(first * row, (last - first) * row), g));
    }
  }
  template <class Number>
  Arrays<Number> arrays() const {
    std::vector<std::span<Number>> all;
    for (auto const& part : parts) all.emplace_back(part->span());
    return Arrays<Number>(all);
  }
  std::vector<T> download() const {
    std::vector<T> all;
    for (auto const& part : parts) {
      std::vector<T> some(part->span().size());
      part->download(some);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
};

/// Sets, and solves for, points of which each GPU has its own. `equal`: whether these are the bits of arrays of the
/// host.
struct OwnTimes {
  double solve, set_points;
  bool equal;
};
template <class T, class Plan>
OwnTimes time_own(Plan plan, std::size_t count, int in, int out, bool curve, int gpus, int repeat = 5) {
  Particles<T> const p = in_order(Particles<T>(count, in), in, curve);
  OnEachGpu<T> const x(p.x, 3, gpus), f(p.f, std::size_t(in), gpus);
  std::vector<T> u(count * std::size_t(out));
  OnEachGpu<T> const result(std::span<T const>(u), std::size_t(out), gpus);
  plan.set_points(x.template arrays<T const>());
  auto const begin = std::chrono::steady_clock::now();
  auto const points = plan.set_points(x.template arrays<T const>());
  double const set = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto const timing = time_solves(
      [&] { return plan.submit(points, f.template arrays<T const>(), result.template arrays<T>()); }, repeat);
  plan.submit(points, std::span<T const>(p.f), std::span<T>(u)).wait();
  return {timing.seconds(), set, result.download() == u};
}

}  // namespace nearfar::bench
