// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nearfar::cli {

/// One thing that `nearfar doctor` has looked at.
struct Finding {
  enum class Level { fine, remark, problem };
  Level level;
  std::string what;
  std::string cure;  ///< empty when there is nothing to cure
};

/// Looks at everything, and starts StarPU once to see its workers.
std::vector<Finding> diagnose();

}  // namespace nearfar::cli
