// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/poisson/options.hpp"

#include <nearfar/error.hpp>

#include <cstdint>

namespace nearfar {

/// The error for a density that is not finite, at a place of the caller's array.
Error bad_density(PoissonGrid const& grid, std::int64_t place, double value);

/// The error for a result that is not finite, at a cell of the caller's arrays: sums on the way to it left the range of
/// T.
template <class T>
Error bad_result(PoissonGrid const& grid, std::int64_t cell, double value);

}  // namespace nearfar
