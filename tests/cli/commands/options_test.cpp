// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/number.hpp"
#include "cli/io/output_files.hpp"
#include "cli/io/output_path.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <sys/resource.h>
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
  CHECK(cell_option("--cell", "1,0,0,-0.5,1,0,0,0,2")[1] == std::array<double, 3>{-0.5, 1, 0});
  CHECK(contains(message([] { cell_option("--cell", "1,1,1"); }), "three vectors of three numbers"));
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
  CHECK(count_option("--count", "9e15", 1) == 9000000000000000);
  for (auto const* text : {"1e18", "9007199254740993", "1e300", "1e999"})
    CHECK_MESSAGE(contains(message([&] { count_option("--count", text, 1); }),
                           "which is too large; give at most 9000000000000000"),
                  text);
  CHECK(contains(message([] { count_option("--count", "-1e999", 1); }), "too small; give at least 1"));
  for (auto const* text : {"inf", "nan", "", "1e3x"})
    CHECK_MESSAGE(contains(message([&] { count_option("--count", text, 1); }), "not a whole number"), text);
  CHECK(small_count_option("--cpus", "64", 0) == 64);
  CHECK(contains(message([] { small_count_option("--cpus", "1e10", 0); }), "at most 1000000"));
  CHECK(network_option("--network", "0,1e10") == std::array<double, 2>{0, 1e10});
  CHECK(network_option("--network", "1e-5, 2e9") == std::array<double, 2>{1e-5, 2e9});
  for (auto const* text : {"", "1e-5", "1e-5,", "1e-5,0", "-1,1e9", "nan,1e9", "1e-5,inf", "1,2,3"})
    CHECK_MESSAGE(contains(message([&] { network_option("--network", text); }), "--network is"), text);
  CHECK(grid_option("--grid", "8,16,32") == std::array<int, 3>{8, 16, 32});
  for (auto const* text : {"8", "8,8", "8,8,0", "8,8,-8", "8,8,8.5", "8,8,99999999999"})
    CHECK_MESSAGE(contains(message([&] { grid_option("--grid", text); }), "--grid is"), text);
  for (auto const* text : {"8,1e18,8", "8,99999999999,8", "8,16385,8"})
    CHECK_MESSAGE(contains(message([&] { grid_option("--grid", text); }), "' is too large; give at most 16384"), text);
  CHECK(contains(message([] { small_count_option("--cpus", "1e18", 0); }), "too large; give at most 1000000"));
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

TEST_CASE("output: a link stays a link, also one to a file that is not there yet") {
  TempFolder const folder;
  auto const path = folder.write("real.csv", "before");
  for (std::string const name : {"real.csv", "new.csv"}) {
    std::filesystem::create_symlink(name, folder / "to-" + name);
    write_whole(folder / "to-" + name, [](std::string const& beside) { std::ofstream{beside} << "after"; });
    CHECK(text_of(folder / name) == "after");
    CHECK(std::filesystem::is_symlink(folder / "to-" + name));
  }
}

TEST_CASE("output: several files, all or none") {
  TempFolder const folder;
  auto const old = folder.write("old.csv", "before");
  auto const text = [](std::string const& file) { std::ofstream{file} << "after"; };
  {
    OutputFiles files;
    files.write(old, text);
    files.write(folder / "new.csv", text);
    CHECK_THROWS(files.write(folder / "bad.csv", [](std::string const&) { throw std::runtime_error("no more"); }));
  }
  CHECK(text_of(old) == "before");
  CHECK(folder.files() == 1);
  OutputFiles files;
  files.write(old, text);
  files.write(folder / "new.csv", text);
  files.commit();
  CHECK(text_of(old) == "after");
  CHECK(text_of(folder / "new.csv") == "after");
  CHECK(folder.files() == 2);
}

namespace {

/// How a process ends that gets a signal while it writes two files, one of them `path`.
int status_after(int signal, std::string const& path) {
  pid_t const child = fork();
  if (child == 0) {
    rlimit const no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    OutputFiles files;
    files.write(path + ".json", [](std::string const& beside) { std::ofstream{beside} << "report"; });
    files.write(path, [signal](std::string const& beside) {
      std::ofstream{beside} << "half";
      std::raise(signal);
      std::ofstream{beside} << "whole";
    });
    files.commit();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("output: a signal in the middle of writing leaves what was there") {
  for (int const signal : OutputFiles::deadly) {
    CAPTURE(signal);
    TempFolder const folder;
    auto const path = folder.write("out.csv", "before");
    std::signal(signal, SIG_DFL);
    int const status = status_after(signal, path);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(text_of(path) == "before");
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("output: a signal that is ignored, as nohup does, ends nothing") {
  TempFolder const folder;
  auto const path = folder.write("out.csv", "before");
  std::signal(SIGHUP, SIG_IGN);
  int const status = status_after(SIGHUP, path);
  std::signal(SIGHUP, SIG_DFL);
  CHECK(WIFEXITED(status));
  CHECK(text_of(path) == "whole");
  CHECK(folder.files() == 2);
}

TEST_CASE("output: the same file by another name is told") {
  TempFolder const folder;
  auto const file = folder.write("a.csv", "");
  std::filesystem::create_symlink("a.csv", folder / "soft.csv");
  std::filesystem::create_symlink("later.csv", folder / "dangling.csv");
  std::filesystem::create_hard_link(file, folder / "hard.csv");
  std::filesystem::create_directory(folder / "d");
  for (auto const* name : {"a.csv", "./a.csv", "d/../a.csv", "soft.csv", "hard.csv"})
    CHECK_MESSAGE(is_same_output(file, folder / name), name);
  for (auto const* name : {"later.csv", "d/../later.csv", "dangling.csv"})
    CHECK_MESSAGE(is_same_output(folder / "later.csv", folder / name), name);
  CHECK(!is_same_output(file, folder / "later.csv"));
  CHECK(!is_same_output(folder / "d/a.csv", file));
  CHECK(is_same_output("-", "/dev/stdout"));
  CHECK(!is_same_output("/dev/null", "/dev/null"));
}
