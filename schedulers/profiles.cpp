// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/profiles.hpp"

#include <nearfar/error.hpp>

#include <cstdlib>
#include <starpu.h>

namespace nearfar {

namespace {

/// The policies of StarPU that suit these graphs, and when to use which. Its others can be asked for by name as well.
struct Purpose {
  char const* name;
  char const* text;
};
constexpr Purpose purposes[] = {
    {"lws", "work stealing between neighbouring workers, with priorities: the default, best on CPUs alone"},
    {"eager", "one queue, no priorities: the baseline that shows what priorities are worth"},
    {"prio", "one queue ordered by priority: simple and good with few workers"},
    {"random", "by chance: the other baseline"},
    {"ws", "work stealing between all workers, without priorities"},
    {"dm", "by measured task times: needs calibrated models"},
    {"dmda", "by measured task and transfer times: needs calibrated models"},
    {"dmdas", "as dmda, sorted by priority: the choice with GPUs"},
    {"dmdar", "as dmda, tasks whose data are there first"},
    {"heteroprio", "a queue per kind of task, CPUs and GPUs take them from opposite ends"},
};

bool starpu_has(std::string const& name) {
  for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p)
    if ((*p)->policy_name == name) return true;
  return false;
}

}  // namespace

std::vector<SchedulerProfile> scheduler_profiles() {
  std::vector<SchedulerProfile> profiles;
  for (Purpose const& p : purposes)
    if (starpu_has(p.name)) profiles.push_back({p.name, p.text});
  return profiles;
}

std::string choose_scheduler(std::string const& wanted) {
  char const* environment = std::getenv("STARPU_SCHED");
  std::string const name = !wanted.empty() ? wanted : environment != nullptr && *environment ? environment : "lws";
  if (starpu_has(name)) return name;
  std::string names;
  for (auto const& profile : scheduler_profiles()) names += (names.empty() ? "" : ", ") + profile.name;
  throw Error(Fault::bad_input, "unknown scheduler '" + name + "' (StarPU has no policy of that name); choose among " +
                                    names + ", or another policy of StarPU");
}

}  // namespace nearfar
