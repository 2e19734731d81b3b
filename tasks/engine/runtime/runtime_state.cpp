// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/runtime_state.hpp"

#include "codelets/common/kokkos/start_kokkos.hpp"
#include "core/math/bulk_memory.hpp"
#include "core/math/floating_point.hpp"
#include "core/math/reject.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/engine/runtime/buses.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/engine/runtime/process.hpp"
#include "tasks/nodes/machine/cores.hpp"
#include "tasks/nodes/machine/numa.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <starpu.h>
#include <unistd.h>

namespace nearfar::detail {

/// This rank's part of a machine that several ranks share. Collective.
struct DevicesOfRank {
  explicit DevicesOfRank(Ranks const& ranks) : cores(ranks) {
    std::vector<std::string> visible;
    ranks.together([&] {
      if (ranks.local_count() > 1) visible = visible_gpus();
    });
    gpu_count = int(visible.size());
    gpus = sharers_of(ranks, visible);
  }

  CoresOfRank cores;
  Sharers gpus;
  int gpu_count = 0;  ///< of this rank and those that share them
};

namespace {

/// Buffers are aligned for whole cache lines, SIMD vectors and FFTW.
constexpr std::size_t alignment = 64;

/// Memory for thread stacks, StarPU's own tables and GPU libraries: if they do not fit, StarPU aborts.
constexpr std::size_t room_to_start = std::size_t(512) << 20;

/// During its lifetime hwloc only looks for processors and memory, not for displays (it connects to their servers) and
/// OpenCL, nor for names of PCI devices if none of them can be a GPU. This saves 20 ms.
class NoDisplays {
 public:
  NoDisplays() : asked_(user_has_a_wish()) {
    bool const gpus = access("/dev/nvidiactl", F_OK) == 0 || access("/dev/kfd", F_OK) == 0;
    if (!asked_) setenv(variable, gpus ? "-gl,-opencl" : "-gl,-opencl,-pci", 0);
  }
  ~NoDisplays() {
    if (!asked_) unsetenv(variable);
  }
  NoDisplays(NoDisplays const&) = delete;
  NoDisplays& operator=(NoDisplays const&) = delete;

 private:
  static constexpr char const* variable = "HWLOC_COMPONENTS";
  bool asked_;

  /// If the variable is set, hwloc ignores those that describe another machine: so a user's choice of any is respected.
  static bool user_has_a_wish() {
    for (char const* name : {variable, "HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"})
      if (std::getenv(name) != nullptr) return true;
    return false;
  }
};

/// Divides the GPUs among the ranks of a machine, so that none takes another's. STARPU_NCUDA still applies.
void divide_gpus(starpu_conf& conf, RuntimeOptions const& options, DevicesOfRank const& devices) {
  if (!devices.cores.divided) return;
  auto const gpus = devices.gpus.share(devices.gpu_count, options.gpus);
  if (options.gpus < 0) {
    conf.ncuda = int(gpus.size());
#ifdef STARPU_USE_HIP
    conf.nhip = int(gpus.size());
#endif
  }
  conf.use_explicit_workers_cuda_gpuid = 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(gpus.size(), STARPU_NMAXWORKERS); ++i)
    conf.workers_cuda_gpuid[i] = unsigned(gpus[i]);
#ifdef STARPU_USE_HIP
  conf.use_explicit_workers_hip_gpuid = 1;
  std::copy_n(conf.workers_cuda_gpuid, STARPU_NMAXWORKERS, conf.workers_hip_gpuid);
#endif
}

int start_starpu(RuntimeOptions const& options, std::string const& scheduler, DevicesOfRank const& devices) {
  expect_memory(room_to_start, "the task runtime", "raise the limit, or ask for fewer workers");
  starpu_conf conf;
  starpu_conf_init(&conf);
  ConfiguredScheduler const configured(conf, scheduler);
  if (options.cpus >= 0 || options.gpus >= 0) conf.precedence_over_environment_variables = 1;
  if (options.cpus >= 0) conf.ncpus = options.cpus;
  if (options.gpus >= 0) {
    conf.ncuda = options.gpus;
#ifdef STARPU_USE_HIP
    conf.nhip = options.gpus;
#endif
  }
  divide_gpus(conf, options, devices);
  BoundToCores const bound(devices.cores);
  starpu_malloc_set_align(alignment);
  NoDisplays const quiet;
  KeepCallersGpu const gpu;  // StarPU measures the buses of all GPUs, and so changes the current one
  return starpu_init(&conf);
}

/// If a user's library of policies lacks the named one, StarPU silently starts another: refuse that.
void expect_scheduler(std::string const& name) {
  auto const* policy = starpu_sched_ctx_get_sched_policy(0);
  std::string const has = policy != nullptr ? policy->policy_name : "";
  if (has != name)
    throw Error(Fault::bad_input, "unknown scheduler '" + name + "' (StarPU started '" + has +
                                      "' instead); name a policy of STARPU_SCHED_LIB, or one of 'nearfar info'");
}

void expect_workers(RuntimeOptions const& options) {
  int const gpus = int(starpu_worker_get_count() - starpu_cpu_worker_get_count());
  if (starpu_cpu_worker_get_count() == 0)
    throw Error(Fault::no_resource, "no CPU worker was started, and " + std::to_string(gpus) +
                                        " for GPUs, each of which takes a core (some stages run on CPU workers only); "
                                        "ask for at least one, or let this process have more cores: mpirun may have "
                                        "bound it to one, which --bind-to none prevents");
  if (options.gpus > gpus)
    throw Error(Fault::no_resource, std::to_string(options.gpus) + " GPU workers were asked for (StarPU found " +
                                        std::to_string(gpus) + "); ask for no more than there are");
}

void expect_possible_workers(RuntimeOptions const& options) {
  if (options.cpus > STARPU_MAXCPUS)
    reject(options.cpus, " CPU workers were asked for, but this StarPU has at most ", STARPU_MAXCPUS,
           "; ask for no more, or configure it with --enable-maxcpus");
}

void expect_messages(RuntimeOptions const& options) {
  auto const possible = [](double number) { return number >= 0 && std::isfinite(number); };
  if (auto const& speed = options.network; speed && !(possible(speed->latency) && possible(speed->bandwidth)))
    reject("the network between ranks has a latency of ", speed->latency, " s and a bandwidth of ", speed->bandwidth,
           " bytes/s, which plans cannot count with; give two finite numbers, not negative");
  if (!possible(options.message_delay) || options.message_delay > 1000)
    reject("messages would be late by ", options.message_delay,
           " s, which is no delay for tests; give seconds from 0 to 1000");
}

std::mutex registry_mutex;
std::weak_ptr<RuntimeState> registry;

/// Memory policy of the running runtime, if ranks share its machine.
std::optional<MemoryOnNodes> memory;

}  // namespace

