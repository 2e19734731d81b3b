// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nearfar::cli {

/// Names of the columns of positions; the library names those of strengths and results.
std::vector<std::string> position_columns();

}  // namespace nearfar::cli
