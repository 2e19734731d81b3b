// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/codelets/local_buffers.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"

#include <cstring>
#include <stdexcept>
#include <vector>

namespace nearfar::test {

/// Carries all buffers of a task to the device, runs a body of the stage there twice from the same beginning, and
/// brings them back. Throws std::logic_error where the two runs differ in a bit, if they are to be the same.
template <class S>
void run_body_on_device(Buffers const& b, typename S::Args const& args,
                        void (*body)(Buffers const&, typename S::Args const&, void*), bool same_bits) {
  constexpr int accesses = S::Accesses::size;
  std::vector<char> before;
  std::vector<std::size_t> place;
  for (int a = 0; a < accesses; ++a)
    for (int i = 0; i < b.count(a); ++i) {
      place.push_back((before.size() + 255) / 256 * 256);
      before.resize(place.back() + std::size_t(b.size<char>(a, i)));
      std::memcpy(before.data() + place.back(), b.get<char>(a, i), std::size_t(b.size<char>(a, i)));
    }
  DeviceMemory device(before.size());
  LocalBuffers there;
  std::size_t next = 0;
  for (int a = 0; a < accesses; ++a) {
    there.access();
    for (int i = 0; i < b.count(a); ++i) there.add(device.data() + place[next++], std::size_t(b.size<char>(a, i)));
  }
  std::vector<char> after[2];
  for (auto& bytes : after) {
    device.upload(0, before.data(), before.size());
    body(there.view(), args, nullptr);
    bytes.resize(before.size());
    device.download(0, bytes.data(), bytes.size());
  }
  if (same_bits && after[0] != after[1]) throw std::logic_error("two runs on the device differ");
  next = 0;
  for (int a = 0; a < accesses; ++a)
    for (int i = 0; i < b.count(a); ++i)
      std::memcpy(b.get<char>(a, i), after[0].data() + place[next++], std::size_t(b.size<char>(a, i)));
}
template <class S>
void run_on_device(Buffers const& b, typename S::Args const& args) {
  run_body_on_device<S>(b, args, S::gpu, true);
}

}  // namespace nearfar::test