std::vector<Worker> worker_list() {
  std::vector<Worker> workers;
  for (unsigned i = 0; i < starpu_worker_get_count(); ++i) {
    char name[64];
    starpu_worker_get_name(int(i), name, sizeof name);
    auto const type = starpu_worker_get_type(int(i));
    workers.push_back({name, type == STARPU_CPU_WORKER ? "cpu" : type == STARPU_CUDA_WORKER ? "cuda" : "hip"});
  }
  return workers;
}

std::string version_text() {
  int major = 0, minor = 0, release = 0;
  starpu_get_version(&major, &minor, &release);
  std::string text = "StarPU " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
  if (major != STARPU_MAJOR_VERSION || minor != STARPU_MINOR_VERSION)
    text +=
        " (but built for " + std::to_string(STARPU_MAJOR_VERSION) + "." + std::to_string(STARPU_MINOR_VERSION) + ")";
#ifdef STARPU_USE_FXT
  text += ", FxT";
#endif
#ifdef STARPU_USE_CUDA
  text += ", CUDA";
#endif
#ifdef STARPU_USE_HIP
  text += ", HIP";
#endif
  return text;
}

std::shared_ptr<RuntimeState> RuntimeState::get(RuntimeOptions const& options, MakeObserver* make_observer) {
  expect_own_process();
  std::lock_guard const lock(registry_mutex);
  auto state = registry.lock();
  if (!state) {
    state = std::make_shared<RuntimeState>(options, make_observer(options));
    registry = state;
    return state;
  }
  auto contradicts = [](auto wanted, auto up, auto any) { return wanted != any && wanted != up; };
  if (contradicts(options.scheduler, state->scheduler(), std::string()) ||
      contradicts(options.cpus, state->options().cpus, -1) || contradicts(options.gpus, state->options().gpus, -1) ||
      contradicts(options.trace, state->options().trace, std::string()) ||
      contradicts(options.communicator, state->options().communicator, static_cast<void const*>(nullptr)) ||
      contradicts(options.network, state->options().network, std::optional<NetworkSpeed>()) ||
      contradicts(options.message_delay, state->options().message_delay, 0.0))
    throw Error(Fault::bad_input, "a runtime with other options is up in this process (scheduler '" +
                                      state->scheduler() +
                                      "'; StarPU runs once per process); give the same options or none");
  return state;
}

