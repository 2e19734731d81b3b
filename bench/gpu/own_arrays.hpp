// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/gpu/cases.hpp"
#include "bench/gpu/device.hpp"

#include <algorithm>
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

}  // namespace nearfar::bench
