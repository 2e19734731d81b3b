// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

namespace nearfar {

/// What a kernel says about the numbers that it was given: the first of them, by place, that no solve can use.
struct BadNumber {
  static constexpr std::uint64_t none = ~std::uint64_t(0);
  std::uint64_t place = none;
  double value = 0;
  int exponent = 0;   ///< of a power of two that belongs to it, or an axis
  double beside = 0;  ///< another number that belongs to it
};

/// Where kernels leave a BadNumber in memory of the host, and what is called with it, if there was one, when all that
/// is before end() on the stream has ended: on a thread of the driver, so it must not call the GPU, nor throw. Made and
/// used on a worker of the GPU. Throws std::runtime_error for what the device refuses.
class GpuCheck {
 public:
  using Report = std::function<void(BadNumber const&)>;

  GpuCheck();
  ~GpuCheck();
  GpuCheck(GpuCheck const&) = delete;
  GpuCheck& operator=(GpuCheck const&) = delete;

  BadNumber* place() const { return place_; }
  void end(void* stream, Report report);

 private:
  BadNumber* place_;
};

}  // namespace nearfar
