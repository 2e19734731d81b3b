// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace nearfar::cli {

enum class NumberFault { none, not_a_number, not_finite, too_large };

/// Reads the whole of `text` as a double; a value too small for a double is 0. The same in every locale.
NumberFault parse_number(std::string_view text, double& value) noexcept;

/// The values of options; `option` is its name for the message of the Error{bad_input} that anything else gives.
double number_option(std::string const& option, std::string const& text);
std::int64_t count_option(std::string const& option, std::string const& text, std::int64_t least);
int small_count_option(std::string const& option, std::string const& text, int least);  ///< up to a million
/// With `open`, an edge may be 0: left to the points.
std::array<double, 3> box_option(std::string const& option, std::string const& text, bool open = false);
/// Three vectors, one after the other.
std::array<std::array<double, 3>, 3> cell_option(std::string const& option, std::string const& text);
/// Seconds of a message and bytes per second, the latter above 0.
std::array<double, 2> network_option(std::string const& option, std::string const& text);
std::array<int, 3> grid_option(std::string const& option, std::string const& text);

}  // namespace nearfar::cli
