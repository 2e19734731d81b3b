// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

struct Ending {
  int signal = 0;
  std::string said;
};

/// How a process ends that calls `body`, and what it writes to standard error.
template <class Body>
inline Ending ending_of(Body const& body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  pid_t const child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // not doctest's
    dup2(ends[1], STDERR_FILENO);
    body();
    _exit(0);
  }
  close(ends[1]);
  Ending ending;
  char text[512];
  for (ssize_t size; (size = read(ends[0], text, sizeof text)) > 0;) ending.said.append(text, std::size_t(size));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

/// A process that an EXPECTS has ended, which says the condition.
inline void expect_refused(Ending const& ending, char const* condition) {
  CAPTURE(ending.said);
  CHECK(ending.signal == SIGABRT);
  CHECK(ending.said.find(condition) != std::string::npos);
}
