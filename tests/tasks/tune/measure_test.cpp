// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/measure.hpp"

#include "tasks/tune/kept.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>
#include <vector>

using namespace nearfar;

namespace {

namespace fs = std::filesystem;

/// An empty folder for what is kept, and plans that go by it.
struct Folder {
  fs::path const path;
  explicit Folder(char const* name) : path(fs::temp_directory_path() / name) {
    fs::remove_all(path);
    unsetenv("NEARFAR_RATES");
    setenv("NEARFAR_CACHE", path.c_str(), 1);
  }
  ~Folder() {
    fs::remove_all(path);
    setenv("NEARFAR_RATES", "default", 1);
  }
  bool has(std::string const& file) const { return fs::exists(path / file); }
};

void check_sane(Speeds const& column) {
  for (double speed : const_cast<Speeds&>(column)) {
    CHECK(speed > 1e-3);
    CHECK(speed < 100);
  }
}

}  // namespace

// The other tests take the defaults, so that their plans are the same everywhere; here they are measured.
TEST_CASE("tune: measured on this machine, kept for this process and the next, and what plans go by") {
  Folder const folder("nearfar-tune-test");
  Runtime const runtime({.cpus = 2, .gpus = 0});
  auto const before = throughputs<double>(runtime);
  REQUIRE(before.size() == row_names.size());
  for (auto const& row : before) CHECK(row.cpu == 1);
  auto const found = tune<double>(runtime);
  REQUIRE(found.size() == row_names.size());
  for (auto const& row : found) {
    CAPTURE(row.work);
    CHECK(row.cpu > 1e-3);
    CHECK(row.cpu < 100);
    CHECK(row.cpu != 1);
  }
  CHECK(folder.has(detail::throughput_file<double>()));
  CHECK(!folder.has(detail::throughput_file<float>()));
  auto const after = throughputs<double>(runtime);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(after[i].cpu == found[i].cpu);
  // The user may ask for plans that are the same everywhere.
  setenv("NEARFAR_RATES", "default", 1);
  for (auto const& row : throughputs<double>(runtime)) CHECK(row.cpu == 1);
}

TEST_CASE("tune: a folder that cannot be written is told") {
  Folder const folder("nearfar-tune-test-2");
  fs::create_directories(folder.path.parent_path());
  std::ofstream(folder.path) << "no folder";
  Runtime const runtime({.cpus = 2, .gpus = 0});
  try {
    tune<float>(runtime);
    FAIL("written into a file");
  } catch (Error const& e) {
    CHECK(e.fault() == Fault::no_resource);
    CHECK(std::string(e.what()).find("NEARFAR_CACHE") != std::string::npos);
  }
}

TEST_CASE("first use: small solves are not worth measuring, large ones are, once") {
  Folder const folder("nearfar-tune-test-3");
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::string const file = detail::throughput_file<double>();
  Ewald(runtime, {.count = 1000}).parameters();
  Fmm(runtime, {.count = 1000}).parameters();
  std::mt19937 random(1);
  std::vector<double> x(3 * 50000);
  for (double& v : x) v = random() / 4294967296.0;
  Ewald(runtime, {.tolerance = 1e-3}).set_points(x);  // whoever sets points waits for nothing else
  CHECK(!folder.has(file));
  auto const machine = [&] {
    return detail::machine_for<double>(runtime.shared(), detail::Method::ewald, Implementation::tuned);
  };
  CHECK(machine().speed.cpu[WorkRow::p2p] == 1);
  Ewald(runtime, {.count = 50000}).parameters();
  CHECK(folder.has(file));
  Machine const measured = machine();
  check_sane(measured.speed.cpu);
  CHECK(measured.speed.cpu[WorkRow::p2p] != 1);
  tune_once<double>(runtime, 50000);
  CHECK(machine().speed.cpu[WorkRow::p2p] == measured.speed.cpu[WorkRow::p2p]);
}

