// SPDX-License-Identifier: BSD-3-Clause
#include "cli/diagnosis.hpp"

#include "cli/machine.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <unistd.h>
#include <utility>

namespace nearfar::cli {

namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;
using Findings = std::vector<Finding>;

int count_kind(std::vector<Worker> const& workers, bool cpu) {
  return static_cast<int>(std::ranges::count_if(workers, [&](Worker const& w) { return (w.kind == "cpu") == cpu; }));
}

void check_cores(Findings& findings) {
  int const allowed = allowed_cores(), online = online_cores();
  if (allowed < online)
    findings.push_back(
        {Level::remark, text("this process may use %d of %d cores", allowed, online),
         "if that is not meant: lift taskset, the batch system's binding, or mpirun's (--bind-to none)"});
  else findings.push_back({Level::fine, text("all %d cores may be used", online), ""});
  if (auto const quota = core_quota(); quota && *quota < allowed)
    findings.push_back({Level::remark,
                        text("the control group grants the time of %.3g cores, but %d may be used", *quota, allowed),
                        text("use no more workers than that: --cpus %d", std::max(1, static_cast<int>(*quota)))});
}

void check_workers(Findings& findings, std::vector<Worker> const& workers) {
  int const cpus = count_kind(workers, true), allowed = allowed_cores();
  if (cpus == 0)
    findings.push_back({Level::problem, "there is no CPU worker, and some stages run on CPUs only",
                        "remove STARPU_NCPU=0, or leave a core beside the GPU workers"});
  else if (cpus > allowed)
    findings.push_back({Level::problem,
                        text("%d CPU workers share %d cores, so they wait for each other", cpus, allowed),
                        text("use --cpus %d, or allow more cores", allowed)});
  else
    findings.push_back(
        {Level::fine, counted(static_cast<std::size_t>(cpus), "CPU worker") + text(" on %d cores", allowed), ""});
}

// Nothing of nearfar uses OpenMP, but libraries in the same process may.
void check_openmp(Findings& findings, std::vector<Worker> const& workers) {
  auto const value = environment("OMP_NUM_THREADS");
  long const threads = value ? std::strtol(value->c_str(), nullptr, 10) : 1;
  long const total = threads * static_cast<long>(workers.size());
  if (threads > 1 && total > allowed_cores())
    findings.push_back({Level::remark,
                        text("OMP_NUM_THREADS=%ld times %zu workers is %ld threads for %d cores", threads,
                             workers.size(), total, allowed_cores()),
                        "set OMP_NUM_THREADS=1: the workers use all cores already"});
}

void check_gpus(Findings& findings, std::vector<Worker> const& workers) {
  auto const nodes = gpu_device_nodes();
  if (int const gpus = count_kind(workers, false); gpus > 0)
    findings.push_back({Level::fine, counted(static_cast<std::size_t>(gpus), "GPU worker"), ""});
  else if (nodes.empty()) findings.push_back({Level::fine, "no GPU on this machine", ""});
  else
    findings.push_back({Level::remark, "there is a GPU (" + nodes.front() + "), but no worker uses it",
                        "build StarPU and nearfar for it (scripts/setup, preset cuda or hip), and look at --gpus, "
                        "STARPU_NCUDA, STARPU_NHIP and CUDA_VISIBLE_DEVICES"});
}

void check_version(Findings& findings, std::string const& version) {
  if (version.find("FxT") == version.npos)
    findings.push_back({Level::remark, version + ": without FxT there are no traces",
                        "run scripts/setup, which builds a StarPU with FxT, and build nearfar again"});
  else findings.push_back({Level::fine, version, ""});
}

/// A folder below the first of these variables that is set; nothing when none is.
std::optional<fs::path> below(std::initializer_list<std::pair<char const*, char const*>> candidates) {
  for (auto const& [variable, folder] : candidates)
    if (auto const value = environment(variable); value && !value->empty()) return fs::path(*value) / folder;
  return {};
}

void check_folder(Findings& findings, std::string const& who, std::optional<fs::path> const& folder,
                  std::string const& cure) {
  if (!folder) {
    findings.push_back(
        {Level::remark, "HOME is not set, so " + who + " forgets what it measured of this machine", cure});
    return;
  }
  auto existing = *folder;
  while (!fs::exists(existing) && existing.has_relative_path()) existing = existing.parent_path();
  if (access(existing.c_str(), W_OK) == 0)
    findings.push_back({Level::fine, who + " keeps what it measures of this machine in " + folder->string(), ""});
  else
    findings.push_back(
        {Level::remark, who + " may not write to " + folder->string() + ", so it measures at every start", cure});
}

// The first lines are what the two programs do; see core/user_folder.cpp and StarPU's src/common/utils.c.
void check_folders(Findings& findings) {
  check_folder(findings, "nearfar",
               below({{"NEARFAR_CACHE", ""}, {"XDG_CACHE_HOME", "nearfar"}, {"HOME", ".cache/nearfar"}}),
               "set NEARFAR_CACHE to a folder in which you may write");
  check_folder(findings, "StarPU",
               below({{"XDG_CACHE_HOME", ".starpu"}, {"STARPU_HOME", ".starpu"}, {"HOME", ".starpu"}}),
               "set STARPU_HOME (or XDG_CACHE_HOME, which goes first) to a folder in which you may write");
}

void check_memory(Findings& findings) {
  constexpr double little = 1024.0 * 1024 * 1024;
  double const bytes = available_bytes();
  findings.push_back({bytes < little ? Level::remark : Level::fine, bytes_text(bytes) + " of memory available",
                      bytes < little ? "enough for about a million particles at most; end what else runs" : ""});
}

void check_environment(Findings& findings) {
  constexpr std::array<std::pair<char const*, char const*>, 10> known{{
      {"STARPU_SCHED", "the scheduler, unless --scheduler is given"},
      {"STARPU_NCPU", "how many CPU workers there are"},
      {"STARPU_NCUDA", "how many CUDA workers there are"},
      {"STARPU_NHIP", "how many HIP workers there are"},
      {"STARPU_CALIBRATE", "measures anew, which costs time: not for timings"},
      {"STARPU_WORKERS_NOBIND", "workers wander between cores: not for timings"},
      {"STARPU_WORKERS_CPUID", "which cores the workers are bound to"},
      {"STARPU_FXT_TRACE", "records a trace, which costs time: not for timings"},
      {"STARPU_LIMIT_CPU_MEM", "how much memory tasks may use"},
      {"STARPU_PROFILING", "measures every task, which costs some time"},
  }};
  for (auto const& entry : environment_like("STARPU_")) {
    auto const name = entry.substr(0, entry.find('='));
    auto const* meaning = std::ranges::find_if(known, [&](auto const& k) { return name == k.first; });
    findings.push_back({Level::remark, "the environment has " + entry, meaning == known.end() ? "" : meaning->second});
  }
}

}  // namespace

std::vector<Finding> diagnose() {
  Findings findings;
  check_cores(findings);
  try {
    Runtime const runtime;
    auto const workers = runtime.workers();
    check_workers(findings, workers);
    check_openmp(findings, workers);
    check_gpus(findings, workers);
    check_version(findings, runtime.version());
  } catch (Error const& error) {
    findings.push_back({Level::problem, std::string("StarPU does not start: ") + error.what(), ""});
  }
  check_folders(findings);
  check_memory(findings);
  check_environment(findings);
  return findings;
}

}  // namespace nearfar::cli
