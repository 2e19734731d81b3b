// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/neighbour_count.hpp"

#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

/// Replaces the n values at `line`, `stride` apart, by the mean of each and its two neighbours, as far as they exist.
void smooth(double* line, std::size_t n, std::size_t stride, bool periodic, std::vector<double>& copy) {
  copy.resize(n);
  for (std::size_t i = 0; i < n; ++i) copy[i] = line[i * stride];
  for (std::size_t i = 0; i < n; ++i) {
    double sum = copy[i];
    int cells = 1;
    if (i > 0 || (periodic && n > 2)) sum += copy[i > 0 ? i - 1 : n - 1], ++cells;
    if (i + 1 < n || (periodic && n > 2)) sum += copy[i + 1 < n ? i + 1 : 0], ++cells;
    line[i * stride] = sum / cells;
  }
}

}  // namespace

NeighbourCount::NeighbourCount(Cells const& cells) {
  double volume = cells.skewed ? cells.volume() / (cells.edge[0] * cells.edge[1] * cells.edge[2]) : 1;
  std::size_t all = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    count_[d] = std::clamp(static_cast<int>(cells.edge[d] * cells.thickness[d] / cells.cutoff), 1, cells.count[d]);
    periodic_[d] = cells.periodic[d];
    volume *= cells.edge[d] / count_[d];
    all *= std::size_t(count_[d]);
    coarse_[d].resize(std::size_t(cells.count[d]));
    for (std::size_t c = 0; c < coarse_[d].size(); ++c) coarse_[d][c] = c * std::size_t(count_[d]) / coarse_[d].size();
  }
  for (int layer = 0; layer <= count_[0]; ++layer)
    first_of_layer_.push_back(int(std::ranges::lower_bound(coarse_[0], std::size_t(layer)) - coarse_[0].begin()));
  auto const& along_z = coarse_[2];
  for (std::size_t c = along_z.size(); c-- > 0;) {
    bool const ends = c + 1 == along_z.size() || along_z[c + 1] != along_z[c];
    end_of_run_.push_back(ends ? int(c) + 1 : end_of_run_.back());
  }
  std::ranges::reverse(end_of_run_);
  sphere_ = 4 * pi<double> / 3 * std::pow(cells.cutoff, 3) / volume;
  sum_.resize(all);
}

void NeighbourCount::sum_in_layer(int layer) {
  std::vector<double> copy;
  auto const ny = std::size_t(count_[1]), nz = std::size_t(count_[2]);
  double* const first = &sum_[std::size_t(layer) * ny * nz];
  for (std::size_t y = 0; y < ny; ++y) smooth(first + y * nz, nz, 1, periodic_[2], copy);
  for (std::size_t z = 0; z < nz; ++z) smooth(first + z, ny, nz, periodic_[1], copy);
}

void NeighbourCount::sum_across_layers(int row) {
  std::vector<double> copy;
  auto const nx = std::size_t(count_[0]), ny = std::size_t(count_[1]), nz = std::size_t(count_[2]);
  double* const first = &sum_[std::size_t(row) * nz];
  for (std::size_t z = 0; z < nz; ++z) smooth(first + z, nx, ny * nz, periodic_[0], copy);
  for (std::size_t x = 0; x < nx; ++x)
    for (std::size_t z = 0; z < nz; ++z) first[x * ny * nz + z] *= sphere_;
}

}  // namespace nearfar
