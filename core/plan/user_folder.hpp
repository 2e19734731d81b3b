// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace nearfar {

/// Where measurements of this machine are kept: NEARFAR_CACHE, else XDG_CACHE_HOME/nearfar, else ~/.cache/nearfar;
/// empty when none of them is set.
std::filesystem::path user_folder();

/// Writes a file of the user folder whole or not at all (several processes may do so at once): `write` gets a temporary
/// path, which then replaces the file and has its mode. Returns false, and leaves things as they were, when that cannot
/// be done.
bool replace_in_user_folder(std::string const& file, std::function<bool(std::filesystem::path const&)> const& write);

}  // namespace nearfar
