// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/expects.hpp"
#include "core/ewald/split/near_kernel.hpp"
#include "core/ewald/split/profile.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace nearfar;

namespace {

struct Ending {
  int signal = 0;
  std::string said;
};

/// How a process ends that calls `body`, and what it writes to standard error.
template <class Body>
Ending ending_of(Body const& body) {
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

}  // namespace

TEST_CASE("EXPECTS: what does not hold ends the program, with the values, file and line") {
  int const rows = 12, most = 9;
  auto const ending = ending_of([&] { EXPECTS(rows <= most, rows, most); });
  CHECK(ending.signal == SIGABRT);
  CHECK(ending.said.find("expected rows <= most; rows, most = 12 9") != std::string::npos);
  CHECK(ending.said.find("expects_test.cpp:") != std::string::npos);
  CHECK(ending_of([&] { EXPECTS(rows > most); }).signal == 0);
}

TEST_CASE("unreachable: a value of an enumeration that nobody handles ends the program, in every build") {
  auto const ending = ending_of([] { unreachable("kernel", 77); });
  CHECK(ending.signal == SIGABRT);
  CHECK(ending.said.find("kernel 77 is not handled") != std::string::npos);
}
