// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/user_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

TEST_CASE("user folder: a file is replaced as a whole, and keeps its mode") {
  char const* const given = std::getenv("NEARFAR_CACHE");
  std::string const before = given != nullptr ? given : "";
  fs::path const folder = fs::temp_directory_path() / "nearfar-user-folder-test", file = folder / "rates";
  setenv("NEARFAR_CACHE", folder.c_str(), 1);
  auto const replace = [](char const* text, bool good) {
    return nearfar::replace_in_user_folder(
        "rates", [&](fs::path const& path) { return bool(std::ofstream(path) << text) && good; });
  };
  CHECK(replace("first", true));
  fs::permissions(file, fs::perms(0640));
  CHECK(replace("second", true));
  CHECK(!replace("half", false));
  std::string text;
  std::ifstream(file) >> text;
  CHECK(text == "second");
  CHECK(fs::status(file).permissions() == fs::perms(0640));
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
  fs::remove_all(folder);
  if (given != nullptr) setenv("NEARFAR_CACHE", before.c_str(), 1);
  else unsetenv("NEARFAR_CACHE");
}
