// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/ewald.hpp>

#include <optional>

namespace nearfar {

/// The parameters `chosen` for the cell of `planned`, in another cell of about the same shape and size: grid, cutoff,
/// split, window and blocks stay, and cells of the near part remain as thick as they were. None where the model of
/// errors does not hold there, so that the grid is too coarse, or where it is so fine that another plan would be
/// cheaper. Depends on these two cells alone, not on others that a plan had between them. Options and parameters in one
/// unit of length; the cells are reduced (core/geometry/given_cell.hpp).
template <class T>
std::optional<EwaldPlanning> in_other_cell(EwaldOptions const& planned, EwaldPlanning const& chosen,
                                           EwaldOptions const& other);

}  // namespace nearfar