TEST_CASE("tune: nothing is measured where workers outnumber processors") {
  Folder const folder("nearfar-tune-test-5");
  auto const many = int(sysconf(_SC_NPROCESSORS_ONLN)) + 1;
  setenv("STARPU_NCPU", std::to_string(many).c_str(), 1);
  {
    Runtime const runtime({.gpus = 0});
    tune_once<double>(runtime, 1000000);
    CHECK(!folder.has(detail::throughput_file<double>()));
    CHECK_THROWS_WITH_AS(tune<double>(runtime), doctest::Contains("processors"), Error);
  }
  setenv("STARPU_NCPU", "2", 1);
}

TEST_CASE("kept: another process reads what one has written, and measures again what is no table") {
  Folder const folder("nearfar-tune-test-4");
  int measured = 0;
  auto const measure = [&] {
    ++measured;
    Throughputs t;
    t.cpu[WorkRow::m2l] = 0.1;
    t.gpu[WorkRow::fft] = 7;
    return t;
  };
  CHECK(!detail::kept_throughputs<double>("one"));
  CHECK(detail::keep_throughputs<double>("one", measure, false).gpu[WorkRow::fft] == 7);
  CHECK(detail::keep_throughputs<double>("one", measure, false).cpu[WorkRow::m2l] == 0.1);
  CHECK(measured == 1);
  detail::keep_throughputs<double>("one", measure, true);
  CHECK(measured == 2);
  CHECK(detail::kept_throughputs<double>("one")->cpu[WorkRow::m2l] == 0.1);
  // As another process: under a name that this one has not read.
  fs::copy_file(folder.path / "one", folder.path / "two");
  REQUIRE(detail::kept_throughputs<double>("two"));
  CHECK(detail::kept_throughputs<double>("two")->cpu[WorkRow::m2l] == 0.1);
  CHECK(detail::kept_throughputs<double>("two")->gpu[WorkRow::fft] == 7);
  std::ifstream in(folder.path / "one");
  std::string const good{std::istreambuf_iterator<char>(in), {}};
  auto const with = [&](std::string const& from, std::string const& to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  int name = 3;
  for (auto const& text : {std::string(), good + "more 1 0\n", with("points", "dots"), with("fft 1 7", "fft 1 -1"),
                           with("points 1", "points 0"), with("points 1", "points nan"), with("points 1", "points inf"),
                           with("points 1", "points 1e999"), with("points 1", "points 1e-300"),
                           with("points 1", "points 1e-5"), with("points 1", "points 1e5")}) {
    std::string const file = std::to_string(++name);
    std::ofstream(folder.path / file) << text;
    CHECK(!detail::kept_throughputs<double>(file));
  }
  // Nor is what a clock that jumps has measured believed.
  auto const jumped = detail::keep_throughputs<double>(
      "jumped",
      [] {
        Throughputs t;
        t.cpu[WorkRow::m2l] = std::nan("");
        t.cpu[WorkRow::l2p] = 1e-300;
        t.gpu[WorkRow::fft] = HUGE_VAL;
        return t;
      },
      false);
  CHECK(jumped.cpu[WorkRow::m2l] == 1);
  CHECK(jumped.cpu[WorkRow::l2p] == 1e-4);
  CHECK(jumped.gpu[WorkRow::fft] == 1e4 * default_throughputs<double>().gpu[WorkRow::fft]);
}

TEST_CASE("measured: seconds of the tasks of a trial, by row") {
  Runtime const runtime({.cpus = 2, .gpus = 0});
  std::deque<detail::TaskRecord> tasks(6);
  char const* const stages[] = {"p2p", "bin", "merge", "p2p", "moment", "leaf_p2p"};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].stage = stages[i];
    tasks[i].worker = int(i % 2);
    tasks[i].own_seconds = std::pow(2, double(i));
    tasks[i].end = double(i);
  }
  Speeds const seconds = detail::row_seconds(tasks, WorkerKind::cpu);
  CHECK(seconds[WorkRow::p2p] == 1 + 8);
  CHECK(seconds[WorkRow::points] == 2 + 4);
  CHECK(seconds[WorkRow::leaf_p2p] == 32);
  CHECK(seconds[WorkRow::m2l] == 0);
  Speeds on_gpus = detail::row_seconds(tasks, WorkerKind::gpu);
  for (double none : on_gpus) CHECK(none == 0);
}
