// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/profiles.hpp"
#include "tasks/runtime_state.hpp"
#include "tasks/trace_files.hpp"
#include "tasks/trace_log.hpp"

#include <nearfar/error.hpp>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <starpu.h>

namespace nearfar {

namespace detail {

namespace {

/// Kokkos cannot be started twice, so one that we start stays up to the end of the process.
void start_kokkos() {
  if (Kokkos::is_initialized()) return;
#if defined(KOKKOS_VERSION) && KOKKOS_VERSION >= 30700
  Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(1));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = 1;
  Kokkos::initialize(arguments);
#endif
}

/// Every buffer is fit for whole cache lines, SIMD vectors and FFTW.
constexpr std::size_t alignment = 64;

int start_starpu(RuntimeOptions const& options, std::string const& scheduler) {
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
  starpu_malloc_set_align(alignment);
  return starpu_init(&conf);
}

/// StarPU takes another policy, and goes on, where a library of the user's does not have the one that was named.
void expect_scheduler(std::string const& name) {
  auto const* policy = starpu_sched_ctx_get_sched_policy(0);
  std::string const has = policy != nullptr ? policy->policy_name : "";
  if (has != name)
    throw Error(Fault::bad_input, "unknown scheduler '" + name + "' (StarPU started '" + has +
                                      "' instead); name a policy of STARPU_SCHED_LIB, or one of 'nearfar info'");
}

void expect_workers(RuntimeOptions const& options) {
  if (starpu_cpu_worker_get_count() == 0)
    throw Error(Fault::no_resource,
                "no CPU worker was started (most stages run on CPU workers only); ask for at least one");
  int const gpus = int(starpu_worker_get_count() - starpu_cpu_worker_get_count());
  if (options.gpus > gpus)
    throw Error(Fault::no_resource, std::to_string(options.gpus) + " GPU workers were asked for (StarPU found " +
                                        std::to_string(gpus) + "); ask for no more than there are");
}

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

void save(TraceLog& log, std::string const& folder, std::string const& scheduler) noexcept try {
  auto content = log.finish();
  content.runtime = version_text();
  content.scheduler = scheduler;
  content.workers = worker_list();
  write_trace(folder, content);
} catch (std::exception const& e) {
  std::fprintf(stderr, "nearfar: warning: no trace was written to %s (%s)\n", folder.c_str(), e.what());
}

std::mutex registry_mutex;
std::weak_ptr<RuntimeState> registry;

}  // namespace

std::shared_ptr<RuntimeState> RuntimeState::get(RuntimeOptions const& options) {
  std::lock_guard const lock(registry_mutex);
  auto state = registry.lock();
  if (!state) {
    state = std::make_shared<RuntimeState>(options);
    registry = state;
    return state;
  }
  auto contradicts = [](auto wanted, auto up, auto any) { return wanted != any && wanted != up; };
  if (contradicts(options.scheduler, state->scheduler(), std::string()) ||
      contradicts(options.cpus, state->options().cpus, -1) || contradicts(options.gpus, state->options().gpus, -1) ||
      contradicts(options.trace, state->options().trace, std::string()))
    throw Error(Fault::bad_input, "a runtime with other options is up in this process (scheduler '" +
                                      state->scheduler() +
                                      "'; StarPU runs once per process); give the same options or none");
  return state;
}

RuntimeState::RuntimeState(RuntimeOptions const& options) : options_(options) {
  start_kokkos();
  if (!options.trace.empty()) make_trace_folder(options.trace);
  if (starpu_is_initialized()) {
    auto* policy = starpu_sched_ctx_get_sched_policy(0);
    scheduler_ = policy != nullptr ? policy->policy_name : "";
  } else {
    scheduler_ = choose_scheduler(options.scheduler);
    if (!options.trace.empty()) request_events(options.trace);
    if (int const rc = start_starpu(options, scheduler_); rc != 0)
      throw Error(Fault::no_resource, "StarPU could not start a worker (starpu_init returned " + std::to_string(rc) +
                                          "); ask for at least one CPU worker");
    started_ = true;
    buckets_ = scheduler_ == "heteroprio";
    try {
      expect_scheduler(scheduler_);
      expect_workers(options);
    } catch (...) {
      starpu_shutdown();
      throw;
    }
  }
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  if (!options.trace.empty()) trace_ = std::make_unique<TraceLog>(started_);
  if (started_) starpu_pause();
  paused_ = started_;
}

RuntimeState::~RuntimeState() {
  if (started_) {
    starpu_resume();
    starpu_task_wait_for_all();
  }
  if (trace_) save(*trace_, options_.trace, scheduler_);
  if (!started_) return;
  starpu_shutdown();
  if (trace_) convert_events(options_.trace);
}

unsigned RuntimeState::solve_begins() {
  std::lock_guard const lock(mutex_);
  ++in_flight_;
  return ++solves_;
}

void RuntimeState::let_run() noexcept {
  std::lock_guard const lock(mutex_);
  if (paused_) starpu_resume();
  paused_ = false;
}

void RuntimeState::solve_ends() noexcept {
  std::lock_guard const lock(mutex_);
  if (--in_flight_ > 0 || !started_ || paused_) return;
  starpu_pause();
  paused_ = true;
}

void RuntimeState::wake() {
  {
    std::lock_guard const lock(mutex_);
    ++in_flight_;
  }
  let_run();
}

}  // namespace detail

Runtime::Runtime(RuntimeOptions const& options) : state_(detail::RuntimeState::get(options)) {}

std::vector<Worker> Runtime::workers() const { return detail::worker_list(); }

std::string Runtime::scheduler() const { return state_->scheduler(); }

std::string Runtime::version() const { return detail::version_text(); }

void Runtime::mark(std::string const& text) const {
  if (auto* trace = state_->trace(); trace != nullptr) trace->mark(text);
}

}  // namespace nearfar
