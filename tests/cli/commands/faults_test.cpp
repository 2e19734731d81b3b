// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong around a run: disks, limits, signals. It ends with a message, and what was there before stays.
#include "cli/table.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, Words const& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A few charges, and an old result that a failed run must leave alone.
struct Sum {
  TempFolder folder;
  std::string sources = folder.write("in.csv", "x,y,z,q\n0.1,0.2,0.3,1\n0.6,0.5,0.4,-1\n");
  std::string out = folder.write("out.csv", "before");

  void refuses(Words const& more, Words const& parts, std::size_t files = 2) const {
    auto const outcome =
        run_nearfar(Words{"ewald", "--kernel", "laplace", "--sources", sources, "--output", out} + more);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    for (auto const& part : parts) CHECK_MESSAGE(contains(outcome.err, part), "missing: " << part);
    CHECK(!contains(outcome.err, "/.out"));
    CHECK(text_of(out) == "before");
    CHECK(folder.files() == files);
  }
};

/// Runs the program and kills it so many milliseconds after it began, or after a file was there; false if it had ended.
bool killed_after(int milliseconds, Words words, std::string const& file = "") {
  words.insert(words.begin(), NEARFAR_PROGRAM);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, NEARFAR_PROGRAM, nullptr, nullptr, argv.data(), environ) == 0);
  auto const pause = [](int length) { std::this_thread::sleep_for(std::chrono::milliseconds(length)); };
  for (int i = 0; i < 60000 && !file.empty() && !std::filesystem::exists(file); ++i) pause(1);
  pause(milliseconds);
  kill(child, SIGKILL);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status);
}

}  // namespace

TEST_CASE("outputs: two that are the same file") {
  Sum const sum;
  sum.refuses({"--report", sum.out}, {"--report", "--output", "the same file"});
  sum.refuses({"--dag", sum.folder / "./out.csv"}, {"--dag", "--output", "the same file"});
  sum.refuses({"--dag", sum.folder / "new", "--report", sum.folder / "new"}, {"--dag", "--report", "the same file"});
  sum.refuses({"--dag", sum.folder / "t/dag.dot", "--trace", sum.folder / "t"}, {"t/dag.dot"});
  std::filesystem::create_directory(sum.folder / "t");
  sum.refuses({"--report", sum.folder / "t/trace.json", "--trace", sum.folder / "t"},
              {"--report", "a file of the trace"}, 3);
}

TEST_CASE("outputs: one that fails leaves none of the others") {
  Sum const sum;
  auto const report = sum.folder / "report.json", dag = sum.folder / "dag.dot";
  sum.refuses({"--report", report, "--dag", "/dev/full"}, {"/dev/full: the graph of tasks could not be written"});
  sum.refuses({"--dag", dag, "--report", "/dev/full"}, {"/dev/full: writing failed (No space left on device)"});
  std::filesystem::create_directories(sum.folder / "trace/trace.json/full");  // no file can replace it
  sum.refuses({"--dag", dag, "--report", report, "--trace", sum.folder / "trace"},
              {"trace: the trace could not be written", "--trace"}, 3);
}

TEST_CASE("outputs: the graph of tasks goes to a stream too") {
  Sum const sum;
  auto const outcome = run_nearfar(
      {"ewald", "--kernel", "laplace", "--sources", sum.sources, "--output", sum.out, "--dag", "/dev/stdout"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out, "digraph"));
}

TEST_CASE("outputs: a limit on the size of files is told, with the name that was given") {
  // In the middle, and where the last bytes leave the program's own buffer.
  for (auto const& [limit, count] : {std::pair{"ulimit -f 8", "10000"}, std::pair{"ulimit -f 1", "20"}})
    for (std::string const name : {"out.csv", "out.h5"}) {
      TempFolder const folder;
      auto const out = folder.write(name, "before");
      auto const outcome = run_nearfar_after(limit, {"generate", "--count", count, "--output", out, "--quiet"});
      CAPTURE(outcome.err);
      CHECK(outcome.code == 2);
      CHECK(contains(outcome.err, "nearfar: error: " + out + ": writing failed (File too large)"));
      CHECK(text_of(out) == "before");
      CHECK(folder.files() == 1);
    }
}

TEST_CASE("outputs: a full standard output is told") {
  for (Words const& words : {Words{"generate", "--output", "-"}, Words{"ewald", "--help"}, Words{"info"}}) {
    auto const outcome = run_nearfar_after("exec >/dev/full", words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, "standard output: writing failed (No space left on device)"));
  }
}

