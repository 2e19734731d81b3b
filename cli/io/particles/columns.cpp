// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/particles/columns.hpp"

namespace nearfar::cli {

std::vector<std::string> position_columns() { return {"x", "y", "z"}; }

}  // namespace nearfar::cli
