// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/parameters.hpp"

namespace nearfar {

/// What one CPU worker would need for each stage of a solve, in seconds.
struct Work {
  double near = 0;
  double spread = 0;
  double gather = 0;
  double grid = 0;

  double total() const noexcept { return near + spread + gather + grid; }
};

/// `degree` is the degree of the near layers; `clumping` the number of pairs within the cutoff, in those of evenly
/// spread points.
Work predict_work(EwaldOptions const& options, EwaldParameters const& parameters, double degree, double sources,
                  double targets, Rates const& rates, double clumping);

/// Fills in cells, blocks, slabs, columns and bytes: tasks of a few milliseconds, whatever the number of workers is.
void lay_out(EwaldParameters& parameters, EwaldOptions const& options, Work const& work, std::size_t sources,
             std::size_t targets, std::size_t bytes_per_number, double clumping);

}  // namespace nearfar
