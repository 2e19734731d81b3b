// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/machine/machine.hpp"
#include "cli/free_memory.hpp"
#include "cli/options.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/placement.hpp>
#include <nearfar/runtime.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace nearfar::cli {

namespace {

void line(char const* title, std::string const& value) { print("%-14s %s\n", title, value.c_str()); }

/// Lists the processors and workers of each rank, and says where ranks of one machine share hardware threads.
void print_ranks(std::vector<RankPlacement> const& ranks) {
  std::map<std::string, int> taken;  // by machine and processors
  for (auto const& rank : ranks) ++taken[rank.machine + ' ' + rank.processors];
  line("ranks", std::to_string(ranks.size()));
  for (auto const& rank : ranks) {
    std::string text = std::to_string(rank.rank) + ": " + rank.machine;
    if (!rank.processors.empty()) text += ", processors " + rank.processors;
    if (!rank.numa_nodes.empty()) text += ", NUMA nodes " + rank.numa_nodes;
    if (int const sharers = taken[rank.machine + ' ' + rank.processors]; sharers > 1 && !rank.processors.empty())
      text += " (shared by " + std::to_string(sharers) + " ranks)";
    line("", text);
    for (auto const& worker : rank.workers) line("", "  " + worker.name);
  }
  bool const gpus = std::ranges::any_of(
      ranks.front().workers, [](std::string const& kind) { return kind != "cpu"; }, &Worker::kind);
  if (gpus) line("messages", ranks.front().messages_between_gpus ? "from GPU to GPU" : "through the hosts");
}

int run(RuntimeOptions const& options) {
  Runtime const runtime{options};
  auto const ranks = placement(runtime);
  if (runtime.rank() > 0) return 0;
  line("nearfar", NEARFAR_VERSION);
  line("runtime", runtime.version());
  line("processor", processor_name());
  line("instructions", simd_names());
  line("cores", text("%d allowed of %d", allowed_cores(), online_cores()));
  line("memory", bytes_text(available_bytes()) + " available");
  std::map<std::string, int> kinds;
  for (auto const& rank : ranks)
    for (auto const& worker : rank.workers) ++kinds[worker.kind];
  std::string counts;
  for (auto const& [kind, count] : kinds) counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  line("workers", counts);
  if (ranks.size() > 1) print_ranks(ranks);
  else
    for (auto const& worker : runtime.workers()) line("", worker.name);
  line("schedulers", "(* is in use)");
  auto const profiles = scheduler_profiles();
  auto const longest = std::ranges::max(profiles, {}, [](auto const& profile) { return profile.name.size(); });
  for (auto const& profile : profiles)
    print("  %c %-*s %s\n", profile.name == runtime.scheduler() ? '*' : ' ', static_cast<int>(longest.name.size()),
          profile.name.c_str(), profile.purpose.c_str());
  return 0;
}

}  // namespace

Command info_command() {
  auto options = std::make_shared<RuntimeOptions>();
  auto table = runtime_options(*options);
  std::erase_if(table, [](Option const& option) { return option.flag == "--trace"; });
  return {"info",
          "Workers, devices, schedulers and versions",
          "Under mpirun it also shows the cores and workers of each process.",
          "nearfar info --cpus 2",
          std::move(table),
          [options] { return run(*options); },
          true};
}

}  // namespace nearfar::cli
