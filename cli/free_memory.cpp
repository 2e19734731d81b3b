// SPDX-License-Identifier: BSD-3-Clause
#include "cli/free_memory.hpp"

#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/mman.h>

namespace nearfar::cli {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number that a file consists of; none if it is missing or says "max".
std::optional<double> number_in(std::string const& path) {
  std::ifstream file{path};
  double value = 0;
  if (file >> value) return value;
  return {};
}

/// In bytes; 0 if the kernel does not say.
double in_meminfo(std::string const& key) {
  std::ifstream file{"/proc/meminfo"};
  double kilobytes = 0;
  for (std::string name, unit; file >> name >> kilobytes && std::getline(file, unit);)
    if (name == key) return 1024 * kilobytes;
  return 0;
}

/// What the control groups that this process is in leave it, the outermost included.
double left_by_control_groups() {
  double left = unlimited;
  std::ifstream file{"/proc/self/cgroup"};
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::")) continue;
    constexpr std::size_t root = std::string_view("/sys/fs/cgroup").size();
    for (auto group = "/sys/fs/cgroup" + line.substr(3); group.size() >= root; group.erase(group.rfind('/'))) {
      auto const most = number_in(group + "/memory.max"), used = number_in(group + "/memory.current");
      if (most && used) left = std::min(left, *most - *used);
    }
  }
  return left;
}

/// Whether limits of the process (ulimit -v, -d) allow so much.
bool may_map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

}  // namespace

double available_bytes() {
  double const free = in_meminfo("MemAvailable:");
  return std::min(free > 0 ? free : unlimited, left_by_control_groups());
}

void expect_memory_for(std::size_t count, std::size_t bytes_each, std::string const& what, std::string const& cure) {
  if (count == 0) return;
  double const bytes = double(count) * double(bytes_each);
  auto const reject = [&](std::string const& why) {
    throw Error{Fault::no_resource, what + " need about " + bytes_text(bytes) + " of memory, " + why + "; " + cure};
  };
  if (double const free = available_bytes() + in_meminfo("SwapFree:"); bytes > free)
    reject("and " + bytes_text(free) + " are free");
  if (!may_map(count * bytes_each)) reject("more than this process may map (ulimit -v)");
}

}  // namespace nearfar::cli
