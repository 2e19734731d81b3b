// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace nearfar {

/// Rows in several arrays, one after the other, each in the memory of the host or of a GPU that a worker drives: the
/// rows of an array follow those of the array before it, and a result is written to where its row lies. It owns
/// nothing. With an array for each GPU, points and all that belongs to them stay there but for what crosses between the
/// GPUs' parts of the box; GPU k of K has the k-th part along x (Ewald sums) or along the curve of the tree (multipole
/// method). Positions, strengths and results may be cut differently, each at most `max_arrays` times. T is double or
/// float, const for input.
///
///   Arrays<double const> charges({q0, q1}); Arrays<double> potentials({phi0, phi1});  // of GPU 0 and of GPU 1
template <class T>
class Arrays {
 public:
  explicit Arrays(std::vector<std::span<T>> arrays) : arrays_(std::move(arrays)) {}

  std::vector<std::span<T>> const& all() const noexcept { return arrays_; }
  /// Of all arrays together.
  std::size_t numbers() const noexcept {
    std::size_t sum = 0;
    for (auto const& array : arrays_) sum += array.size();
    return sum;
  }

 private:
  std::vector<std::span<T>> arrays_;
};

inline constexpr std::size_t max_arrays = 16;

}  // namespace nearfar
