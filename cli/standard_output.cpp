// SPDX-License-Identifier: BSD-3-Clause
#include "cli/standard_output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace nearfar::cli {

namespace {

std::FILE* kept = nullptr;

/// The place of a standard stream that is closed would go to the next file that is opened, and what is printed into it.
/// Standard output then takes nothing, so that results which should go there are missed.
void open_closed_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);  // the lowest number that is free
}

}  // namespace

void keep_standard_output() {
  constexpr int after_the_three = 3;
  open_closed_streams();
  std::fflush(stdout);
  int const copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, after_the_three);
  if (copy < 0) return;
  kept = fdopen(copy, "w");
  if (kept == nullptr) kept = fdopen(copy, "r");  // it was closed: what is printed there fails
  if (kept != nullptr) dup2(STDERR_FILENO, STDOUT_FILENO);
  else close(copy);
}

std::FILE* results() noexcept { return kept != nullptr ? kept : stdout; }

void print(char const* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vfprintf(results(), format, arguments);
  va_end(arguments);
}

std::string opened_as(std::string const& path) {
  constexpr std::array<std::string_view, 4> names{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::ranges::find(names, path) == names.end() ? path : "/proc/self/fd/" + std::to_string(fileno(results()));
}

}  // namespace nearfar::cli
