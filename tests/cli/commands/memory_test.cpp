// SPDX-License-Identifier: BSD-3-Clause
// Less and less address space: a run ends well, or says that memory is what it lacks. It neither hangs nor aborts.
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

TEST_CASE("memory: with too little address space a run ends with exit code 3 and a message") {
  TempFolder const folder;
  auto const sources = folder / "in.h5", out = folder / "out.h5";
  REQUIRE(run_nearfar({"generate", "--kernel", "stokes", "--count", "20000", "--output", sources, "--quiet"}).code ==
          0);
  auto const code = [&](std::string const& solver, long mebibytes) {
    auto const run = run_nearfar_after(
        "ulimit -v " + std::to_string(1024 * mebibytes),
        {solver, "--kernel", "stokes", "--tolerance", "1e-9", "--sources", sources, "--output", out, "--quiet"});
    CAPTURE(solver);
    CAPTURE(mebibytes);
    CAPTURE(run.err);
    CHECK((run.code == 0 || run.code == 3));
    CHECK((run.code == 0 || contains(run.err, "nearfar: error: ")));
    CHECK(std::filesystem::remove(out) == (run.code == 0));
    return run.code;
  };
  for (std::string const solver : {"ewald", "fmm"}) {
    int least = 16384, refused = 0;
    for (int mebibytes = least; mebibytes >= 128; mebibytes -= mebibytes / 5)
      if (code(solver, mebibytes) == 0) least = mebibytes;
      else ++refused;
    CHECK(refused > 5);
    CHECK(least < 16384);
  }
}

TEST_CASE("memory: so does a grid") {
  TempFolder const folder;
  auto const out = folder / "out.h5";
  int refused = 0, solved = 0;
  for (int mebibytes = 4096; mebibytes >= 128; mebibytes -= mebibytes / 4) {
    auto const run = run_nearfar_after(
        "ulimit -v " + std::to_string(1024 * mebibytes),
        {"poisson", "--case", "gaussian", "--grid", "96,96,96", "--cpus", "2", "--output", out, "--quiet"});
    CAPTURE(mebibytes);
    CAPTURE(run.err);
    CHECK((run.code == 0 || run.code == 3));
    CHECK((run.code == 0 || contains(run.err, "nearfar: error: ")));
    CHECK(std::filesystem::remove(out) == (run.code == 0));
    CHECK(folder.files() == 0);
    ++(run.code == 0 ? solved : refused);
  }
  CHECK(refused > 3);
  CHECK(solved > 0);
}
