// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/window/window.hpp"

#include <nearfar/ewald.hpp>

#include <array>

namespace nearfar {

/// Throws Error{bad_input} for the first unusable value in
/// `options`: what it is, why it is wrong, and what would be right.
template <class T>
void check_options(EwaldOptions const& options);

/// Throws Error{bad_input} for a box so oblong that no grid can serve it, or a cutoff beyond it. `lengths`: its edges,
/// or, along free directions whose edges are left open, how far the points spread.
void check_proportions(EwaldOptions const& options, std::array<double, 3> const& lengths);

/// The window of a plan.
WindowShape window_shape(EwaldOptions const& options, EwaldPlanning const& parameters) noexcept;

}  // namespace nearfar
