// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace nearfar::cli {

/// True for what is written through and cannot be moved in place: "-" (stdout), a device, a pipe.
bool is_stream(std::string const& path);

/// Throws Error{bad_input} when a file cannot be written there, so that no solve is spent on it. Changes nothing.
void check_writable(std::string const& path);

/// Calls `write` with a temporary path beside `path`, and moves that file in place when it is complete.
/// A failure, or the end of the process by a signal, leaves what was there before.
void write_whole(std::string const& path, std::function<void(std::string const& beside)> const& write);

}  // namespace nearfar::cli
