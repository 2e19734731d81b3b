// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <optional>
#include <starpu.h>
#include <string>

namespace nearfar {

/// The profile to start with: `wanted`, else the environment's STARPU_SCHED, else "overlap".
/// Throws Error{bad_input} with the list for a name that neither nearfar nor StarPU has.
std::string choose_scheduler(std::string const& wanted);

/// Whether a scheduler decides by StarPU's models of measured times.
bool uses_models(std::string const& name);

/// Whether GPUs get the tasks they are better at, and CPUs start none that a GPU would finish sooner.
bool gives_gpus_what_suits_them(std::string const& name);

/// Whether tasks of any stage may be restricted to GPUs: not if a bucket
/// is for tasks that run on the same kinds of workers, one for each stage.
bool bears_tasks_for_gpus_alone(std::string const& name);

/// Puts a profile into the configuration. StarPU prefers STARPU_SCHED to any configuration, so
/// that variable is removed from the environment while this lives: until starpu_init has returned.
class ConfiguredScheduler {
 public:
  ConfiguredScheduler(starpu_conf& conf, std::string const& name);
  ~ConfiguredScheduler();
  ConfiguredScheduler(ConfiguredScheduler const&) = delete;
  ConfiguredScheduler& operator=(ConfiguredScheduler const&) = delete;

 private:
  std::optional<std::string> hidden_;
};

}  // namespace nearfar
