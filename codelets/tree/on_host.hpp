// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "core/tree/morton.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace nearfar {

/// Numbers of which reduced() takes the smallest, the largest or the sum.
struct Smallest {
  static constexpr double start = std::numeric_limits<double>::infinity();
  NEARFAR_FUNCTION double operator()(double a, double b) const { return b < a ? b : a; }
};
struct Greatest {
  static constexpr std::uint64_t start = 0;
  NEARFAR_FUNCTION std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return b > a ? b : a; }
};
struct Sum {
  static constexpr std::uint64_t start = 0;
  NEARFAR_FUNCTION std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

template <class Number>
struct SetTo0 {
  Number* numbers;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { numbers[i] = 0; }
};
struct CopyNumber {
  std::uint64_t const* from;
  std::uint64_t* to;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};
/// Replaces counts by the sums of all before them, and appends the sum of all.
template <class Device>
void begin_counts(Device& device, std::int32_t* counts, std::int64_t size) {
  device.for_all(1, SetTo0<std::int32_t>{counts + size}, "adds up counts");
  device.begin_all(counts, size + 1);
}

/// Where the stages of this folder run, which are written once: here on one core of the host, in on_gpu.hpp on a GPU.
/// What they make is the same, and what loops of core/tree make.
class TreeOnHost {
 public:
  /// Threads that share a sum over a block, each with partial results of its own.
  static constexpr std::int64_t threads = 4;

  /// Memory for so many items while this object lives.
  template <class Item>
  Item* room(std::int64_t count) {
    return reinterpret_cast<Item*>(memory_.emplace_back(std::size_t(count) * sizeof(Item)).data());
  }
  /// body(i) for i in [0, count), in any order.
  template <class Body>
  void for_all(std::int64_t count, Body const& body, char const*) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }
  /// For each row = body.row(r), r in [0, rows), in any order: for each item of [row.first, row.last), at most
  /// Body::longest of them, for which found = body.find(row, item) is not negative, body.take(row, item, found, n) with
  /// the number n of those before it; and body.end(row, n) with that of all.
  template <class Body>
  void select(std::int64_t rows, Body const& body, char const*) {
    for (std::int64_t r = 0; r < rows; ++r) {
      auto const row = body.row(r);
      std::int32_t n = 0;
      for (std::int32_t item = row.first; item < row.last; ++item)
        if (std::int32_t const found = body.find(row, item); found >= 0) body.take(row, item, found, n++);
      body.end(row, n);
    }
  }
  /// Replaces counts by the sums of all before them.
  void begin_all(std::int32_t* counts, std::int64_t size) {
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < size; ++i) sum += std::exchange(counts[i], sum);
  }
  /// out[k], k < numbers, of what body(i, values) makes of values[k], at first Operation::start, for i in [0, count):
  /// of any parts of all i for themselves, whose results are then combined.
  template <class Operation, int most, class Body, class Number>
  void reduce(std::int64_t count, Body const& body, int numbers, Number* out, char const*) {
    std::fill_n(out, numbers, Number(Operation::start));
    for (std::int64_t i = 0; i < count; ++i) body(i, out);
  }
  /// out[row] from the parts [row * columns + column].
  template <class Operation, class Number>
  void reduced(Number const* parts, int rows, std::int64_t columns, Number* out) {
    for (int r = 0; r < rows; ++r) {
      out[r] = Operation::start;
      for (std::int64_t c = 0; c < columns; ++c) out[r] = Operation()(out[r], parts[r * columns + c]);
    }
  }
  /// Sorts keys of level `level`; equal keys keep their order.
  void sort(MortonKey const* keys, std::int64_t count, int level, MortonKey* sorted_keys, std::uint32_t* order) {
    SortedKeys const in_order = sorted(std::span(keys, std::size_t(count)), level);
    std::copy(in_order.keys.begin(), in_order.keys.end(), sorted_keys);
    std::copy(in_order.order.begin(), in_order.order.end(), order);
  }

 private:
  std::vector<BulkVector<std::byte>> memory_;
};

}  // namespace nearfar
