// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace nearfar {

/// A quantity in consecutive columns of a row of strengths or results: a scalar, a vector or a tensor.
struct Field {
  std::string_view columns;  ///< their names; each * stands for an axis: "f*" is fx, fy, fz
  /// Of a strength: changes sign in a mirror, like a torque.
  bool axial = false;
  Output output{};         ///< of a result: what it is
  int derivative = 0;      ///< of a result: how often the kernel's first result is differentiated by position
  bool symmetric = false;  ///< a tensor of which xx, xy, xz, yy, yz, zz are in the row

  /// Its number of indices.
  constexpr int order() const {
    int stars = 0;
    for (char const c : columns) stars += c == '*';
    return stars;
  }
  constexpr int size() const { return order() == 0 ? 1 : order() == 1 ? 3 : symmetric ? 6 : 9; }

  /// The axes of number i, for each index, and the number of these axes.
  constexpr std::array<int, 2> axes(int i) const {
    if (!symmetric) return order() == 1 ? std::array{i, 0} : std::array{i / 3, i % 3};
    int const row = i < 3 ? 0 : i < 5 ? 1 : 2;
    return {row, i - row * (5 - row) / 2};
  }
  constexpr int number(std::array<int, 2> axis) const {
    if (!symmetric) return order() == 0 ? 0 : order() == 1 ? axis[0] : 3 * axis[0] + axis[1];
    int const low = axis[0] < axis[1] ? axis[0] : axis[1], high = axis[0] + axis[1] - low;
    return low * (5 - low) / 2 + high;
  }
};

/// Strengths whose product makes a field that falls like 1 / r^decay: a force, or the two vectors of a double layer.
struct Layer {
  int first = 0, fields = 1;  ///< among the fields of the strengths
  int decay = 1;
  double passed = 1;   ///< of the square of a random strength, what a Fourier mode passes on, averaged over directions
  double pressed = 0;  ///< the same for the pressure, as a multiple of the Laplace multiplier times k
};

/// Whether a kernel is screened: its functions of a pair take the screening, too.
template <class K>
inline constexpr bool is_screened = requires {
  requires K::screened;
};

template <std::size_t N>
constexpr int numbers_of(std::array<Field, N> const& fields) {
  int sum = 0;
  for (Field const& field : fields) sum += field.size();
  return sum;
}

}  // namespace nearfar
