// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/stages/pair_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nearfar::cli {

namespace {

/// Points sorted into cells at least as large as the cutoff.
struct CellList {
  std::array<int, 3> cells;
  std::vector<std::size_t> first;  ///< of each cell in `point`, and the end
  std::vector<std::array<double, 3>> point;

  CellList(std::vector<double> const& rows, std::array<double, 3> const& box, double cutoff) {
    for (std::size_t d = 0; d < 3; ++d) cells[d] = std::clamp(static_cast<int>(box[d] / cutoff), 1, 128);
    std::vector<std::size_t> home;
    for (std::size_t i = 0; i < rows.size(); i += 3) {
      std::array<int, 3> at;
      for (std::size_t d = 0; d < 3; ++d)
        at[d] = std::clamp(static_cast<int>(rows[i + d] / box[d] * cells[d]), 0, cells[d] - 1);
      home.push_back(number(at));
    }
    first.assign(number({cells[0] - 1, cells[1] - 1, cells[2] - 1}) + 2, 0);
    for (auto const cell : home) ++first[cell + 1];
    for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
    auto next = first;
    point.resize(home.size());
    for (std::size_t i = 0; i < home.size(); ++i)
      point[next[home[i]]++] = {rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]};
  }
  std::size_t number(std::array<int, 3> const& at) const {
    return static_cast<std::size_t>((at[0] * cells[1] + at[1]) * cells[2] + at[2]);
  }
};

}  // namespace

double pairs_within(std::vector<double> const& points, std::array<double, 3> const& box, int periodic, double cutoff) {
  CellList const list{points, box, cutoff};
  auto const& cells = list.cells;
  double pairs = 0;
  // With fewer than three cells along an edge, one cell may be seen as several images of itself, each with its own
  // shift.
  auto const count = [&](std::array<int, 3> const& at, std::array<int, 3> const& unwrapped) {
    std::array<int, 3> other{};
    std::array<double, 3> shift{};
    for (int d = 0; d < 3; ++d) {
      auto const e = static_cast<std::size_t>(d);
      int const image = unwrapped[e] < 0 ? -1 : unwrapped[e] >= cells[e] ? 1 : 0;
      if (image != 0 && d >= periodic) return;
      other[e] = unwrapped[e] - image * cells[e];
      shift[e] = image * box[e];
    }
    auto const a = list.number(at), b = list.number(other);
    for (auto i = list.first[a]; i < list.first[a + 1]; ++i)
      for (auto j = list.first[b]; j < list.first[b + 1]; ++j) {
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          double const r = list.point[i][d] - list.point[j][d] - shift[d];
          square += r * r;
        }
        pairs += square < cutoff * cutoff && (i != j || unwrapped != at);
      }
  };
  for (int x = 0; x < cells[0]; ++x)
    for (int y = 0; y < cells[1]; ++y)
      for (int z = 0; z < cells[2]; ++z)
        for (int dx = -1; dx <= 1; ++dx)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dz = -1; dz <= 1; ++dz) count({x, y, z}, {x + dx, y + dy, z + dz});
  return pairs;
}

}  // namespace nearfar::cli
