// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/files.hpp"

#include "tasks/engine/dag.hpp"
#include "tasks/trace/timeline.hpp"

#include <nearfar/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <spawn.h>
#include <starpu.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace nearfar::detail {

namespace fs = std::filesystem;

namespace {

bool is_event_file(fs::directory_entry const& entry) {
  return entry.path().filename().string().starts_with("prof_file_");
}

/// Events of an earlier run would be taken for those of this one.
[[maybe_unused]] void remove_events(std::string const& folder) {
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(folder))
    if (is_event_file(entry)) fs::remove(entry.path(), ignored);
}

/// Pictures of an earlier trace would likewise be taken for those of this one.
void remove_pictures(fs::path const& folder) {
  std::error_code ignored;
  for (auto const* name : {"gantt.svg", "gantt.html", "dag.dot", "paje.trace", "trace.html"})
    fs::remove(folder / name, ignored);
}

void remove_parts(fs::path const& folder, std::size_t from) {
  std::error_code ignored;
  while (fs::remove(folder / ("trace." + std::to_string(from) + ".json"), ignored)) ++from;
}

void write_file(fs::path const& path, std::function<void(std::ostream&)> const& write) {
  // Written beside the target, then renamed: a full disk leaves no half a trace.
  fs::path const part = path.string() + ".part";
  fs::remove(part);
  // Nobody else may read it before it has the rights of what it replaces (KeptRights).
  if (fs::exists(path)) close(open(part.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  std::ofstream out(part);
  write(out);
  out.close();
  if (!out) {
    fs::remove(part);
    throw std::runtime_error(path.string() + " cannot be written; is the disk full?");
  }
  fs::rename(part, path);
}

/// The command that converts StarPU's events: the one installed with this library, that of the StarPU we built with, or
/// the one on PATH.
std::vector<std::string> fxt_tool() {
  Dl_info self{};
  std::error_code unreadable;  // the folder of whoever built this may be unreadable to others
  if (dladdr(reinterpret_cast<void const*>(&fxt_tool), &self) != 0) {
    auto const folder = fs::absolute(self.dli_fname).parent_path() / "nearfar";
    // The installed tool needs LD_LIBRARY_PATH, since its run path is that of the build machine.
    if (fs::exists(folder / "starpu_fxt_tool", unreadable))
      return {"env", "LD_LIBRARY_PATH=" + folder.string(), (folder / "starpu_fxt_tool").string()};
  }
  std::string const built = std::string(NEARFAR_STARPU_PREFIX) + "/bin/starpu_fxt_tool";
  return {fs::exists(built, unreadable) ? built : "starpu_fxt_tool"};
}

bool run_tool(std::vector<std::string> words, std::string const& log) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  int status = 0;
  bool const ran = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0 &&
                   waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return ran;
}

}  // namespace

void make_trace_folder(std::string const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && (!fs::is_directory(folder) || access(folder.c_str(), W_OK) != 0))
    error = std::make_error_code(std::errc::permission_denied);
  if (error)
    throw Error(Fault::bad_input, "trace folder '" + folder + "' cannot be made or written to (" + error.message() +
                                      "); name a folder in a place you may write to");
}

void request_events([[maybe_unused]] std::string const& folder) {
#ifdef STARPU_USE_FXT
  remove_events(folder);
  std::string const prefix = fs::absolute(folder).string() + "/";
  setenv("STARPU_FXT_TRACE", "1", 1);
  setenv("STARPU_FXT_PREFIX", prefix.c_str(), 1);
#endif
}

void write_trace(std::string const& folder, TraceContent const& content, std::vector<std::string> const& parts) {
  // Rank 0's file is written last: whoever sees it finds the others complete.
  for (std::size_t rank = parts.size(); rank-- > 0;) {
    auto const name = rank == 0 ? "trace.json" : "trace." + std::to_string(rank) + ".json";
    write_file(fs::path(folder) / name, [&](std::ostream& out) { out << parts[rank]; });
  }
  remove_parts(folder, parts.size());
  remove_pictures(folder);
#ifdef STARPU_USE_FXT
  if (content.ranks == 1) return;
#endif
  write_file(fs::path(folder) / "dag.dot",
             [&](std::ostream& out) { write_dag(out, timeline_of(content.solves).tasks); });
}

void convert_events(std::string const& folder) noexcept try {
  unsetenv("STARPU_FXT_TRACE");
  auto words = fxt_tool();
  std::string const tool = words.back();
  words.insert(words.end(), {"-use-task-color", "-no-acquire", "-d", fs::absolute(folder).string()});
  auto const options = words.size();
  for (auto const& entry : fs::directory_iterator(folder))
    if (is_event_file(entry)) words.insert(words.end(), {"-i", fs::absolute(entry.path()).string()});
  if (words.size() == options) return;
  std::string const log = folder + "/starpu_fxt_tool.log";
  if (!run_tool(std::move(words), log))
    std::fprintf(stderr, "nearfar: warning: %s did not convert StarPU's events (see %s); they are in %s/prof_file_*\n",
                 tool.c_str(), log.c_str(), folder.c_str());
} catch (std::exception const& e) {
  std::fprintf(stderr, "nearfar: warning: StarPU's events in %s were not converted (%s)\n", folder.c_str(), e.what());
}

}  // namespace nearfar::detail
