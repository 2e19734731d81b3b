// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/memory.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

namespace nearfar::detail {

std::string gibibytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", double(bytes) / (1024.0 * 1024 * 1024));
  return text;
}

std::size_t memory_limit() noexcept {
  std::size_t limit = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  std::size_t group = 0;
  // A file that says "max" sets no limit, and is no number.
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> group) limit = std::min(limit, group);
  return limit;
}

void expect_memory(std::size_t bytes) {
  if (bytes <= memory_limit()) return;
  throw Error(Fault::no_resource, "the solve needs about " + gibibytes(bytes) + " of memory (this machine has " +
                                      gibibytes(memory_limit()) +
                                      "); take fewer particles, a larger tolerance, or single precision");
}

}  // namespace nearfar::detail
