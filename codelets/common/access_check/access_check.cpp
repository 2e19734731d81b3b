// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/access_check/access_check.hpp"

#include <nearfar/error.hpp>

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>

namespace nearfar {

namespace {

#ifdef NDEBUG
std::atomic<bool> checks{false};
#else
std::atomic<bool> checks{true};
#endif

std::mutex kept_mutex;
std::set<std::string>& kept_stages() {
  static auto& stages = *new std::set<std::string>;  // tasks may be in flight at the end of main
  return stages;
}

/// This byte pattern is a NaN as float and as double, and no valid index as an integer.
constexpr int not_written = 0xff;

/// Every step is invertible, so changing a single word always changes the sum.
std::uint64_t checksum(std::span<std::byte const> bytes) {
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 32;
  }
  return sum;
}

std::span<std::byte> bytes_of(void* buffer) {
  auto const& vector = *static_cast<starpu_vector_interface*>(buffer);
  if (vector.ptr == 0) return {};
  return {reinterpret_cast<std::byte*>(vector.ptr), vector.nx * vector.elemsize};
}

}  // namespace

bool checks_accesses() noexcept { return checks.load(std::memory_order_relaxed); }
void check_accesses(bool on) noexcept { checks.store(on, std::memory_order_relaxed); }

AccessCheck::AccessCheck(void** buffers, TaskHeader const& header, std::span<starpu_data_access_mode const> modes) {
  for (int access = 0; access < int(modes.size()); ++access) {
    auto const mode = modes[std::size_t(access)];
    for (int i = header.first[access]; i < header.first[access + 1]; ++i) {
      auto const bytes = bytes_of(buffers[i]);
      if (mode == STARPU_R) kept_.push_back({access, i - header.first[access], bytes, checksum(bytes)});
      else if (mode == STARPU_W || mode == STARPU_SCRATCH)
        std::fill(bytes.begin(), bytes.end(), std::byte(not_written));
    }
  }
}

void AccessCheck::expect_kept(char const* stage) const {
  for (auto const& kept : kept_)
    if (checksum(kept.bytes) != kept.checksum)
      throw Error(Fault::bug, std::string("stage ") + stage + " has changed access " + std::to_string(kept.access) +
                                  ", which it declares as read (handle " + std::to_string(kept.place) + " of it, " +
                                  std::to_string(kept.bytes.size()) +
                                  " bytes): other tasks read them at the same time; declare it as written, or write "
                                  "to data of the task's own");
  std::lock_guard const lock(kept_mutex);
  kept_stages().insert(stage);
}

std::set<std::string> checked_stages() {
  std::lock_guard const lock(kept_mutex);
  return kept_stages();
}

}  // namespace nearfar
