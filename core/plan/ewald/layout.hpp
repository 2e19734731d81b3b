// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/ewald/work.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// P2P tasks that a plan wants, before they are fitted into the box.
double wanted_blocks(Work const& work, double points, Machine const& machine);

/// As many cells along a periodic direction, or one fewer or more, so that single precision keeps the digits of points
/// down to a third of an edge below the box: with four it does so down to a quarter (cells_before_face).
int cells_that_keep_digits(int cells, int blocks) noexcept;

/// Fills in predicted seconds, cells, blocks, slabs, columns and bytes: tasks of some milliseconds, longer ones where
/// GPUs take them, shorter ones where there would not be enough for the CPU workers.
void lay_out(EwaldPlanning& parameters, EwaldOptions const& options, Work const& work, std::size_t sources,
             std::size_t targets, std::size_t bytes_per_number, double clustering, Machine const& machine);

}  // namespace nearfar
