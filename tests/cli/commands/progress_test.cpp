// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

TEST_CASE("program: on a terminal it shows how far a solve is, and nothing of that otherwise") {
  TempFolder const folder;
  auto const sources = folder / "in.csv", output = folder / "out.csv";
  REQUIRE(run_nearfar({"generate", "--count", "12000", "--kernel", "laplace", "--output", sources}).code == 0);
  std::vector<std::string> const arguments{"direct", "--kernel", "laplace", "--sources", sources, "--output", output};
  auto const shown = run_nearfar_on_terminal(arguments);
  CAPTURE(shown.out);
  CHECK(shown.code == 0);
  CHECK(contains(shown.out, "nearfar: solving "));
  CHECK(contains(shown.out, " %, "));
  CHECK(contains(shown.out, " left ..."));
  auto const silent = run_nearfar(arguments);
  CHECK(silent.code == 0);
  CHECK(!contains(silent.err, " left"));
}
