// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/cells.hpp"

#include <array>
#include <vector>

namespace nearfar {

/// Estimates how many sources lie within the cutoff of a point, images included, from the numbers
/// of sources in the 27 coarse cells around it, each at least a cutoff wide. Accurate enough to
/// predict how long a task takes, for a small fraction of the time that counting pairs would need.
class NeighbourCount {
 public:
  explicit NeighbourCount(Cells const& cells);

  /// Coarse cells along x: sources in different layers can be added at the same time.
  int layers() const noexcept { return count_[0]; }
  /// The first cell along x of a layer; after the last layer, the number of cells.
  int first_of_layer(int layer) const { return first_of_layer_[std::size_t(layer)]; }

  /// The same along y.
  int rows() const noexcept { return count_[1]; }

  /// Adds the sources of a cell, or of a run of cells from there on (global indices).
  void add(int x, int y, int z, int sources) { sum_[place(x, y, z)] += sources; }
  /// After that, to be called for all layers, and then for all rows, in any order or at the same time.
  void sum_in_layer(int layer);
  void sum_across_layers(int row);

  /// Estimated sources within the cutoff of a target in this cell.
  double at(int x, int y, int z) const { return sum_[place(x, y, z)]; }

  /// The end of the run of cells along z, from this one on, that are in the same coarse cell, and so count the same.
  int end_of_run(int z) const { return end_of_run_[std::size_t(z)]; }

 private:
  std::size_t place(int x, int y, int z) const {
    return (coarse_[0][std::size_t(x)] * std::size_t(count_[1]) + coarse_[1][std::size_t(y)]) * std::size_t(count_[2]) +
           coarse_[2][std::size_t(z)];
  }

  std::array<int, 3> count_;                        // of coarse cells
  std::array<std::vector<std::size_t>, 3> coarse_;  // of each cell
  std::vector<int> first_of_layer_;                 // along x
  std::vector<int> end_of_run_;                     // along z
  std::array<bool, 3> periodic_;
  double sphere_;  // volume of the cutoff sphere, in coarse cells
  std::vector<double> sum_;
};

}  // namespace nearfar
