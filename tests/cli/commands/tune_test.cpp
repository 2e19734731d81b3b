// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

TEST_CASE("tune: measured in both precisions, and kept in the user's folder") {
  TempFolder const folder;
  char const* const set = std::getenv("NEARFAR_CACHE");
  std::string const before = set != nullptr ? set : "";
  setenv("NEARFAR_CACHE", (folder / "cache").c_str(), 1);
  auto const outcome = run_nearfar({"tune", "--cpus", "1", "--gpus", "0", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  auto const json = nlohmann::json::parse(outcome.out);
  CHECK(json["workers"] == 1);
  for (auto const* precision : {"double", "single"}) {
    CHECK(json[precision].size() == 12);
    for (auto const& [work, speed] : json[precision].items()) {
      CAPTURE(work);
      CHECK(speed["cpu"].get<double>() > 1e-3);
    }
  }
  int kept = 0;
  for (auto const& file : std::filesystem::directory_iterator(folder / "cache"))
    kept += file.path().filename().string().starts_with("throughput-");
  CHECK(kept == 2);
  // Where nothing can be kept, nothing is measured.
  setenv("NEARFAR_CACHE", "/dev/null/cache", 1);
  auto const refused = run_nearfar({"tune", "--cpus", "1", "--gpus", "0"});
  CHECK(refused.code == 3);
  CHECK(contains(refused.err, "/dev/null/cache"));
  setenv("NEARFAR_CACHE", before.c_str(), 1);
}
