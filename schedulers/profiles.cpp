// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/profiles.hpp"

#include "schedulers/heteroprio.hpp"
#include "schedulers/overlap.hpp"

#include <nearfar/error.hpp>

#include <cstdlib>
#include <starpu_scheduler.h>

namespace nearfar {

namespace {

/// The policies of StarPU that suit these graphs, and when to use which. Others of StarPU can also be chosen by name.
struct Purpose {
  char const* name;
  char const* text;
};
constexpr Purpose purposes[] = {
    {"overlap", "nearfar's own, the default: far field by priority, P2P in its gaps and on GPUs; needs no calibration"},
    {"lws", "work stealing between neighbouring workers, with priorities"},
    {"eager", "one queue, no priorities: the baseline that shows what priorities are worth"},
    {"prio", "one queue ordered by priority: simple and good with few workers"},
    {"random", "tasks assigned at random: the other baseline"},
    {"ws", "work stealing between all workers, without priorities"},
    {"dm", "by measured task times: needs calibrated models"},
    {"dmda", "by measured task and transfer times: needs calibrated models"},
    {"dmdas", "as dmda, sorted by priority: the best of these with GPUs"},
    {"dmdar", "as dmda, tasks whose data are there first"},
    {"heteroprio", "a bucket per priority; CPUs take the far field first, GPUs P2P"},
};

/// nullptr if no policy has that name.
starpu_sched_policy* policy_of(std::string const& name) {
  if (name == overlap_policy().policy_name) return &overlap_policy();
  if (name == "heteroprio" && heteroprio_set_up() == nullptr) return nullptr;
  for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p)
    if ((*p)->policy_name == name) return *p;
  return nullptr;
}

char const* in_environment(char const* variable) {
  char const* value = std::getenv(variable);
  return value != nullptr && *value != 0 ? value : nullptr;
}

void set_callback(starpu_conf& conf, void (*callback)(unsigned)) {
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
  conf.sched_policy_callback = callback;
#else
  conf.sched_policy_init = callback;
#endif
}

}  // namespace

std::vector<SchedulerProfile> scheduler_profiles() {
  std::vector<SchedulerProfile> profiles;
  for (Purpose const& p : purposes)
    if (policy_of(p.name) != nullptr) profiles.push_back({p.name, p.text});
  return profiles;
}

std::string choose_scheduler(std::string const& wanted) {
  char const* environment = in_environment("STARPU_SCHED");
  std::string const name = !wanted.empty() ? wanted : environment != nullptr ? environment : "overlap";
  // Only StarPU opens a user's library of policies, so names in it cannot be checked here.
  if (policy_of(name) != nullptr || in_environment("STARPU_SCHED_LIB") != nullptr) return name;
  std::string names;
  for (auto const& profile : scheduler_profiles()) names += (names.empty() ? "" : ", ") + profile.name;
  throw Error(Fault::bad_input, "unknown scheduler '" + name +
                                    "' (neither nearfar nor StarPU has a policy of that name" +
                                    (wanted.empty() ? "; it comes from STARPU_SCHED" : "") + "); choose among " +
                                    names + ", or another policy of StarPU");
}

bool uses_models(std::string const& name) { return name.starts_with("dm") || name.find("heft") != name.npos; }

bool gives_gpus_what_suits_them(std::string const& name) {
  return name == overlap_policy().policy_name || name == "heteroprio" || uses_models(name);
}

bool bears_tasks_for_gpus_alone(std::string const& name) { return name != "heteroprio"; }

ConfiguredScheduler::ConfiguredScheduler(starpu_conf& conf, std::string const& name) {
  if (char const* value = in_environment("STARPU_SCHED")) {
    hidden_ = value;
    unsetenv("STARPU_SCHED");
  }
  conf.sched_policy = policy_of(name);
  conf.sched_policy_name = conf.sched_policy == nullptr ? name.c_str() : nullptr;
  if (name != "heteroprio") return;
  // Heteroprio would otherwise rearrange its buckets while tasks run; a user who sets the variable gets that.
  setenv("STARPU_HETEROPRIO_USE_AUTO_CALIBRATION", "0", 0);
  conf.global_sched_ctx_min_priority = 0;
  conf.global_sched_ctx_max_priority = heteroprio_buckets - 1;
  set_callback(conf, heteroprio_set_up());
}

ConfiguredScheduler::~ConfiguredScheduler() {
  if (hidden_) setenv("STARPU_SCHED", hidden_->c_str(), 1);
}

}  // namespace nearfar
