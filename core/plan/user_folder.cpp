// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/user_folder.hpp"

#include <cstdlib>
#include <unistd.h>

namespace nearfar {

namespace fs = std::filesystem;

fs::path user_folder() {
  auto set = [](char const* variable) {
    char const* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? fs::path(value) : fs::path();
  };
  if (fs::path const p = set("NEARFAR_CACHE"); !p.empty()) return p;
  if (fs::path const p = set("XDG_CACHE_HOME"); !p.empty()) return p / "nearfar";
  if (fs::path const p = set("HOME"); !p.empty()) return p / ".cache" / "nearfar";
  return {};
}

bool replace_in_user_folder(std::string const& file, std::function<bool(fs::path const&)> const& write) {
  fs::path const folder = user_folder();
  if (folder.empty()) return false;
  std::error_code error;
  fs::create_directories(folder, error);
  fs::path const temporary = folder / (file + "." + std::to_string(getpid()));
  bool const written = write(temporary);
  if (auto const old = fs::status(folder / file, error); written && fs::exists(old))
    fs::permissions(temporary, old.permissions(), error);
  if (written) fs::rename(temporary, folder / file, error);
  if (!written || error) fs::remove(temporary, error);
  return written && !error;
}

}  // namespace nearfar
