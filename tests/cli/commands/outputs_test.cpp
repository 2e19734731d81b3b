// SPDX-License-Identifier: BSD-3-Clause
// Where outputs go and what becomes of what was there: rights, long names, standard output; and what is asked of memory
// and of the environment before a run.
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, Words const& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

struct stat look(std::string const& path) {
  struct stat found {};
  REQUIRE(stat(path.c_str(), &found) == 0);
  return found;
}

mode_t mode_of(std::string const& path) { return look(path).st_mode & 07777; }

/// Commands that write `out`, one of each kind.
struct Commands {
  TempFolder folder;
  std::string sources = folder.write("in.csv", "x,y,z,q\n0.1,0.2,0.3,1\n0.6,0.5,0.4,-1\n0.3,0.3,0.9,1\n");

  Words sum(std::string const& method, std::string const& out) const {
    return {method, "--kernel", "laplace", "--sources", sources, "--output", out, "--quiet"};
  }
  static Words grid(std::string const& out) {
    return {"poisson", "--case", "sphere", "--grid", "8,8,8", "--output", out, "--quiet"};
  }
  static Words loop(std::string const& option, std::string const& out) {
    return {"pic", "--case", "penning-trap", "--particles", "50", "--steps",
            "1",   "--grid", "8,8,8",        option,        out,  "--quiet"};
  }
};

void succeed(Words const& words, std::string const& shell = ":") {
  auto const outcome = run_nearfar_after(shell, words);
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
}

/// A run with a variable that it says it cannot use.
void expect_named(std::string const& variable, Words const& words) {
  auto const outcome = run_nearfar_after("export '" + variable + "'", words);
  CAPTURE(variable);
  CAPTURE(outcome.err);
  CHECK(outcome.code == 2);
  CHECK(contains(outcome.err + outcome.out, variable));
}

}  // namespace

TEST_CASE("outputs: one that replaces a file has its mode, a new one that of new files") {
  Commands const run;
  for (std::string const name : {"out.csv", "out.h5"}) {
    auto const out = run.folder.write(name, "before");
    for (mode_t const mode : {0600U, 0640U, 0666U, 0400U | 0200U | 0001U}) {
      chmod(out.c_str(), mode);
      succeed(run.sum("ewald", out), "umask 022");
      CHECK(mode_of(out) == mode);
    }
    std::filesystem::remove(out);
    succeed(run.sum("direct", out), "umask 027");
    CHECK(mode_of(out) == 0640);
  }
  auto const report = run.folder.write("r.json", ""), dag = run.folder.write("g.dot", ""),
             grid = run.folder.write("p.h5", ""), state = run.folder.write("s.h5", "");
  for (auto const& path : {report, dag, grid, state}) chmod(path.c_str(), 0600);
  succeed(run.sum("fmm", run.folder / "out.csv") + Words{"--report", report, "--dag", dag});
  succeed(Commands::grid(grid));
  succeed(Commands::loop("--checkpoint", state));
  for (auto const& path : {report, dag, grid, state}) {
    CHECK(mode_of(path) == 0600);
    CHECK(look(path).st_size > 0);
  }
  std::filesystem::create_symlink(report, run.folder / "link.csv");
  succeed({"generate", "--count", "2", "--output", run.folder / "link.csv", "--quiet"});
  CHECK(mode_of(report) == 0600);
}

TEST_CASE("outputs: files of a trace, too") {
  Commands const run;
  auto const solve = run.sum("ewald", run.folder / "out.csv") + Words{"--trace", run.folder / "t"};
  succeed(solve, "umask 022");
  CHECK(mode_of(run.folder / "t/trace.json") == 0644);
  mode_t const modes[] = {0600, 0640, 0664};
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(run.folder / "t"))
    if (!entry.path().filename().string().starts_with("prof_file")) files.push_back(entry.path().string());
  for (std::size_t i = 0; i < files.size(); ++i) chmod(files[i].c_str(), modes[i % 3]);
  succeed(solve, "umask 022");
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i]);
    CHECK(mode_of(files[i]) == modes[i % 3]);
  }
  succeed({"trace", run.folder / "t"}, "umask 022");
  chmod((run.folder / "t/gantt.svg").c_str(), 0600);
  succeed({"trace", run.folder / "t"}, "umask 022");
  CHECK(mode_of(run.folder / "t/gantt.svg") == 0600);
}

TEST_CASE("outputs: one that replaces a file has its owner and group, where the user may give them") {
  if (geteuid() != 0) return;  // nobody else may
  Commands const run;
  auto const out = run.folder.write("out.csv", "before");
  REQUIRE(chown(out.c_str(), 1234, 4321) == 0);
  succeed(run.sum("ewald", out));
  CHECK(look(out).st_uid == 1234);
  CHECK(look(out).st_gid == 4321);
}

