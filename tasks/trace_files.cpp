// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace_files.hpp"

#include <nearfar/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <starpu.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace nearfar::detail {

namespace fs = std::filesystem;

void prepare_trace(std::string const& folder) {
#ifndef STARPU_USE_FXT
  throw Error(Fault::no_resource, "no trace can be written to '" + folder +
                                      "' (this StarPU was built without FxT); run scripts/setup to build one with it");
#endif
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw Error(Fault::bad_input, "trace folder '" + folder + "' cannot be made (" + error.message() +
                                      "); name a folder in a place you may write to");
  std::string const prefix = fs::absolute(folder).string() + "/";
  setenv("STARPU_FXT_TRACE", "1", 1);
  setenv("STARPU_FXT_PREFIX", prefix.c_str(), 1);
}

void convert_trace(std::string const& folder) noexcept try {
  unsetenv("STARPU_FXT_TRACE");
  std::vector<std::string> words{"starpu_fxt_tool", "-use-task-color", "-no-acquire", "-d",
                                 fs::absolute(folder).string()};
  for (auto const& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("prof_file_")) {
      words.push_back("-i");
      words.push_back(fs::absolute(entry.path()).string());
    }
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  std::string const beside = std::string(NEARFAR_STARPU_PREFIX) + "/bin/starpu_fxt_tool";
  std::string const tool = fs::exists(beside) ? beside : "starpu_fxt_tool";
  std::string const log = folder + "/starpu_fxt_tool.log";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  int status = 0;
  bool const ran = posix_spawnp(&child, tool.c_str(), &actions, nullptr, argv.data(), environ) == 0 &&
                   waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!ran)
    std::fprintf(stderr, "nearfar: warning: %s did not convert the trace (see %s); the events are in %s/prof_file_*\n",
                 tool.c_str(), log.c_str(), folder.c_str());
} catch (std::exception const& e) {
  std::fprintf(stderr, "nearfar: warning: the trace in %s was not converted (%s)\n", folder.c_str(), e.what());
}

}  // namespace nearfar::detail
