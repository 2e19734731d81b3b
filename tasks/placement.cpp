// SPDX-License-Identifier: BSD-3-Clause
#include <nearfar/placement.hpp>

#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/nodes/machine/numa.hpp"

#include <mutex>
#include <sched.h>
#include <set>
#include <sstream>
#include <starpu.h>
#include <unistd.h>

namespace nearfar {

namespace {

/// "0-3,8"
std::string ranges(std::set<int> const& numbers) {
  std::ostringstream text;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    text << (first == numbers.begin() ? "" : ",") << *first;
    if (last != first) text << '-' << *last;
    first = std::next(last);
  }
  return text.str();
}

struct Seen {
  std::mutex mutex;
  std::set<int> processors;
};

void look(void* raw) {
  auto& seen = *static_cast<Seen*>(raw);
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  std::lock_guard const lock(seen.mutex);
  for (int p = 0; p < CPU_SETSIZE; ++p)
    if (CPU_ISSET(p, &set)) seen.processors.insert(p);
}

/// A line for the rank, and one for each worker.
std::string text_of(Runtime const& runtime) {
  Seen seen;
  {
    detail::Awake awake;
    awake.begin(runtime.shared());
    starpu_execute_on_each_worker(look, &seen, STARPU_CPU);
  }
  std::set<int> nodes;
  for (int p : seen.processors)
    if (int const node = detail::numa_node(p); node >= 0) nodes.insert(node);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::ostringstream text;
  text << host << '\n' << ranges(seen.processors) << '\n' << ranges(nodes) << '\n';
  for (auto const& worker : runtime.workers()) text << worker.kind << ' ' << worker.name << '\n';
  return text.str();
}

}  // namespace

std::vector<RankPlacement> placement(Runtime const& runtime) {
  detail::Ranks const& ranks = runtime.shared()->ranks();
  bool const between_gpus = ranks.messages_between_gpus();
  std::vector<RankPlacement> all;
  for (auto const& text : ranks.gather(text_of(runtime))) {
    std::istringstream lines(text);
    RankPlacement rank{.rank = int(all.size()),
                       .machine = {},
                       .processors = {},
                       .numa_nodes = {},
                       .workers = {},
                       .messages_between_gpus = between_gpus};
    std::getline(lines, rank.machine);
    std::getline(lines, rank.processors);
    std::getline(lines, rank.numa_nodes);
    for (std::string kind, name; lines >> kind && std::getline(lines >> std::ws, name);)
      rank.workers.push_back({name, kind});
    all.push_back(std::move(rank));
  }
  return all;
}

}  // namespace nearfar
