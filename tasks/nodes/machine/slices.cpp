// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/slices.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace nearfar::detail {

namespace {

/// As Linux has it (sched_setattr(2)), which Debian's headers do not declare.
struct Attributes {
  std::uint32_t size, policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime, deadline, period;
};

constexpr bool is_real_time(std::uint32_t policy) {
  constexpr std::uint32_t first_in_first_out = 1, round_robin = 2;
  return policy == first_in_first_out || policy == round_robin;
}

bool shorten_slice(pid_t thread) {
#if defined(SYS_sched_getattr) && defined(SYS_sched_setattr)
  constexpr std::uint32_t ordinary = 0;  // SCHED_OTHER
  constexpr std::uint64_t nanoseconds = 100000;
  Attributes attributes{};
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof attributes, 0) != 0) return false;
  if (attributes.policy != ordinary && !is_real_time(attributes.policy)) return false;
  attributes.size = sizeof attributes;
  attributes.policy = ordinary;
  attributes.priority = 0;
  attributes.runtime = nanoseconds;
  return syscall(SYS_sched_setattr, thread, &attributes, 0) == 0;
#else
  static_cast<void>(thread);
  return false;
#endif
}

}  // namespace

int shorten_slices(std::string_view thread) noexcept {
  int accepted = 0;
  try {
    for (auto const& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::ifstream in(task.path() / "comm");
      if (std::getline(in, name) && name == thread) accepted += shorten_slice(std::stoi(task.path().filename()));
    }
  } catch (...) {  // a machine without /proc, or a thread that has ended
  }
  return accepted;
}

}  // namespace nearfar::detail
