// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cli/program.hpp"

#include "tests/cli/temp_folder.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

Outcome run(std::vector<std::string> words, std::vector<std::string> const& arguments) {
  TempFolder const folder;
  auto const out = folder / "stdout", err = folder / "stderr";
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  int status = 0;
  int const failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("cannot run " + words.front());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(err)};
}

}  // namespace

Outcome run_nearfar(std::vector<std::string> const& arguments) { return run({NEARFAR_PROGRAM}, arguments); }

Outcome run_nearfar_after(std::string const& shell, std::vector<std::string> const& arguments) {
  return run({"/bin/sh", "-c", shell + "; exec \"$0\" \"$@\"", NEARFAR_PROGRAM}, arguments);
}

Outcome run_nearfar_on_terminal(std::vector<std::string> const& arguments) {
  std::string command = NEARFAR_PROGRAM;
  for (auto const& argument : arguments) command += " " + argument;
  return run({"/usr/bin/script", "-qec"}, {command, "/dev/null"});
}
