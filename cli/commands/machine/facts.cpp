// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/machine/facts.hpp"

#include "cli/commands/machine/machine.hpp"
#include "cli/free_memory.hpp"

#include <nearfar/error.hpp>

#include <filesystem>
#include <initializer_list>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace nearfar::cli {

namespace {

namespace fs = std::filesystem;

/// The folder below the first of these variables that is set, and whether it is writable or could be created.
KeptFolder below(std::initializer_list<std::pair<char const*, char const*>> candidates) {
  for (auto const& [variable, folder] : candidates) {
    auto const value = environment(variable);
    if (!value || value->empty()) continue;
    fs::path const path = fs::path(*value) / folder;
    auto existing = path;
    while (!fs::exists(existing) && existing.has_relative_path()) existing = existing.parent_path();
    return {path.string(), access(existing.c_str(), W_OK) == 0};
  }
  return {};
}

int count_models(std::string const& folder) {
  int count = 0;
  std::error_code error;
  for (auto i = fs::recursive_directory_iterator(folder, error); !error && i != fs::recursive_directory_iterator();
       i.increment(error))
    count += i->path().filename().string().starts_with("nearfar_");
  return count;
}

std::map<std::string, std::string> variables() {
  std::map<std::string, std::string> found;
  for (auto const* prefix : {"STARPU_", "NEARFAR_", "OMP_NUM_THREADS"})
    for (auto const& entry : environment_like(prefix)) {
      auto const equals = entry.find('=');
      auto const name = entry.substr(0, equals);
      if (name != "STARPU_SILENT") found[name] = entry.substr(equals + 1);  // usually set by this program itself
    }
  return found;
}

}  // namespace

Facts look_around() {
  Facts facts;
  facts.allowed_cores = allowed_cores();
  facts.online_cores = online_cores();
  facts.quota = core_quota();
  facts.load = load_average();
  facts.governor = clock_governor();
  facts.available_bytes = available_bytes();
  if (rlimit limit{}; getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    facts.address_space = static_cast<double>(limit.rlim_cur);
  facts.gpu_nodes = gpu_device_nodes();
  facts.environment = variables();
#ifndef __OPTIMIZE__
  facts.optimised = false;
#endif
#if defined(NEARFAR_ONE_PROGRAM)
  facts.packaged = true;
#endif
  facts.simd = simd_names();
  // The variables that decide where nearfar and StarPU keep files, in their order of precedence:
  // core/plan/user_folder.cpp, StarPU's src/common/utils.c.
  facts.rates = below({{"NEARFAR_CACHE", ""}, {"XDG_CACHE_HOME", "nearfar"}, {"HOME", ".cache/nearfar"}});
  facts.models = below({{"XDG_CACHE_HOME", ".starpu"}, {"STARPU_HOME", ".starpu"}, {"HOME", ".starpu"}});
  facts.model_count = count_models(facts.models.path) + count_models(environment("STARPU_PERF_MODEL_DIR").value_or(""));
  try {
    Runtime const runtime;
    facts.workers = runtime.workers();
    facts.version = runtime.version();
    facts.scheduler = runtime.scheduler();
  } catch (Error const& error) {
    facts.start_error = error.what();
  }
  return facts;
}

}  // namespace nearfar::cli
