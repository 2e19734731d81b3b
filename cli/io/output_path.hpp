// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <filesystem>
#include <string>

namespace nearfar::cli {

/// True for what is written through and cannot be moved in place: "-" (stdout), a device, a pipe.
bool is_stream(std::string const& path);

/// The file that writing to `path` replaces: where a link leads, also when nothing is there yet.
std::filesystem::path destination(std::string const& path);

/// Whether two outputs would end in the same file or stream, however they are spelt; never for /dev/null.
bool is_same_output(std::string const& a, std::string const& b);

/// Throws Error{bad_input} when a file cannot be written there, so that no solve is spent on it. Changes nothing.
void check_writable(std::string const& path);

/// Where the new contents of a file grow, until they are moved in place: hidden, in the same folder, and with the same
/// extension at its end, since formats go by it. A long name is cut, so that the file system takes it.
std::string path_beside(std::filesystem::path const& target);

/// Where `target` exists: makes the file beside it, which nobody else may read before it has the rights of the target.
void make_private(std::string const& beside, std::string const& target);

/// Gives it the mode, access list, owner and group of the file that it replaces, as far as this user may; what the old
/// group could do and others could not, another group cannot.
void keep_rights(std::string const& beside, std::string const& target);

/// "PATH: cannot be written (WHY); CURE"
Error unwritable(std::string const& path, std::string const& why, std::string const& cure);

/// For a write to what the user calls `path` that failed with errno as it is.
Error write_failed(std::string const& path);

}  // namespace nearfar::cli
