// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/machine/diagnosis.hpp"

#include "cli/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace nearfar::cli {

namespace {

using Level = Finding::Level;
using Findings = std::vector<Finding>;

std::string variable(Facts const& facts, std::string const& name) {
  auto const found = facts.environment.find(name);
  return found == facts.environment.end() ? std::string() : found->second;
}

int count_kind(Facts const& facts, bool cpu) {
  return static_cast<int>(
      std::ranges::count_if(facts.workers, [&](Worker const& w) { return (w.kind == "cpu") == cpu; }));
}

void check_cores(Findings& findings, Facts const& facts) {
  int const allowed = facts.allowed_cores, online = facts.online_cores;
  if (allowed < online)
    findings.push_back({Level::remark, text("this process may use %d of %d cores", allowed, online),
                        "if you want all: remove the binding of taskset, the batch system or mpirun (--bind-to none)"});
  else findings.push_back({Level::fine, text("all %d cores may be used", online), ""});
  if (facts.quota && *facts.quota < allowed)
    findings.push_back(
        {Level::remark,
         text("the control group grants the CPU time of %.3g cores, but %d may be used", *facts.quota, allowed),
         text("use no more workers than that: --cpus %d", std::max(1, static_cast<int>(*facts.quota)))});
  if (facts.load > 0.5 * online)
    findings.push_back(
        {Level::remark, text("other processes keep about %.1f of %d cores busy", facts.load, online),
         "timings are unreliable: end them, or leave them their cores (--cpus N, with STARPU_WORKERS_CPUID)"});
  if (facts.governor == "powersave")
    findings.push_back({Level::remark, "the cores save power (cpufreq governor powersave), and may run slowly",
                        "set the governor to performance for timings, if you may"});
}

void check_workers(Findings& findings, Facts const& facts) {
  int const cpus = count_kind(facts, true), allowed = facts.allowed_cores;
  if (cpus == 0)
    findings.push_back({Level::problem, "there is no CPU worker, and some stages run on CPUs only",
                        "remove STARPU_NCPU=0, or leave a core besides those of the GPU workers"});
  else if (cpus > allowed)
    findings.push_back({Level::problem,
                        text("%d CPU workers share %d cores, so they wait for each other", cpus, allowed),
                        text("use --cpus %d, or allow more cores", allowed)});
  else
    findings.push_back(
        {Level::fine, counted(static_cast<std::size_t>(cpus), "CPU worker") + text(" on %d cores", allowed), ""});
  if (0 < cpus && 2 * cpus < allowed)
    findings.push_back(
        {Level::remark, text("%d cores stay idle", allowed - cpus), "use more workers: --cpus, STARPU_NCPU"});
}

// nearfar itself does not use OpenMP, but libraries in the same process may.
void check_openmp(Findings& findings, Facts const& facts) {
  long const threads = std::strtol(variable(facts, "OMP_NUM_THREADS").c_str(), nullptr, 10);
  long const total = threads * static_cast<long>(facts.workers.size());
  if (threads > 1 && total > facts.allowed_cores)
    findings.push_back({Level::remark,
                        text("OMP_NUM_THREADS=%ld times %zu workers is %ld threads for %d cores", threads,
                             facts.workers.size(), total, facts.allowed_cores),
                        "set OMP_NUM_THREADS=1: the workers use all cores already"});
}

void check_gpus(Findings& findings, Facts const& facts) {
  if (int const gpus = count_kind(facts, false); gpus > 0)
    findings.push_back({Level::fine, counted(static_cast<std::size_t>(gpus), "GPU worker"), ""});
  else if (facts.gpu_nodes.empty()) findings.push_back({Level::fine, "no GPU on this machine", ""});
  else
    findings.push_back(
        {Level::remark, "there is a GPU (" + facts.gpu_nodes.front() + "), but no worker uses it",
         std::string(facts.packaged ? "install nearfar-cu13 of this version, if it is one of NVIDIA"
                                    : "build StarPU and nearfar for it (scripts/setup, preset cuda or hip)") +
             ", and check --gpus, STARPU_NCUDA, STARPU_NHIP and CUDA_VISIBLE_DEVICES"});
}

void check_build(Findings& findings, Facts const& facts) {
  if (facts.version.find("built for") != facts.version.npos)
    findings.push_back({Level::problem, facts.version + ": this is another version than nearfar was compiled with",
                        facts.packaged
                            ? "unset LD_LIBRARY_PATH: the package has the StarPU that it was built with"
                            : "set LD_LIBRARY_PATH to the StarPU that it was built with, or build nearfar again"});
  if (facts.version.find("FxT") == facts.version.npos && !facts.packaged)
    findings.push_back({Level::remark, facts.version + ": it was built without FxT, so there are no FxT traces",
                        "run scripts/setup, which builds a StarPU with FxT, and build nearfar again"});
  else findings.push_back({Level::fine, facts.version, ""});
  if (!facts.optimised)
    findings.push_back({Level::remark, "nearfar was built without optimisation, and is many times slower",
                        "build preset default, cuda or hip (not debug, not asan)"});
  if (facts.simd.find("avx2") == facts.simd.npos && facts.simd != "neon" && facts.simd != "unknown")
    findings.push_back({Level::remark, "the processor has no AVX2 (" + facts.simd + "): P2P takes several times longer",
                        "a virtual machine may hide it: pass the host's processor through"});
}

void check_scheduler(Findings& findings, Facts const& facts) {
  auto const& name = facts.scheduler;
  bool const asks = name.starts_with("dm") || name.find("heft") != name.npos;
  if (asks && facts.model_count == 0)
    findings.push_back({Level::remark,
                        "the scheduler " + name + " needs measured task times, and there are none for nearfar",
                        "measure them once: nearfar bench calibrate; or use --scheduler lws or overlap"});
  else if (name == "eager" || name == "random" || name == "ws")
    findings.push_back({Level::remark,
                        "the scheduler " + name + " ignores priorities, which typically costs a third of the speed",
                        "use --scheduler lws or overlap (or change STARPU_SCHED)"});
  else findings.push_back({Level::fine, "scheduler " + name, ""});
  if (count_kind(facts, false) > 0 && !asks && name != "overlap" && name != "heteroprio")
    findings.push_back({Level::remark, "the scheduler " + name + " does not know which tasks suit GPUs",
                        "with GPUs use --scheduler overlap, heteroprio, or dmdas after nearfar bench calibrate"});
}

void check_folder(Findings& findings, std::string const& who, KeptFolder const& folder, std::string const& cure) {
  if (folder.path.empty())
    findings.push_back(
        {Level::remark, "HOME is not set, so " + who + " cannot save its measurements of this machine", cure});
  else if (folder.writable)
    findings.push_back({Level::fine, who + " saves its measurements of this machine in " + folder.path, ""});
  else
    findings.push_back(
        {Level::remark, who + " may not write to " + folder.path + ", so it measures again at every start", cure});
}

void check_memory(Findings& findings, Facts const& facts) {
  constexpr double little = 1024.0 * 1024 * 1024;
  double const bytes = facts.available_bytes;
  findings.push_back({bytes < little ? Level::remark : Level::fine, bytes_text(bytes) + " of memory available",
                      bytes < little ? "enough for a million particles at most; end other programs" : ""});
  if (facts.address_space && *facts.address_space < bytes)
    findings.push_back({Level::remark, "this process may map only " + bytes_text(*facts.address_space),
                        "solves may fail: ulimit -v unlimited"});
}

/// Effects of variables that a user may have left set unintentionally.
struct Known {
  char const* name;
  Level level;
  char const* what;
};
constexpr std::array known{
    Known{"STARPU_DISABLE_KERNELS", Level::problem, "tasks do nothing, so results are WRONG: unset it"},
    Known{"STARPU_MAX_PRIO", Level::remark, "limits priorities, and so the overlap: unset it"},
    Known{"STARPU_MIN_PRIO", Level::remark, "limits priorities, and so the overlap: unset it"},
    Known{"STARPU_FXT_TRACE", Level::remark,
          "records a trace, which costs time, and memory that grows while the process runs; use --trace"},
    Known{"STARPU_CALIBRATE", Level::remark, "measures again, which costs time: unset it for timings"},
    Known{"STARPU_WORKERS_NOBIND", Level::remark, "workers move between cores: unset it for timings"},
    Known{"STARPU_LIMIT_CPU_MEM", Level::remark, "memory that tasks may use, in MB; StarPU swaps or stops above it"},
    Known{"STARPU_LIMIT_MAX_SUBMITTED_TASKS", Level::remark,
          "delays submission, and so limits the overlap; it bounds memory with very many solves in flight"},
    Known{"STARPU_WATCHDOG_CRASH", Level::remark, "ends the process when no task ends for a while"},
    Known{"STARPU_SCHED", Level::remark, "the scheduler, unless --scheduler is given"},
    Known{"STARPU_NCPU", Level::remark, "number of CPU workers"},
    Known{"STARPU_NCUDA", Level::remark, "number of CUDA workers"},
    Known{"STARPU_NHIP", Level::remark, "number of HIP workers"},
    Known{"STARPU_WORKERS_CPUID", Level::remark, "cores that the workers are bound to"},
    Known{"STARPU_PROFILING", Level::remark, "measures every task, which costs some time"},
    Known{"NEARFAR_RATES", Level::remark, "\"default\": plans use default throughputs, not those of this machine"},
    Known{"NEARFAR_SIMD", Level::remark, "the instruction set is set by hand, not the best one"},
};

void check_environment(Findings& findings, Facts const& facts) {
  for (auto const& [name, value] : facts.environment) {
    auto const* meaning = std::ranges::find_if(known, [&name = name](auto const& k) { return name == k.name; });
    if (meaning == known.end() && !name.starts_with("STARPU_")) continue;
    bool const off = meaning != known.end() && meaning->level == Level::problem && value == "0";
    findings.push_back({meaning == known.end() || off ? Level::remark : meaning->level,
                        "the environment has " + name + "=" + value,
                        meaning == known.end() || off ? "" : meaning->what});
  }
}

}  // namespace

std::vector<Finding> diagnose(Facts const& facts) {
  Findings findings;
  check_cores(findings, facts);
  if (facts.start_error.empty()) {
    check_workers(findings, facts);
    check_openmp(findings, facts);
    check_gpus(findings, facts);
    check_scheduler(findings, facts);
    check_build(findings, facts);
  } else {
    findings.push_back({Level::problem, "StarPU does not start: " + facts.start_error, ""});
  }
  check_folder(findings, "nearfar", facts.rates, "set NEARFAR_CACHE to a writable folder");
  check_folder(findings, "StarPU", facts.models,
               "set STARPU_HOME (or XDG_CACHE_HOME, which has precedence) to a writable folder");
  check_memory(findings, facts);
  check_environment(findings, facts);
  return findings;
}

}  // namespace nearfar::cli
