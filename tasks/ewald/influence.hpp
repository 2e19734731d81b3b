// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/influence.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <memory>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Fills the table of an influence function, table_size() numbers: by tasks on CPU workers, while the caller waits;
/// or directly, if it is small, and on a worker, which would wait for itself. Every rank makes its own, all equal.
template <class T>
void make_influence(std::shared_ptr<RuntimeState> const& runtime, InfluenceFunction const& function,
                    std::vector<double> const& corrections, std::span<T> table);

}  // namespace nearfar::detail
