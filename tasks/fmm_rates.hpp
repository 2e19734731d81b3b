// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/choice.hpp"
#include "tasks/runtime_state.hpp"

namespace nearfar::detail {

/// As measured_rates (tasks/rates.hpp), for the stages of the multipole method.
template <class T>
FmmRates measured_fmm_rates(std::shared_ptr<RuntimeState> const& runtime);

}  // namespace nearfar::detail
