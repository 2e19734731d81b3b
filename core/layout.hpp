// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/work.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// Fills in predicted seconds, cells, blocks, slabs, columns and bytes: tasks of a few milliseconds; slabs are thicker
/// where that leaves enough of them for the CPU workers.
void lay_out(EwaldParameters& parameters, EwaldOptions const& options, Work const& work, std::size_t sources,
             std::size_t targets, std::size_t bytes_per_number, double clumping, int workers);

}  // namespace nearfar
