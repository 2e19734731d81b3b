// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/process.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <pthread.h>
#include <set>
#include <starpu.h>
#include <string>
#include <unistd.h>

namespace nearfar::detail {

namespace {

/// Variables that StarPU 1.4 reads with starpu_getenv_number when nearfar runs: whole numbers from 0.
constexpr char const* numbers[] = {"STARPU_BACKOFF_MAX",
                                   "STARPU_BACKOFF_MIN",
                                   "STARPU_BUS_CALIBRATE",
                                   "STARPU_BUS_STATS",
                                   "STARPU_CALIBRATE",
                                   "STARPU_CALIBRATE_MINIMUM",
                                   "STARPU_CATCH_SIGNALS",
                                   "STARPU_CHECK_ENTIRE_PLATFORM",
                                   "STARPU_CODELET_PROFILING",
                                   "STARPU_CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES",
                                   "STARPU_CUDA_PIPELINE",
                                   "STARPU_CUDA_THREAD_PER_DEV",
                                   "STARPU_CUDA_THREAD_PER_WORKER",
                                   "STARPU_DATA_LOCALITY_ENFORCE",
                                   "STARPU_DISABLE_ASYNCHRONOUS_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_HIP_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_MAX_FPGA_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_MPI_MS_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_OPENCL_COPY",
                                   "STARPU_DISABLE_ASYNCHRONOUS_TCPIP_MS_COPY",
                                   "STARPU_DISABLE_KERNELS",
                                   "STARPU_DISABLE_PINNING",
                                   "STARPU_DISK_SWAP_SIZE",
                                   "STARPU_DISPLAY_BINDINGS",
                                   "STARPU_ENABLE_CUDA_GPU_GPU_DIRECT",
                                   "STARPU_ENABLE_MAP",
                                   "STARPU_ENERGY_PROFILING",
                                   "STARPU_EXPECTED_TRANSFER_TIME_WRITEBACK",
                                   "STARPU_FXT_TRACE",
                                   "STARPU_GENERATE_TRACE",
                                   "STARPU_GLOBAL_ARBITER",
                                   "STARPU_HETEROPRIO_CODELET_GROUPING_STRATEGY",
                                   "STARPU_HETEROPRIO_USE_AUTO_CALIBRATION",
                                   "STARPU_HETEROPRIO_USE_LA",
                                   "STARPU_HIP_PIPELINE",
                                   "STARPU_HIP_THREAD_PER_DEV",
                                   "STARPU_HIP_THREAD_PER_WORKER",
                                   "STARPU_HISTORY_MAX_ERROR",
                                   "STARPU_LIMIT_BANDWIDTH",
                                   "STARPU_LIMIT_CPU_MEM",
                                   "STARPU_LIMIT_CPU_NUMA_MEM",
                                   "STARPU_LIMIT_CUDA_MEM",
                                   "STARPU_LIMIT_HIP_MEM",
                                   "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
                                   "STARPU_LIMIT_MIN_SUBMITTED_TASKS",
                                   "STARPU_MAIN_THREAD_BIND",
                                   "STARPU_MAIN_THREAD_COREID",
                                   "STARPU_MAIN_THREAD_CPUID",
                                   "STARPU_MAX_MEMORY_USE",
                                   "STARPU_MAX_PRIO",
                                   "STARPU_MAX_WORKERSIZE",
                                   "STARPU_MEMORY_STATS",
                                   "STARPU_MINIMUM_AVAILABLE_MEM",
                                   "STARPU_MINIMUM_CLEAN_BUFFERS",
                                   "STARPU_MIN_PRIO",
                                   "STARPU_MIN_WORKERSIZE",
                                   "STARPU_MPI_THREAD_COREID",
                                   "STARPU_MPI_THREAD_CPUID",
                                   "STARPU_NCPU",
                                   "STARPU_NCPUS",
                                   "STARPU_NCUDA",
                                   "STARPU_NHIP",
                                   "STARPU_NMAX_FPGA",
                                   "STARPU_NMPI_MS",
                                   "STARPU_NOPENCL",
                                   "STARPU_NTCPIP_MS",
                                   "STARPU_NTASKS_THRESHOLD",
                                   "STARPU_NTHREADS_PER_CORE",
                                   "STARPU_NWORKER_PER_CUDA",
                                   "STARPU_NWORKER_PER_HIP",
                                   "STARPU_PCI_FLAT",
                                   "STARPU_PERF_MODEL_HOMOGENEOUS_CPU",
                                   "STARPU_PREFETCH",
                                   "STARPU_PROFILING",
                                   "STARPU_RAND_SEED",
                                   "STARPU_RESERVE_NCPU",
                                   "STARPU_SCHED_READY",
                                   "STARPU_SCHED_SORTED_ABOVE",
                                   "STARPU_SCHED_SORTED_BELOW",
                                   "STARPU_SILENT",
                                   "STARPU_SIMGRID",
                                   "STARPU_SINGLE_COMBINED_WORKER",
                                   "STARPU_STATS",
                                   "STARPU_SUBALLOCATOR",
                                   "STARPU_SYNTHESIZE_ARITY_COMBINED_WORKER",
                                   "STARPU_TARGET_AVAILABLE_MEM",
                                   "STARPU_TARGET_CLEAN_BUFFERS",
                                   "STARPU_TASK_BREAK_ON_EXEC",
                                   "STARPU_TASK_BREAK_ON_POP",
                                   "STARPU_TASK_BREAK_ON_PUSH",
                                   "STARPU_TASK_BREAK_ON_SCHED",
                                   "STARPU_TASK_PROGRESS",
                                   "STARPU_TRACE_BUFFER_SIZE",
                                   "STARPU_USE_NUMA",
                                   "STARPU_WATCHDOG_CRASH",
                                   "STARPU_WATCHDOG_DELAY",
                                   "STARPU_WORKERS_GETBIND",
                                   "STARPU_WORKERS_NOBIND",
                                   "STARPU_WORKER_STATS",
                                   "STARPU_WORKER_TREE"};

/// Variables that it reads as decimal numbers.
constexpr char const* decimals[] = {"STARPU_EXP_LEN_THRESHOLD", "STARPU_IDLE_POWER",  "STARPU_SCHED_ALPHA",
                                    "STARPU_SCHED_BETA",        "STARPU_SCHED_GAMMA", "STARPU_WATCHDOG_TIMEOUT",
                                    "STARPU_WINDOW_TIME_SIZE"};

[[noreturn]] void reject(char const* variable, char const* value, char const* wanted) {
  throw Error(Fault::bad_input, std::string("the environment has ") + variable + "=" + value + ", which is not " +
                                    wanted + " (StarPU would end the process for it); correct it, or unset " +
                                    variable);
}

void expect_numbers() {
  for (auto const* variable : numbers) {
    char const* const value = std::getenv(variable);
    if (value == nullptr) continue;
    char* end = nullptr;
    long const number = std::strtol(value, &end, 10);
    if (*end != '\0' || number < 0 || number > INT_MAX) reject(variable, value, "a whole number from 0 to 2147483647");
  }
  for (auto const* variable : decimals) {
    char const* const value = std::getenv(variable);
    if (value == nullptr) continue;
    char* end = nullptr;
    std::strtof(value, &end);
    if (*end != '\0') reject(variable, value, "a number");
  }
}

/// Whether the system names this processor, by its number, in "0-3,8".
bool is_in_list(std::string const& list, int processor) {
  for (std::size_t at = 0; at < list.size();) {
    char* end = nullptr;
    long const first = std::strtol(list.c_str() + at, &end, 10);
    long const last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    if (first <= processor && processor <= last) return true;
    at = std::size_t(end - list.c_str()) + 1;
  }
  return false;
}

std::string line_of(std::string const& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

/// Hardware threads per core, of all processors or only those in a list: what StarPU divides, rounded down as there; 1
/// where the system does not tell.
int threads_per_core(std::string const& among) {
  std::string const folder = "/sys/devices/system/cpu/cpu";
  std::set<std::string> cores;
  int const most = int(sysconf(_SC_NPROCESSORS_CONF));
  int threads = 0;
  for (int p = 0; p < most; ++p) {
    auto const siblings = line_of(folder + std::to_string(p) + "/topology/thread_siblings_list");
    if (siblings.empty() || (!among.empty() && !is_in_list(among, p))) continue;
    ++threads;
    cores.insert(siblings);
  }
  return cores.empty() ? 1 : threads / int(cores.size());
}

/// Numbers for which StarPU ends the process where they are none of this machine, beyond being numbers.
void expect_numbers_of_machine() {
  auto const expect = [](char const* variable, long least, long most, std::string const& what) {
    char const* const value = std::getenv(variable);
    if (value == nullptr) return;
    long const number = std::strtol(value, nullptr, 10);
    if (number < least || number > most)
      reject(variable, value, ("from " + std::to_string(least) + " to " + std::to_string(most) + what).c_str());
  };
  long const per_core = threads_per_core({}), threads = sysconf(_SC_NPROCESSORS_ONLN);
  long const allowed = threads_per_core(line_of("/sys/fs/cgroup/cpuset.cpus.effective"));
  expect("STARPU_NTHREADS_PER_CORE", 1, std::min(per_core, allowed), ", the hardware threads of a core");
  expect("STARPU_NWORKER_PER_CUDA", 1, STARPU_NMAXWORKERS - 1, ", the workers that StarPU can have");
  expect("STARPU_MAIN_THREAD_COREID", 0, threads / per_core - 1, ", the number of a core");
  expect("STARPU_MAIN_THREAD_CPUID", 0, threads - 1, ", the number of a hardware thread");
  expect("STARPU_DISK_SWAP_SIZE", STARPU_DISK_SIZE_MIN >> 20, INT_MAX, ", in MiB");
}

/// Names and lists that StarPU cannot use.
void expect_names() {
  for (auto const* variable : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"}) {
    char const* const value = std::getenv(variable);
    if (value == nullptr) continue;
    std::string const list = value;
    auto const first = list.find_first_not_of(' ');
    if (first == list.npos || std::strchr("0123456789", list[first]) == nullptr ||
        list.find_first_not_of("0123456789-, ") != list.npos)
      reject(variable, value, "a list of numbers and ranges, such as '0 2-3'");
  }
  if (char const* const name = std::getenv("STARPU_HOSTNAME"); name != nullptr && std::strchr(name, '/') != nullptr)
    reject("STARPU_HOSTNAME", name, "a name without '/', as files of measurements have it");
  if (char const* const names = std::getenv("STARPU_MPI_HOSTNAMES"); names != nullptr)
    reject("STARPU_MPI_HOSTNAMES", names, "anything for a program that is not StarPU's simulator");
}

/// Checks the folder where StarPU keeps its measurements: below the first of these variables that is set.
void expect_folder() {
  for (auto const* variable : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"}) {
    char const* const value = std::getenv(variable);
    if (value == nullptr) continue;
    auto const folder = std::filesystem::path(value) / ".starpu" / "sampling";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && access(folder.c_str(), W_OK) == 0) return;
    throw Error(Fault::bad_input,
                std::string("StarPU may not write to ") + folder.string() + ", which " + variable +
                    " leads it to (it keeps there what it measures of this machine, and would end the "
                    "process); set STARPU_HOME, or XDG_CACHE_HOME, which goes first, to a folder in "
                    "which you may write");
  }
}

/// Checks the folder to which StarPU may write data when memory is short. It makes it, and its parents, where there are
/// none.
void expect_swap() {
  char const* const value = std::getenv("STARPU_DISK_SWAP");
  if (value == nullptr) return;
  std::error_code error;
  auto at = std::filesystem::absolute(value, error);
  while (at.has_relative_path() && access(at.c_str(), F_OK) != 0) at = at.parent_path();
  if (*value == '\0' || !std::filesystem::is_directory(at, error) || access(at.c_str(), W_OK | X_OK) != 0)
    reject("STARPU_DISK_SWAP", value, "a folder in which you may write");
}

std::atomic<bool> up{false}, in_child{false};

}  // namespace

void expect_usable_environment() {
  expect_numbers();
  expect_numbers_of_machine();
  expect_names();
  expect_folder();
  expect_swap();
}

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { in_child = in_child || up; }); });
}

void runtime_is_up(bool is) noexcept { up = is; }

bool forked() noexcept { return in_child.load(std::memory_order_relaxed); }

void expect_own_process() {
  if (forked())
    throw Error(Fault::bad_input,
                "this process was forked from one with a nearfar::Runtime (its workers are threads, and threads are "
                "not forked, so a solve would never end); fork before the first Runtime, or have the child exec");
}

}  // namespace nearfar::detail
