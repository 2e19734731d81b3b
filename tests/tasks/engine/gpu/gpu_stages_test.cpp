// SPDX-License-Identifier: BSD-3-Clause
// Each stage of the multipole method alone on the GPU: every task of real solves, against the tuned bodies.
#include "tests/codelets/short_stages.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/engine/gpu/on_device.hpp"
#include "tests/tasks/fmm/checked_stages.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace nearfar;

namespace {

/// Carries all buffers of a task to the device, and its result back.
struct OnDevice {
  static test::Differences& differences() {
    static test::Differences all;
    return all;
  }
  template <class S>
  static void run(Buffers const& b, typename S::Args const& args) {
    static std::mutex one_at_a_time;
    std::lock_guard const lock(one_at_a_time);
    constexpr int last = S::Accesses::size - 1;
    std::vector<char> staged;
    std::vector<std::size_t> place;
    for (int a = 0; a <= last; ++a)
      for (int i = 0; i < b.count(a); ++i) {
        place.push_back((staged.size() + 255) / 256 * 256);
        staged.resize(place.back() + std::size_t(b.size<char>(a, i)));
        std::memcpy(staged.data() + place.back(), b.get<char>(a, i), std::size_t(b.size<char>(a, i)));
      }
    test::DeviceMemory device(staged.size());
    device.upload(0, staged.data(), staged.size());
    test::LocalBuffers there;
    std::size_t next = 0;
    for (int a = 0; a <= last; ++a) {
      there.access();
      for (int i = 0; i < b.count(a); ++i) there.add(device.data() + place[next++], std::size_t(b.size<char>(a, i)));
    }
    std::vector<char> first(std::size_t(b.size<char>(last))), second(first.size());
    S::gpu(there.view(), args, nullptr);
    device.download(place.back(), first.data(), first.size());
    // The same bits each time.
    device.upload(place.back(), b.get<char>(last), first.size());
    S::gpu(there.view(), args, nullptr);
    device.download(place.back(), second.data(), second.size());
    bool const same = first == second;
    if (!same) throw std::logic_error("two runs differ");
    std::memcpy(b.get<char>(last), first.data(), first.size());
  }
};

}  // namespace

TEST_CASE("multipole stages: the GPU agrees with the CPU, and with itself to the bit") {
  if (test::DeviceMemory::devices() == 0) return;  // the other test case says that it is skipped
  Runtime const runtime({.gpus = 0});
  test::check_all_stages<OnDevice>(runtime);
}

namespace {

struct ShortOnDevice {
  template <class S>
  static void run(Buffers const& b, typename S::Args const& args) {
    test::run_on_device<S>(b, args);
  }
};

}  // namespace

TEST_CASE("moments of a cell, their sum and field, units, and mutual contributions: the GPU against portable bodies") {
  if (test::DeviceMemory::devices() == 0) return;
  Runtime const runtime({.gpus = 0});
  test::check_short_stages<ShortOnDevice>();
}