TEST_CASE("outputs: names as long as the file system takes them") {
  Commands const run;
  for (std::size_t const length : {200U, 240U, 245U, 251U, 255U}) {
    CAPTURE(length);
    auto const name = [&](std::string const& extension) {
      return run.folder / (std::string(length - extension.size(), 'n') + extension);
    };
    succeed(run.sum("ewald", name(".csv")) + Words{"--report", name(".json"), "--dag", name(".dot")});
    succeed(run.sum("direct", name(".h5")));
    succeed({"generate", "--count", "3", "--output", name(".hdf5"), "--quiet"});
    succeed(Commands::grid(name(".vti")));
    for (auto const* extension : {".csv", ".json", ".dot", ".h5", ".hdf5", ".vti"})
      CHECK(std::filesystem::file_size(name(extension)) > 0);
  }
  std::string accents;
  while (accents.size() < 250) accents += "\xc3\xa9";
  succeed(run.sum("ewald", run.folder / (accents + ".csv")));
  // Two that begin alike do not meet on their way.
  std::string const alike(250, 'a');
  succeed(run.sum("ewald", run.folder / (alike + "1.h5")) + Words{"--report", run.folder / (alike + "2.h5")});
  CHECK(text_of(run.folder / (alike + "2.h5")).starts_with("{"));
  auto const outcome = run_nearfar(run.sum("ewald", run.folder / (std::string(252, 'n') + ".csv")));
  CHECK(outcome.code == 2);
  CHECK(contains(outcome.err, "File name too long"));
}

TEST_CASE("outputs: standard output has results and nothing that libraries print") {
  Commands const run;
  std::string const talkative = "export STARPU_DISPLAY_BINDINGS=1";
  succeed(run.sum("ewald", run.folder / "want.csv"));
  auto const want = text_of(run.folder / "want.csv");
  for (std::string const out : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    CAPTURE(out);
    CHECK(run_nearfar_after(talkative, run.sum("ewald", out)).out == want);
  }
  CHECK(run_nearfar_after(talkative, run.sum("fmm", "-")).out.starts_with("phi\n"));
  CHECK(run_nearfar_after(talkative, run.sum("direct", "-")).out.starts_with("phi\n"));
  CHECK(run_nearfar_after(talkative, Commands::loop("--output", "-")).out.starts_with("step,time,"));
  CHECK(run_nearfar_after(talkative, {"info"}).out.starts_with("nearfar "));
  auto const bench = run_nearfar_after(
      talkative, {"bench", "ewald", "--count", "100", "--tolerance", "1e-2", "--repeat", "1", "--json"});
  CHECK(bench.out.starts_with("{\"bench\""));
  // What they print is not lost.
  CHECK(run_nearfar_after(talkative, run.sum("ewald", "-")).err != "");
  // Closed streams are no place for it.
  succeed(run.sum("ewald", run.folder / "got.csv"), talkative + "; exec >&- 2>&-");
  CHECK(text_of(run.folder / "got.csv") == want);
  CHECK(run_nearfar_after(talkative + "; exec 2>&-", run.sum("ewald", "-")).out == want);
  auto const nowhere = run_nearfar_after("exec >&-", run.sum("ewald", "-"));
  CHECK(nowhere.code == 2);
  CHECK(contains(nowhere.err, "standard output: writing failed"));
}

TEST_CASE("outputs: the same solve gives the same grid file, whenever it runs") {
  TempFolder const folder;
  for (std::string const name : {"a", "b"}) {
    succeed(Commands::grid(folder / (name + ".h5")) + Words{"--field"});
    succeed(Commands::loop("--density", folder / (name + ".h5")));
    if (name == "a") std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // times in files are in seconds
  }
  CHECK(text_of(folder / "a.h5") == text_of(folder / "b.h5"));
  CHECK(text_of(folder / "a-000001.h5") == text_of(folder / "b-000001.h5"));
}

TEST_CASE("memory: more particles than any machine holds are refused before they are made") {
  TempFolder const folder;
  for (std::string const count : {"1e15", "9e15", "1e11"})
    for (Words const& words :
         {Words{"pic", "--case", "penning-trap", "--steps", "1", "--output", folder / "e.csv", "--particles", count},
          Words{"pic", "--case", "penning-trap", "--steps", "1", "--output", folder / "e.csv", "--precision", "single",
                "--particles", count},
          Words{"generate", "--output", folder / "p.csv", "--count", count},
          Words{"generate", "--kernel", "stokes", "--output", folder / "p.h5", "--count", count},
          Words{"bench", "ewald", "--count", count}, Words{"bench", "p2p", "--count", count}}) {
      CAPTURE(words[0]);
      CAPTURE(count);
      auto const begin = std::chrono::steady_clock::now();
      auto const outcome = run_nearfar_after("ulimit -v 6291456", words);
      CAPTURE(outcome.err);
      CHECK(outcome.code == 3);
      CHECK(contains(outcome.err, "of memory"));
      CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(12));
      CHECK(folder.files() == 0);
    }
}

TEST_CASE("environment: threads per core that this machine does not have, for a solve and for doctor") {
  Commands const run;
  for (std::string const value : {"0", "3", "1000", "-1", "two"}) {
    expect_named("STARPU_NTHREADS_PER_CORE=" + value, run.sum("ewald", run.folder / "out.csv"));
    expect_named("STARPU_NTHREADS_PER_CORE=" + value, {"doctor"});
  }
  succeed(run.sum("ewald", run.folder / "out.csv"), "export STARPU_NTHREADS_PER_CORE=1");
}

TEST_CASE("environment: variables with which Kokkos does not start") {
  Commands const run;
  for (std::string const value : {"abc", "0", "-1", "2x", "", "1e3"})
    expect_named("KOKKOS_NUM_THREADS=" + value, run.sum("fmm", run.folder / "out.csv"));
  expect_named("KOKKOS_NUM_THREADS=abc", {"doctor"});
  succeed(run.sum("fmm", run.folder / "out.csv"), "export KOKKOS_NUM_THREADS=2");
}
