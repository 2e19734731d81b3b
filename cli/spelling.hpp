// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nearfar::cli {

/// ", did you mean X?" for the known word nearest to a misspelt one, or nothing when none is near.
std::string did_you_mean(std::string const& word, std::vector<std::string> const& known);

}  // namespace nearfar::cli
