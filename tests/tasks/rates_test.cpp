// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/rates.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace nearfar;

// The other tests take the default rates, so that their plans are the same everywhere; here they are measured.
TEST_CASE("rates: measured on this machine, sane, and kept for the next process") {
  namespace fs = std::filesystem;
  fs::path const folder = fs::temp_directory_path() / "nearfar-rates-test";
  fs::remove_all(folder);
  unsetenv("NEARFAR_RATES");
  setenv("NEARFAR_CACHE", folder.c_str(), 1);
  Runtime const runtime;
  Rates const r = detail::measured_rates<double>(runtime.shared());
  for (double rate : {r.pair, r.pair_degree, r.near_point, r.spread, r.spread_point, r.gather, r.gather_point, r.grid}) {
    CHECK(rate > 0);
    CHECK(rate < 1e-4);
  }
  CHECK(r.pair != Rates{}.pair);
  int kept = 0;
  for (auto const& file : fs::directory_iterator(folder))
    kept += file.path().filename().string().starts_with("rates-");
  CHECK(kept == 1);
  CHECK(detail::measured_rates<double>(runtime.shared()).pair == r.pair);
  fs::remove_all(folder);
}
