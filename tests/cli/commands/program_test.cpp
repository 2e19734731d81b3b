// SPDX-License-Identifier: BSD-3-Clause
// What the program prints and writes besides results.
#include "tests/cli/program.hpp"
#include "cli/table.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/cli/trace/synthetic_trace.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

using namespace nearfar::cli;

namespace {

using Words = std::vector<std::string>;

/// 2000 charges in a box, and the options that all runs share.
struct Charges {
  TempFolder folder;
  std::string sources = folder / "in.csv";

  Charges() {
    auto const made = run_nearfar({"generate", "--count", "2000", "--kernel", "laplace", "--output", sources});
    REQUIRE(made.code == 0);
  }

  Outcome ewald(std::string const& output, Words const& more = {}) const {
    Words arguments{"ewald", "--kernel", "laplace", "--tolerance", "1e-6", "--sources", sources, "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto outcome = run_nearfar(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome;
  }

  std::vector<double> potentials(Words const& more = {}) const {
    ewald(folder / "out.csv", more);
    return read_table(folder / "out.csv", {"phi"}, "").values;
  }
};

double relative_difference(std::vector<double> const& a, std::vector<double> const& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

}  // namespace

TEST_CASE("program: help and version, also without arguments") {
  for (Words const& arguments : {Words{}, Words{"--help"}, Words{"-h"}}) {
    auto const outcome = run_nearfar(arguments);
    CHECK(outcome.code == 0);
    for (auto const* command : {"ewald", "direct", "generate", "bench", "info", "doctor", "trace"})
      CHECK(contains(outcome.out, std::string("\n  ") + command + " "));
  }
  for (auto const* command : {"ewald", "direct", "generate", "bench", "info", "doctor", "trace"}) {
    auto const outcome = run_nearfar({command, "--help"});
    CHECK(outcome.code == 0);
    CHECK(contains(outcome.out, std::string("Usage: nearfar ") + command));
    CHECK(contains(outcome.out, "Example:"));
  }
  CHECK(run_nearfar({"--version"}).out.starts_with("nearfar "));
}

TEST_CASE("program: results on stdout, tables on stderr, silence when asked") {
  Charges const charges;
  auto const loud = charges.ewald("-");
  CHECK(loud.out.starts_with("phi\n"));
  for (auto const* part : {"parameters", "estimated", "particles/s", "energy", "stage", "p2p", "fft"})
    CHECK_MESSAGE(contains(loud.err, part), part);
  auto const quiet = charges.ewald("-", {"--quiet"});
  CHECK(quiet.err == "");
  CHECK(quiet.out == loud.out);
}

TEST_CASE("program: the report") {
  Charges const charges;
  auto const path = charges.folder / "report.json";
  charges.ewald(charges.folder / "out.h5", {"--report", path, "--check", "--gradient"});
  auto const report = nlohmann::json::parse(text_of(path));
  for (auto const* key :
       {"solver", "kernel", "counts", "tolerance", "estimated_error", "parameters", "seconds", "particles_per_second",
        "workers", "tasks", "idle_fraction", "overlap_fraction", "peak_bytes", "relative_error", "energy"})
    CHECK_MESSAGE(report.contains(key), key);
  CHECK(report["solver"] == "ewald");
  CHECK(report["counts"]["sources"] == 2000);
  CHECK(report["seconds"]["total"].get<double>() > 0);
  for (auto const* stage : {"p2p", "p2g", "fft", "scale", "ifft", "g2p", "merge"})
    CHECK(report["seconds"].contains(stage));
  CHECK(report["relative_error"].get<double>() < 1e-6);
  CHECK(report["relative_error"].get<double>() > 1e-12);
  CHECK(read_table(charges.folder / "out.h5", {"phi", "dphidx", "dphidy", "dphidz"}, "").rows() == 2000);
}

TEST_CASE("program: the graph of tasks") {
  Charges const charges;
  charges.ewald(charges.folder / "out.csv", {"--dag", charges.folder / "dag.dot"});
  auto const dag = text_of(charges.folder / "dag.dot");
  CHECK(contains(dag, "digraph"));
  CHECK(contains(dag, "p2p"));
}

TEST_CASE("program: near and far part add up to the whole") {
  Charges const charges;
  auto const whole = charges.potentials(), near = charges.potentials({"--part", "near"});
  auto sum = charges.potentials({"--part", "far"});
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += near[i];
  CHECK(relative_difference(sum, whole) < 1e-14);
}

TEST_CASE("program: schedulers and numbers of workers change no bit") {
  Charges const charges;
  auto const expected = charges.potentials();
  CHECK(charges.potentials({"--scheduler", "eager"}) == expected);
  CHECK(charges.potentials({"--cpus", "1"}) == expected);
}

TEST_CASE("program: single precision, and parameters by hand, keep the tolerance") {
  Charges const charges;
  auto const expected = charges.potentials();
  auto const close = [&](double tolerance, Words const& more) {
    TempFolder const folder;
    Words arguments{"ewald", "--kernel", "laplace", "--sources", charges.sources, "--output", folder / "out.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto const outcome = run_nearfar(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK(relative_difference(read_table(folder / "out.csv", {"phi"}, "").values, expected) < tolerance);
  };
  close(1e-4, {"--precision", "single", "--tolerance", "1e-4"});
  close(3e-6, {"--split", "gaussian"});
  close(3e-6, {"--window", "gaussian"});
  close(3e-6, {"--window", "pswf"});
  close(3e-6, {"--implementation", "portable"});
  close(3e-6, {"--near-precision", "single"});
  close(3e-6, {"--cutoff", "0.2"});
}

TEST_CASE("program: parameters by hand that cannot reach the tolerance are told") {
  Charges const charges;
  CHECK(contains(charges.ewald("-", {"--window-points", "4"}).err, "WARNING"));
  CHECK(!contains(charges.ewald("-").err, "WARNING"));
}

TEST_CASE("program: points outside the box are wrapped") {
  Charges const charges;
  auto table = read_table(charges.sources, {"x", "y", "z", "q"}, "");
  for (std::size_t i = 0; i < table.values.size(); i += 4) {
    table.values[i] += 3;
    table.values[i + 1] -= 2;
  }
  auto const expected = charges.potentials();
  write_table(charges.sources, table);
  CHECK(relative_difference(charges.potentials(), expected) < 1e-6);
}

TEST_CASE("program: free space, with a box and without, is the direct sum; a slab may be left open") {
  Charges const charges;
  auto const direct = run_nearfar(
      {"direct", "--kernel", "laplace", "--sources", charges.sources, "--output", charges.folder / "direct.csv"});
  REQUIRE(direct.code == 0);
  auto const expected = read_table(charges.folder / "direct.csv", {"phi"}, "").values;
  CHECK(relative_difference(charges.potentials({"--periodic", "none"}), expected) < 1e-6);
  auto const shifted = [&] {
    auto table = read_table(charges.sources, {"x", "y", "z", "q"}, "");
    for (std::size_t i = 0; i < table.values.size(); i += 4) table.values[i + 2] -= 5;
    write_table(charges.sources, table);
  };
  auto const boxed = charges.potentials({"--periodic", "none", "--box", "1,1,1"});
  CHECK(relative_difference(boxed, expected) < 1e-6);
  auto const slab = charges.potentials({"--periodic", "xy", "--box", "1,1,1"});
  shifted();
  auto const report = charges.folder / "report.json";
  CHECK(relative_difference(charges.potentials({"--periodic", "xy", "--report", report}), slab) < 1e-6);
  auto const box = nlohmann::json::parse(text_of(report))["box"];
  CHECK(box[0] == 1);
  CHECK(box[2] > 0.99);
  CHECK(box[2] < 1.02);
  CHECK(relative_difference(charges.potentials({"--periodic", "xy", "--box", "1,1,0"}), slab) < 1e-6);
}

TEST_CASE("program: a trace is recorded and shown") {
  Charges const charges;
  auto const folder = charges.folder / "trace";
  charges.ewald(charges.folder / "out.csv", {"--trace", folder});
  auto const shown = run_nearfar({"trace", folder});
  CAPTURE(shown.err);
  CHECK(shown.code == 0);
  for (auto const* part :
       {"1 solve, ", "stage", "p2p", "fft", "worker", "idle", "waiting", "critical path", "of the bound"})
    CHECK_MESSAGE(contains(shown.out, part), part);
  for (auto const* file : {"/trace.json", "/gantt.svg", "/gantt.html", "/dag.dot"})
    CHECK_MESSAGE(!text_of(folder + file).empty(), file);
  bool const with_events = contains(run_nearfar({"info"}).out, "FxT");
  for (auto const* file : {"/paje.trace", "/trace.html"})
    CHECK_MESSAGE(text_of(folder + file).empty() != with_events, file);
  CHECK(contains(shown.out, "no paje.trace") != with_events);
}

TEST_CASE("program: the tables of a trace, to the digit") {
  TempFolder const folder;
  folder.write("trace.json", synthetic_trace);
  auto const shown = run_nearfar({"trace", folder / ""});
  CHECK(shown.code == 0);
  for (auto const* line : {
           "2 solves, 10 tasks, 3 workers (dmdas), 0.03 s, idle 49 %, near beside far work 81 %, 73 % of the bound",
           "p2p                    3      0.022   52.4 %       7.33         12      0.003          55 %      0.012     "
           "  0.01",
           "fft                    1      0.004    9.5 %          4          4          0           0 %      0.004     "
           "     0",
           "CPU 0                  5      0.018   60.0 %      0.001      0.011   36.7 %           0.008",
           "CUDA 0                 2       0.01   33.3 %      0.003      0.017   56.7 %               0",
           "2                      4       0.03       0.01        0.0005      0.012           0.008",
           "NUMA 0 -> CUDA 0                          12        3 MiB",
           "0.03 s with a solve in flight, and 0.01 s between solves",
           "far-field tasks ran during 0.016 s, with near-field tasks beside them for 81 %",
           "critical path    0.022 s in 6 tasks",
           "lower bound      0.022 s: the critical path, from the times of this run",
           "the run is at 73 % of the bound",
           "StarPU's bound   0.0075 s",
           "the run is at 25 % of that bound",
       })
    CHECK_MESSAGE(contains(shown.out, line), "missing: " << std::string(line) << " in\n" << shown.out);
}

TEST_CASE("program: measurements") {
  Words const bench{"bench", "ewald", "--count", "2000", "--repeat", "2", "--tolerance", "1e-4"};
  auto with_json = bench;
  with_json.push_back("--json");
  auto const json = run_nearfar(with_json);
  REQUIRE(json.code == 0);
  auto const result = nlohmann::json::parse(json.out);
  CHECK(result["count"] == 2000);
  CHECK(result["seconds"]["minimum"].get<double>() > 0);
  CHECK(result["seconds"]["minimum"] <= result["seconds"]["median"]);
  CHECK(result["stages"].contains("p2p"));
  auto const table = run_nearfar(bench);
  CHECK(table.code == 0);
  CHECK(contains(table.out, "particles/s"));
}

TEST_CASE("program: what there is, and what is wrong with it") {
  auto const info = run_nearfar({"info"});
  CHECK(info.code == 0);
  for (auto const* part : {"StarPU", "workers", "schedulers", "lws", "* "})
    CHECK_MESSAGE(contains(info.out, part), part);
  auto const doctor = run_nearfar({"doctor"});
  CHECK(contains(doctor.out, "CPU worker"));
  CHECK((doctor.code == 0) == contains(doctor.out, "nearfar can work here"));
}

TEST_CASE("program: doctor looks at the environment that it runs in") {
  struct Fake {
    char const* name;
    char const* value;
    char const* said;
    int code;
  };
  TempFolder const folder;
  for (auto const& [name, value, said, code] :
       {Fake{"STARPU_NCPU", "64", "64 CPU workers share", 2}, Fake{"STARPU_NCPU", "0", "StarPU does not start", 2},
        Fake{"STARPU_SCHED", "nonsense", "unknown scheduler 'nonsense'", 2},
        Fake{"STARPU_SCHED", "eager", "ignores priorities", 0}, Fake{"STARPU_DISABLE_KERNELS", "1", "WRONG", 2},
        Fake{"OMP_NUM_THREADS", "512", "OMP_NUM_THREADS=1:", 0}, Fake{"STARPU_FXT_TRACE", "0", "memory that grows", 0},
        Fake{"NEARFAR_SIMD", "avx2", "not the best one", 0}}) {
    auto const* before = std::getenv(name);
    std::string const kept = before != nullptr ? before : "";
    setenv(name, value, 1);
    auto const outcome = run_nearfar({"doctor"});
    before != nullptr ? setenv(name, kept.c_str(), 1) : unsetenv(name);
    CAPTURE(name);
    CAPTURE(outcome.out);
    CHECK(contains(outcome.out, said));
    if (std::thread::hardware_concurrency() < 64) CHECK(outcome.code == code);
  }
  setenv("STARPU_SCHED", "dmdas", 1);
  std::map<std::string, std::string> before;
  for (auto const* name : {"STARPU_HOME", "XDG_CACHE_HOME"}) {
    if (auto const* value = std::getenv(name)) before[name] = value;
    setenv(name, (folder / "home").c_str(), 1);
  }
  CHECK(contains(run_nearfar({"doctor"}).out, "nearfar bench calibrate"));
  unsetenv("STARPU_SCHED");
  for (auto const* name : {"STARPU_HOME", "XDG_CACHE_HOME"})
    before.count(name) > 0 ? setenv(name, before[name].c_str(), 1) : unsetenv(name);
}
