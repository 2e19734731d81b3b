// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/options.hpp"

#include <nlohmann/json_fwd.hpp>

namespace nearfar::cli {

/// What a plan of a solve in this precision chose, by the names of its options, as reports and measurements show it.
nlohmann::ordered_json shown(EwaldPlanning const& p, Precision precision);
nlohmann::ordered_json shown(FmmPlanning const& p, Precision precision);

}  // namespace nearfar::cli
