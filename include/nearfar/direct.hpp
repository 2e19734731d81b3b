// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>
#include <nearfar/rows.hpp>
#include <nearfar/runtime.hpp>
#include <nearfar/solve.hpp>

#include <optional>
#include <span>

namespace nearfar {

/// The O(N^2) sum in free space, the reference for the fast methods: pair terms and sums in long double, rounded once.
/// Rows are as in BasicEwald; pairs at distance zero are left out. `targets` may be the same memory as `sources`.
/// All spans belong to the solve until it has ended. Throws Error{bad_input} for wrong lengths, no points, NaN or
/// infinity, and for a result that shares memory with another array. `screening` as in EwaldOptions; `softening` as in
/// FmmOptions, of any length above 0. Thread-safe.
/// With several ranks, all call it in the same order. Each gives its own points, or none, and gets the results of its
/// own targets.
Solve direct(Runtime const& runtime, Kernel kernel, Outputs outputs, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result,
             std::optional<double> screening = {}, std::optional<double> softening = {});
/// The same for views; all but the result are read before this returns, so it may share memory with them.
Solve direct(Runtime const& runtime, Kernel kernel, Outputs outputs, RowsIn const& sources, RowsIn const& targets,
             RowsIn const& strengths, RowsOut const& result, std::optional<double> screening = {},
             std::optional<double> softening = {});

}  // namespace nearfar
