// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <string>
#include <vector>

namespace nearfar::cli {

/// Names of the columns in files, in the order of the rows that the library takes and gives.
std::vector<std::string> position_columns();
std::vector<std::string> strength_columns(Kernel kernel);
std::vector<std::string> result_columns(Kernel kernel, bool gradient);

}  // namespace nearfar::cli
