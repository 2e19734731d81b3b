// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/commands/command.hpp"

#include <string>

namespace nearfar::cli {

/// What `nearfar --help` and `nearfar COMMAND --help` print.
std::string help_text(Program const& program);
std::string help_text(Command const& command);

}  // namespace nearfar::cli
