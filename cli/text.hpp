// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nearfar::cli {

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string text(char const* format, ...);

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
