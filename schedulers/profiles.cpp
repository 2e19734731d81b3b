// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/profiles.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <starpu.h>

namespace nearfar {

namespace {

/// When to use which, for those worth a word; StarPU's own description stands for the others.
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

}  // namespace

std::vector<SchedulerProfile> scheduler_profiles() {
  std::vector<SchedulerProfile> profiles;
  for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p != nullptr; ++p) {
    std::string const name = (*p)->policy_name;
    auto const* known = std::find_if(std::begin(purposes), std::end(purposes), [&](auto& q) { return q.name == name; });
    profiles.push_back({name, known != std::end(purposes) ? known->text : (*p)->policy_description});
  }
  std::sort(profiles.begin(), profiles.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return profiles;
}

std::string choose_scheduler(std::string const& wanted) {
  char const* environment = std::getenv("STARPU_SCHED");
  std::string const name = !wanted.empty() ? wanted : environment != nullptr && *environment ? environment : "lws";
  std::string names;
  for (auto const& profile : scheduler_profiles()) {
    if (profile.name == name) return name;
    names += (names.empty() ? "" : ", ") + profile.name;
  }
  throw Error(Fault::bad_input, "unknown scheduler '" + name + "' (StarPU has no policy of that name); known are " + names);
}

}  // namespace nearfar
