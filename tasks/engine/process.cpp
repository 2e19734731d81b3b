// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/process.hpp"

#include <nearfar/error.hpp>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <pthread.h>
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
                                   "STARPU_NCPU",
                                   "STARPU_NCPUS",
                                   "STARPU_NCUDA",
                                   "STARPU_NHIP",
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

std::atomic<bool> up{false}, in_child{false};

}  // namespace

void expect_usable_environment() {
  expect_numbers();
  expect_folder();
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
