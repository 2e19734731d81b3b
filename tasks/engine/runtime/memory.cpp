// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/memory.hpp"

#include "core/math/kept_arrays.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <starpu.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nearfar::detail {

namespace {

/// One limit on the memory still available, and which one it is.
struct Room {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::string why;
};

/// The number that a file consists of; none if the file is missing or says "max".
std::optional<std::size_t> number_in(std::string const& file) {
  std::size_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return {};
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

/// The smallest limit of the control groups (v1 or v2) that this process is in. Avoids std::filesystem, whose paths are
/// freed twice when an allocation fails (libstdc++ 12).
Room room_in_control_group() {
  Room room;
  auto const consider = [&](std::string const& file) {
    auto const limit = number_in(file);
    if (!limit) return;
    std::size_t const left = *limit - std::min(*limit, resident_bytes());
    if (left < room.bytes) room = {left, "its control group leaves it " + gibibytes(left) + " of " + gibibytes(*limit)};
  };
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    auto const path = line.substr(line.rfind(':') + 1);
    bool const second = line.starts_with("0::");
    if (!second && line.find(":memory:") == line.npos) continue;
    std::string group = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::size_t const root = group.size();
    for (group += path == "/" ? "" : path; group.size() >= root; group.erase(group.rfind('/')))
      consider(group + (second ? "/memory.max" : "/memory.limit_in_bytes"));
  }
  return room;
}

Room room_in_machine() {
  std::ifstream file("/proc/meminfo");
  std::size_t available = 0, swap = 0, kilobytes = 0;
  for (std::string name, unit; file >> name >> kilobytes && std::getline(file, unit);) {
    if (name == "MemAvailable:") available = 1024 * kilobytes;
    if (name == "SwapFree:") swap = 1024 * kilobytes;
  }
  if (available == 0) return {};
  std::size_t const all = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  return {available + swap, "this machine has " + gibibytes(available + swap) + " free of " + gibibytes(all)};
}

/// Whether the process could map so much: only the kernel knows all limits.
bool could_map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

/// Adds what is mapped beyond what a plan counts: stacks, pools of the allocator, rounding.
std::size_t with_margin(std::size_t bytes) {
  constexpr std::size_t least = std::size_t(64) << 20;
  std::size_t const more = std::max(least, bytes / 8);
  return bytes + std::min(more, std::numeric_limits<std::size_t>::max() - bytes);
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  if (starpu_malloc(&memory, bytes) != 0) throw std::bad_alloc();
  return memory;
}

void free_pinned(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
  starpu_free(memory);
#else
  starpu_free_noflag(memory, bytes);
#endif
}

KeptArrays& pinned_arrays() {
  constexpr std::size_t page = 4096;
  static auto& all = *new KeptArrays({allocate_pinned, free_pinned, page});
  return all;
}

}  // namespace

std::string gibibytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", double(bytes) / (1024.0 * 1024 * 1024));
  return text;
}

void expect_memory(std::size_t bytes, std::string const& what, std::string const& cure) {
  auto const reject = [&](std::string const& why) {
    throw Error(Fault::no_resource, what + " needs about " + gibibytes(bytes) + " of memory (" + why + "); " + cure);
  };
  for (Room const& room : {room_in_machine(), room_in_control_group()})
    if (bytes > room.bytes) reject(room.why);
  if (!could_map(with_margin(bytes)))
    reject("this process may not map so much; see ulimit -v and ulimit -d for its limits");
}

void expect_memory(std::size_t bytes) {
  expect_memory(bytes, "the solve", "take fewer particles, a larger tolerance, or single precision");
}

void throw_no_memory() {
  throw Error(Fault::no_resource,
              "there is not enough memory for a problem of this size (an allocation failed); take fewer particles or "
              "cells, a larger tolerance, or single precision");
}

void* pinned_allocate(std::size_t bytes) { return pinned_arrays().allocate(bytes); }
void pinned_free(void* memory, std::size_t bytes) noexcept { pinned_arrays().free(memory, bytes); }
void pinned_trim() noexcept { pinned_arrays().trim(); }

}  // namespace nearfar::detail
