// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/commands/machine/facts.hpp"

#include <string>
#include <vector>

namespace nearfar::cli {

/// One thing that `nearfar doctor` has judged.
struct Finding {
  enum class Level { fine, remark, problem };
  Level level;
  std::string what;
  std::string cure;  ///< empty when there is nothing to cure
};

/// What is wrong with this set-up, and the cure. docs/troubleshooting.md has the same by symptom.
std::vector<Finding> diagnose(Facts const& facts);

}  // namespace nearfar::cli
