// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace nearfar::cli {

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string text(char const* format, ...);

/// A number as who gave it finds it again: in six digits, or in as many more as tell it from others.
std::string digits(double value);

/// "1 x 2 x 0.98123": the edges of a box, in six digits those that were not given but found.
std::string edges_text(std::array<double, 3> const& given, std::array<double, 3> const& found);

/// "1.23 M": three digits and a prefix.
std::string engineering(double value);

/// "fx,fy,fz"; of more than six words the first four and the last: "dxx,dxy,dxz,dyx,...,dzz".
std::string columns_text(std::vector<std::string> const& columns);

/// "1 source", "2 sources"
std::string counted(std::size_t count, char const* noun);

/// "1.5 GiB"
std::string bytes_text(double bytes);

/// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace nearfar::cli