RuntimeState::RuntimeState(RuntimeOptions const& options, std::unique_ptr<Observer> observer)
    : options_(options), ranks_(options), observer_(std::move(observer)) {
  PlainArithmetic const plain;  // which the workers inherit
  try {
    ranks_.together([&] {
      expect_possible_workers(options_);
      expect_messages(options_);
    });
    bool const watched = ranks_.decide([this] { return observer_ != nullptr; });
    ranks_.together([&] {
      if (watched != (observer_ != nullptr))
        throw Error(Fault::bad_input,
                    "only some ranks were asked for a trace (they write one together); ask all of them, or none");
      if (observer_) observer_->prepare(ranks_);
    });
    DevicesOfRank const devices(ranks_);
    memory.emplace(devices.cores.nodes);
    std::exception_ptr failed;
    try {
      start(devices);
    } catch (...) {
      failed = std::current_exception();
    }
    ranks_.agree(failed);
    ranks_.start_messages();
  } catch (...) {
    memory.reset();
    if (started_) starpu_shutdown();
    throw;
  }
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  if (observer_) observer_->started(started_);
  if (started_) {
    std::lock_guard const lock(mutex_);
    pause();
    lingers_ = resting_ && !is_real_time() && starpu_cpu_worker_get_count() > 0;  // who rests beside GPUs looks at_work
  }
  watch_forks();
  runtime_is_up(true);
}

void RuntimeState::start(DevicesOfRank const& devices) {
  if (starpu_is_initialized()) {
    start_kokkos();
    if (ranks_.several())
      throw Error(Fault::bad_input,
                  "StarPU was up before nearfar (which divides the cores of a machine among ranks "
                  "when it starts StarPU); make the runtime first");
    auto* policy = starpu_sched_ctx_get_sched_policy(0);
    scheduler_ = policy != nullptr ? policy->policy_name : "";
    return;
  }
  expect_usable_environment();
  keep_gpus_in_use();
  scheduler_ = choose_scheduler(options_.scheduler);
  if (observer_) observer_->before_start();
  if (is_real_time()) resting_.emplace(rest_of_ranks);
  if (int const rc = start_starpu(options_, scheduler_, devices); rc != 0)
    throw Error(Fault::no_resource, "StarPU could not start a worker (starpu_init returned " + std::to_string(rc) +
                                        "); ask for at least one CPU worker");
  started_ = true;
  start_kokkos();  // after StarPU, which resets GPUs when it measures their buses
  buckets_ = scheduler_ == "heteroprio";
  expect_scheduler(scheduler_);
  expect_workers(options_);
  bool const beside_gpus = starpu_worker_get_count() > starpu_cpu_worker_get_count();
  if (beside_gpus && !resting_ && !ranks_.several()) resting_.emplace(rest_beside_gpus, [this] { return at_work(); });
}

RuntimeState::~RuntimeState() {
  if (forked()) return;
  PlainArithmetic const plain;
  runtime_is_up(false);
  if (started_) {
    {
      std::lock_guard const lock(mutex_);
      lingers_ = false;
    }
    let_run(WorkFor::all);
    starpu_task_wait_for_all();
  }
  ranks_.stop_messages();
  if (observer_) observer_->before_stop({version_text(), scheduler_, worker_list()});
  pinned_trim();
  memory.reset();
  if (!started_) return;
  starpu_shutdown();
  if (observer_) observer_->stopped();
  bulk_trim();
}

unsigned RuntimeState::solve_begins() {
  expect_own_process();
  std::lock_guard const lock(mutex_);
  ++in_flight_;
  return ++solves_;
}

void RuntimeState::let_run(WorkFor work) noexcept {
  if (forked()) return;
  std::lock_guard const lock(mutex_);
  if (paused_) starpu_resume();
  else if (resting_ && work == WorkFor::all) RestingWorkers::wake();
  paused_ = false;
}

void RuntimeState::solve_ends() noexcept {
  if (forked()) return;
  std::lock_guard const lock(mutex_);
  if (--in_flight_ > 0 || !started_) return;
  ended_ = std::chrono::steady_clock::now();
  if (!lingers_) pause();
}

void RuntimeState::pause() noexcept {
  if (!paused_) starpu_pause();
  paused_ = true;
}

bool RuntimeState::at_work() noexcept {
  // Waking workers takes up to 10 microseconds each, more than a small solve on a GPU; steps follow each other closely.
  constexpr std::chrono::milliseconds linger{1};
  if (in_flight_ > 0) return true;
  if (std::chrono::steady_clock::now() - ended_.load() < linger) return false;
  std::unique_lock const lock(mutex_, std::try_to_lock);
  if (lock && lingers_ && in_flight_ == 0) pause();
  return false;
}

void RuntimeState::wake() {
  if (forked()) return;
  {
    std::lock_guard const lock(mutex_);
    ++in_flight_;
  }
  let_run(WorkFor::all);
}

}  // namespace nearfar::detail
