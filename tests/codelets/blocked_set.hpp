// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/near_frame.hpp"
#include "core/geometry/point_range.hpp"
#include "core/kernels/pairs/packed_source.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <type_traits>
#include <vector>

namespace nearfar::test {

/// Memory on whole cache lines, as StarPU gives it.
template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(Aligned<U> const&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(Aligned const&) const { return true; }
};
template <class T>
using AlignedVector = std::vector<T, Aligned<T>>;

/// Random points sorted into cells and blocks by the plainest means, with strengths: the input of codelet tests. Where
/// `apart` is given, every other point is so far from the one before it along each direction.
template <class T>
struct BlockedSet {
  struct Part {
    AlignedVector<T> position, near, strength, packed;
    AlignedVector<float> rough, packed_in_single;
    std::vector<std::int32_t> offset;
    std::size_t count = 0, stride = 0;

    /// Packed for sums in precision A.
    template <class A>
    auto& packed_in() {
      if constexpr (std::is_same_v<A, T>) return packed;
      else return packed_in_single;
    }
  };
  std::vector<Part> block;
  std::vector<std::array<double, 3>> point;       ///< in the order of the blocks
  std::vector<std::array<double, 3>> near_point;  ///< as the near part has them (core/geometry/near_frame.hpp)
  std::vector<std::array<double, 9>> strength;
  std::vector<int> first;  ///< of each block in `point`

  BlockedSet(Cells const& cells, int n, int components, unsigned seed, double apart = 0) {
    std::mt19937 random(seed);
    auto uniform = [&] { return random() / 4294967296.0; };
    std::vector<std::array<double, 3>> all(static_cast<std::size_t>(n));
    for (auto& p : all)
      for (int d = 0; d < 3; ++d) p[std::size_t(d)] = double(T(uniform() * cells.edge[d] * 0.9999));
    for (std::size_t i = 1; i < all.size() && apart > 0; i += 2)
      for (std::size_t d = 0; d < 3; ++d) all[i][d] = double(T(all[i - 1][d] + apart));
    std::map<std::array<int, 3>, std::vector<std::array<double, 3>>> in_cell;
    for (auto const& p : all) in_cell[{cells.cell(0, p[0]), cells.cell(1, p[1]), cells.cell(2, p[2])}].push_back(p);
    for (int b = 0; b < cells.block_count(); ++b) {
      Block const at = block_at(cells, b);
      Part part;
      part.offset.push_back(0);
      first.push_back(int(point.size()));
      std::vector<std::array<double, 3>> mine;
      for (int x = 0; x < cells.cells_in(0, at.at[0]); ++x)
        for (int y = 0; y < cells.cells_in(1, at.at[1]); ++y)
          for (int z = 0; z < cells.cells_in(2, at.at[2]); ++z) {
            auto const& found = in_cell[{cells.first_cell(0, at.at[0]) + x, cells.first_cell(1, at.at[1]) + y,
                                         cells.first_cell(2, at.at[2]) + z}];
            mine.insert(mine.end(), found.begin(), found.end());
            part.offset.push_back(std::int32_t(mine.size()));
          }
      part.count = mine.size();
      part.stride = (mine.size() + 31) / 16 * 16;
      part.position.assign(3 * part.stride, T(0));
      part.near.assign(3 * part.stride, T(0));
      part.strength.assign(std::size_t(components) * part.stride, T(0));
      part.rough.assign(3 * part.stride, 0);
      auto const width = std::size_t(packed_width(components));
      part.packed.assign(width * part.stride, T(0));
      using InSingle = PackedSource<T, float>;
      auto const width_in_single = std::size_t(InSingle::width(components));
      part.packed_in_single.assign(width_in_single * part.stride, 0.f);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        point.push_back(mine[i]);
        near_point.emplace_back();
        strength.emplace_back();
        for (std::size_t d = 0; d < 3; ++d) {
          double const x = mine[i][d];
          T const near = near_coordinate<T>(cells, int(d), cells.cell(int(d), x), x + first_face(cells, int(d)), x);
          part.position[d * part.stride + i] = T(x);
          part.near[d * part.stride + i] = part.packed[i * width + d] = near;
          part.rough[d * part.stride + i] = float(near);
          InSingle::put(&part.packed_in_single[i * width_in_single], components, int(d), near);
          near_point.back()[d] = double(near);
        }
        for (std::size_t m = 0; m < std::size_t(components); ++m) {
          strength.back()[m] = double(T(2 * uniform() - 1));
          part.strength[m * part.stride + i] = part.packed[i * width + 3 + m] = T(strength.back()[m]);
          part.packed_in_single[i * width_in_single + std::size_t(InSingle::first_strength) + m] =
              float(strength.back()[m]);
        }
      }
      block.push_back(std::move(part));
    }
  }
};

/// A block's points as two tasks might share them.
inline std::array<PointRange, 2> two_chunks(int points) {
  return {PointRange{0, points / 3}, PointRange{points / 3, points}};
}

/// Puts the results of a share where the block has them; both arrays have `stride` places per component.
template <class T>
void put(PointRange chunk, AlignedVector<T> const& part, std::size_t stride, AlignedVector<T>& whole) {
  for (std::size_t m = 0; m < whole.size() / stride; ++m)
    for (int i = 0; i < chunk.count(); ++i)
      whole[m * stride + std::size_t(chunk.first + i)] = part[m * stride + std::size_t(i)];
}

}  // namespace nearfar::test
