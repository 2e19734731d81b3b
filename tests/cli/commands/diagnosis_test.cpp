// SPDX-License-Identifier: BSD-3-Clause
// nearfar doctor on machines that are made up: each with one thing wrong.
#include "cli/commands/machine/diagnosis.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace nearfar::cli;
using Level = Finding::Level;

namespace {

/// Nothing is wrong with this one.
Facts good() {
  Facts facts;
  facts.allowed_cores = facts.online_cores = 8;
  facts.governor = "performance";
  facts.available_bytes = 64.0 * 1024 * 1024 * 1024;
  facts.simd = "sse4.2 avx avx2 fma";
  for (int i = 0; i < 8; ++i) facts.workers.push_back({"CPU " + std::to_string(i), "cpu"});
  facts.version = "StarPU 1.4.10, FxT";
  facts.scheduler = "lws";
  facts.rates = facts.models = {"/home/user/.cache", true};
  facts.model_count = 40;
  return facts;
}

/// What doctor says of a machine that differs from the good one by `change`: exactly one thing, at this level, with
/// these words in it and a cure.
template <class Change>
void tells(Level level, std::string const& what, std::string const& cure, Change change) {
  auto facts = good();
  change(facts);
  std::vector<Finding> found;
  for (auto const& finding : diagnose(facts))
    if (finding.level != Level::fine) found.push_back(finding);
  CAPTURE(what);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == level);
  CHECK_MESSAGE(found[0].what.find(what) != std::string::npos, found[0].what);
  CHECK_MESSAGE(found[0].cure.find(cure) != std::string::npos, found[0].cure);
}

}  // namespace

TEST_CASE("doctor: nothing to say of a good machine") {
  for (auto const& finding : diagnose(good())) CHECK_MESSAGE(finding.level == Level::fine, finding.what);
}

TEST_CASE("doctor: nothing to say of a Python package whose StarPU writes no FxT traces") {
  Facts facts = good();
  facts.version = "StarPU 1.4.10";
  facts.packaged = true;
  for (auto const& finding : diagnose(facts)) CHECK_MESSAGE(finding.level == Level::fine, finding.what);
}

TEST_CASE("doctor: slow, for cores that are shared or not used") {
  tells(Level::problem, "16 CPU workers share 8 cores", "--cpus 8", [](Facts& f) {
    for (int i = 0; i < 8; ++i) f.workers.push_back({"CPU", "cpu"});
  });
  tells(Level::remark, "OMP_NUM_THREADS=4", "OMP_NUM_THREADS=1",
        [](Facts& f) { f.environment["OMP_NUM_THREADS"] = "4"; });
  tells(Level::remark, "8 of 16 cores", "taskset", [](Facts& f) { f.online_cores = 16; });
  tells(Level::remark, "CPU time of 2 cores", "--cpus 2", [](Facts& f) { f.quota = 2; });
  tells(Level::remark, "6.0 of 8 cores busy", "end them", [](Facts& f) { f.load = 6; });
  tells(Level::remark, "powersave", "performance", [](Facts& f) { f.governor = "powersave"; });
  tells(Level::remark, "6 cores stay idle", "STARPU_NCPU", [](Facts& f) { f.workers.resize(2); });
  tells(Level::remark, "STARPU_WORKERS_NOBIND", "move", [](Facts& f) { f.environment["STARPU_WORKERS_NOBIND"] = "1"; });
}

TEST_CASE("doctor: slow, for schedulers and measured times") {
  tells(Level::remark, "dmdas needs measured task times", "nearfar bench calibrate", [](Facts& f) {
    f.scheduler = "dmdas";
    f.model_count = 0;
  });
  tells(Level::remark, "eager ignores priorities", "overlap", [](Facts& f) { f.scheduler = "eager"; });
  tells(Level::remark, "does not know which tasks suit GPUs", "heteroprio", [](Facts& f) {
    f.workers.push_back({"CUDA 0", "cuda"});
  });
  tells(Level::remark, "STARPU_MAX_PRIO", "overlap", [](Facts& f) { f.environment["STARPU_MAX_PRIO"] = "1"; });
  tells(Level::remark, "STARPU_CALIBRATE", "timings", [](Facts& f) { f.environment["STARPU_CALIBRATE"] = "1"; });
  tells(Level::remark, "nearfar may not write", "NEARFAR_CACHE", [](Facts& f) { f.rates.writable = false; });
  tells(Level::remark, "StarPU cannot save", "STARPU_HOME", [](Facts& f) { f.models = {}; });
}

TEST_CASE("doctor: slow, for how it was built") {
  tells(Level::remark, "without optimisation", "preset", [](Facts& f) { f.optimised = false; });
  tells(Level::remark, "no AVX2", "virtual", [](Facts& f) { f.simd = "sse4.2"; });
  tells(Level::remark, "no worker uses it", "scripts/setup", [](Facts& f) { f.gpu_nodes = {"/dev/nvidia0"}; });
  tells(Level::remark, "without FxT", "scripts/setup", [](Facts& f) { f.version = "StarPU 1.3.10"; });
  tells(Level::remark, "no worker uses it", "nearfar-cu13", [](Facts& f) {
    f.gpu_nodes = {"/dev/nvidia0"};
    f.packaged = true;
  });
}

TEST_CASE("doctor: wrong") {
  tells(Level::problem, "STARPU_DISABLE_KERNELS=1", "WRONG",
        [](Facts& f) { f.environment["STARPU_DISABLE_KERNELS"] = "1"; });
}

TEST_CASE("doctor: crashes, and memory that grows") {
  tells(Level::problem, "another version", "LD_LIBRARY_PATH",
        [](Facts& f) { f.version = "StarPU 1.3.10 (but built for 1.4), FxT"; });
  tells(Level::problem, "another version", "unset LD_LIBRARY_PATH", [](Facts& f) {
    f.version = "StarPU 1.3.10 (but built for 1.4)";
    f.packaged = true;
  });
  tells(Level::problem, "StarPU does not start", "", [](Facts& f) { f.start_error = "no worker"; });
  tells(Level::problem, "no CPU worker", "STARPU_NCPU", [](Facts& f) {
    f.workers = {{"CUDA 0", "cuda"}};
    f.scheduler = "overlap";
  });
  tells(Level::remark, "512 MiB of memory", "million", [](Facts& f) { f.available_bytes = 512.0 * 1024 * 1024; });
  tells(Level::remark, "may map only", "ulimit", [](Facts& f) { f.address_space = 1e9; });
  tells(Level::remark, "STARPU_FXT_TRACE", "grows", [](Facts& f) { f.environment["STARPU_FXT_TRACE"] = "1"; });
  tells(Level::remark, "STARPU_WATCHDOG_CRASH", "ends the process",
        [](Facts& f) { f.environment["STARPU_WATCHDOG_CRASH"] = "1"; });
}
