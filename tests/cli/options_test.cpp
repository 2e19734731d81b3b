// SPDX-License-Identifier: BSD-3-Clause
#include "cli/number.hpp"
#include "cli/output_path.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace nearfar::cli;

namespace {
bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }
}  // namespace

TEST_CASE("options: boxes") {
  CHECK(box_option("--box", "1,2.5,1e-3") == std::array<double, 3>{1, 2.5, 1e-3});
  CHECK(box_option("--box", " 1, 1 ,1 ") == std::array<double, 3>{1, 1, 1});
  for (auto const* text : {"", "1", "1,1", "1,1,1,1", "1,1,", "1,,1", "a,1,1", "1 1 1", "1;1;1"})
    CHECK_MESSAGE(contains(message([&] { box_option("--box", text); }), "--box is '" + std::string(text) + "'"), text);
  CHECK(contains(message([] { box_option("--box", "1,0,1"); }), "edge y of the box is 0"));
  CHECK(contains(message([] { box_option("--box", "1,1,-2"); }), "edge z of the box is -2"));
  CHECK(contains(message([] { box_option("--box", "nan,1,1"); }), "not a finite number"));
  CHECK(contains(message([] { box_option("--box", "1,inf,1"); }), "not a finite number"));
}

TEST_CASE("options: numbers, counts and grids") {
  CHECK(number_option("--tolerance", "1e-6") == 1e-6);
  CHECK(contains(message([] { number_option("--tolerance", "1e-6x"); }), "'1e-6x'"));
  CHECK(contains(message([] { number_option("--tolerance", "nan"); }), "not a finite number"));
  CHECK(count_option("--count", "1e6", 1) == 1000000);
  CHECK(contains(message([] { count_option("--count", "0", 1); }), "at least 1"));
  CHECK(contains(message([] { count_option("--count", "-3", 0); }), "at least 0"));
  CHECK(contains(message([] { count_option("--count", "1.5", 1); }), "not a whole number"));
  CHECK(contains(message([] { count_option("--count", "1e300", 1); }), "not a whole number"));
  CHECK(small_count_option("--cpus", "64", 0) == 64);
  CHECK(contains(message([] { small_count_option("--cpus", "1e10", 0); }), "at most 1000000"));
  CHECK(grid_option("--grid", "8,16,32") == std::array<int, 3>{8, 16, 32});
  for (auto const* text : {"8", "8,8", "8,8,0", "8,8,-8", "8,8,8.5", "8,8,99999999999"})
    CHECK_MESSAGE(contains(message([&] { grid_option("--grid", text); }), "--grid is"), text);
}

TEST_CASE("output: what cannot be written is told before, and a check leaves nothing behind") {
  TempFolder const folder;
  check_writable(folder / "new.csv");
  CHECK(folder.files() == 0);
  CHECK(contains(message([&] { check_writable(folder / "no/new.csv"); }), "there is no folder"));
  CHECK(contains(message([&] { check_writable(folder / ""); }), "it is a folder"));
  auto const file = folder.write("file", "");
  CHECK(contains(message([&] { check_writable(file + "/new.csv"); }), "cannot be written"));
  CHECK(contains(message([&] { check_writable("/proc/new.csv"); }), "cannot be written"));
}

TEST_CASE("output: a failed write leaves what was there, a good one replaces it") {
  TempFolder const folder;
  auto const path = folder.write("out.csv", "before");
  auto const fail = [](std::string const& beside) {
    std::ofstream{beside} << "half";
    throw std::runtime_error("no more");
  };
  CHECK_THROWS_AS(write_whole(path, fail), std::runtime_error);
  CHECK(text_of(path) == "before");
  CHECK(folder.files() == 1);
  write_whole(path, [](std::string const& beside) { std::ofstream{beside} << "after"; });
  CHECK(text_of(path) == "after");
  CHECK(folder.files() == 1);
}

TEST_CASE("output: a link stays a link") {
  TempFolder const folder;
  auto const path = folder.write("real.csv", "before");
  std::filesystem::create_symlink(path, folder / "link.csv");
  write_whole(folder / "link.csv", [](std::string const& beside) { std::ofstream{beside} << "after"; });
  CHECK(text_of(path) == "after");
  CHECK(std::filesystem::is_symlink(folder / "link.csv"));
}

TEST_CASE("output: a signal in the middle of writing leaves what was there") {
  TempFolder const folder;
  auto const path = folder.write("out.csv", "before");
  pid_t const child = fork();
  if (child == 0) {
    write_whole(path, [](std::string const& beside) {
      std::ofstream{beside} << "half";
      std::raise(SIGTERM);
    });
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(text_of(path) == "before");
  CHECK(folder.files() == 1);
}
