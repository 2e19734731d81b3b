// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/constants.hpp"
#include "core/spectral/mode_table.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace nearfar::test {

/// A real field on a periodic grid of any size that is even in each direction, and so is its transform: values at
/// 0 .. half of it.
class EvenGrid {
 public:
  std::array<int, 3> size;  ///< of the whole grid

  explicit EvenGrid(std::array<int, 3> const& n)
      : size(n), value_(std::size_t(half(0) + 1) * std::size_t(half(1) + 1) * std::size_t(half(2) + 1)) {}

  int half(int d) const { return size[std::size_t(d)] / 2; }

  double& at(int x, int y, int z) { return value_[place(x, y, z)]; }
  double at(int x, int y, int z) const { return value_[place(x, y, z)]; }

  /// At a distance from -size to size in each direction.
  double around(int x, int y, int z) const { return at(folded(0, x), folded(1, y), folded(2, z)); }

  template <class Value>  // of the place
  void fill(Value value) {
    for (int x = 0; x <= half(0); ++x)
      for (int y = 0; y <= half(1); ++y)
        for (int z = 0; z <= half(2); ++z) at(x, y, z) = value(x, y, z);
  }

  /// The discrete transform in all directions by its definition; twice is the field times the grid's points.
  void transform() {
    for (int d = 0; d < 3; ++d) transform(d);
  }

  /// What remains where the grid is `n` points wide: the values near zero.
  EvenGrid restricted(std::array<int, 3> const& n) const {
    EvenGrid inner(n);
    inner.fill([&](int x, int y, int z) { return at(x, y, z); });
    return inner;
  }

  /// The values times `factor` as the table of a layout with one padding, whose transforms are this grid.
  template <class T>
  std::vector<T> table(SpectralLayout const& layout, double factor) const {
    std::vector<T> data(std::size_t(ModeTable<T>::size(layout)));
    ModeTable<T> const table(layout, data.data());
    for (int i = 0; i < layout.column_count(); ++i) {
      ModeColumn const c = layout.column(i);
      for (int x = 0; c.y <= half(1) && x <= half(0); ++x) table.row(c)[x] = T(factor * at(x, c.y, c.z));
    }
    return data;
  }

 private:
  std::size_t place(int x, int y, int z) const {
    return (std::size_t(x) * std::size_t(half(1) + 1) + std::size_t(y)) * std::size_t(half(2) + 1) + std::size_t(z);
  }
  int folded(int d, int distance) const {
    int const i = std::abs(distance);
    return i <= half(d) ? i : size[std::size_t(d)] - i;
  }

  void transform(int d) {
    int const n = size[std::size_t(d)], count = half(d) + 1;
    std::vector<double> cosine, in(static_cast<std::size_t>(count));
    for (int i = 0; i < n; ++i) cosine.push_back(std::cos(2 * pi<double> * i / n));
    int const a = (d + 1) % 3, b = (d + 2) % 3;
    for (int i = 0; i <= half(a); ++i)
      for (int j = 0; j <= half(b); ++j) {
        auto line = [&](int k) -> double& {
          int at_[3];
          at_[a] = i, at_[b] = j, at_[d] = k;
          return at(at_[0], at_[1], at_[2]);
        };
        for (int k = 0; k < count; ++k) in[std::size_t(k)] = line(k);
        for (int k = 0; k < count; ++k) {
          double sum = in[0];
          for (int l = 1; l < count; ++l)
            sum += (2 * l == n ? 1 : 2) * in[std::size_t(l)] * cosine[std::size_t(std::int64_t(l) * k % n)];
          line(k) = sum;
        }
      }
  }

  std::vector<double> value_;
};

}  // namespace nearfar::test