TEST_CASE("outputs: kill -9 at any moment leaves the old file or the new one") {
  TempFolder const folder;
  auto const out = folder / "out.csv";
  constexpr std::size_t count = 40000;
  int killed = 0, ended = 0;
  for (int milliseconds = 0; ended < 2 && milliseconds < 60000; milliseconds += 1 + milliseconds / 8) {
    folder.write("out.csv", "before");
    bool const was_killed =
        killed_after(milliseconds, {"generate", "--quiet", "--count", std::to_string(count), "--output", out});
    (was_killed ? killed : ended) += 1;
    if (auto const text = text_of(out); text != "before")
      CHECK(nearfar::cli::read_table(out, {"x", "fz"}, "").rows() == count);
    else CHECK(was_killed);
  }
  CHECK(killed > 5);
  CHECK(ended > 0);
}

TEST_CASE("outputs: kill -9 in a run that writes checkpoints leaves a whole one") {
  TempFolder const folder;
  auto const state = folder / "state.h5";
  Words const run{"pic",     "--case",    "penning-trap", "--quiet", "--particles",
                  "2000",    "--grid",    "16,16,16",     "--cpus",  "1",
                  "--steps", "100000000", "--checkpoint", state,     "--checkpoint-every",
                  "1"};
  for (int milliseconds : {0, 1, 2, 3, 5, 8, 13, 21}) {
    std::filesystem::remove(state);
    CHECK(killed_after(milliseconds, run, state));
    auto const resumed = run_nearfar({"pic", "--resume", state, "--quiet", "--steps", "0", "--cpus", "1"});
    CAPTURE(resumed.err);
    CHECK(resumed.code == 0);
  }
}

TEST_CASE("environment: a number for StarPU that is none") {
  Sum const sum;
  auto const run = [&](std::string const& shell, Words const& more = {}) {
    return run_nearfar_after(
        shell, Words{"ewald", "--kernel", "laplace", "--sources", sum.sources, "--output", sum.out} + more);
  };
  for (std::string const variable : {"STARPU_NCPU=abc", "STARPU_NCPU=-2", "STARPU_NCPUS=1.5", "STARPU_SILENT=yes"}) {
    auto const outcome = run("export " + variable);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, variable));
    CHECK(contains(outcome.err, "not a whole number"));
  }
  CHECK(text_of(sum.out) == "before");
}

TEST_CASE("machine: more workers than processors are refused, and never measured") {
  Sum const sum;
  auto const many = std::to_string(sysconf(_SC_NPROCESSORS_ONLN) + 97);
  auto const outcome =
      run_nearfar({"ewald", "--kernel", "laplace", "--sources", sum.sources, "--output", sum.out, "--cpus", many});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 3);
  CHECK(contains(outcome.err, "--cpus is " + many));
  CHECK(text_of(sum.out) == "before");
}

TEST_CASE("caches: damaged files of rates and wisdom are made anew") {
  TempFolder const cache;
  Sum const sum;
  auto const solve = [&](std::string const& rates) {
    auto const outcome = run_nearfar_after(
        "export NEARFAR_CACHE='" + (cache / "") + "' NEARFAR_RATES='" + rates + "'",
        {"ewald", "--kernel", "laplace", "--tolerance", "1e-4", "--sources", sum.sources, "--output", sum.out});
    CAPTURE(outcome.err);
    CHECK(outcome.code == 0);
    return text_of(sum.out);
  };
  auto const expected = solve("default");
  std::string wisdom;
  for (auto const& file : std::filesystem::directory_iterator(cache / ""))
    if (file.path().filename().string().starts_with("fftw-wisdom")) wisdom = file.path();
  REQUIRE(wisdom != "");
  auto const good = text_of(wisdom);
  auto swapped = good;
  for (std::size_t i = 100; i < swapped.size(); i += 97) swapped[i] = '7';
  for (auto const& bad : {std::string(), good.substr(0, good.size() / 2), std::string("(fftw wisdom"), swapped,
                          std::string(100000, '('), std::string(1000, '\0'), good + good}) {
    std::ofstream{wisdom, std::ios::binary} << bad;
    CHECK(solve("default") == expected);
  }
  std::filesystem::remove(wisdom);
  std::filesystem::create_directory(wisdom);
  CHECK(solve("default") == expected);
}
