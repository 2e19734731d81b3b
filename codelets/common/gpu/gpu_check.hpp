// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

namespace nearfar {

/// What a kernel reports about its input: the first number, by place, that no solve can use.
struct BadNumber {
  static constexpr std::uint64_t none = ~std::uint64_t(0);
  std::uint64_t place = none;
  double value = 0;
  int exponent = 0;   ///< of a power of two that the number is multiplied by, or an axis
  double beside = 0;  ///< another number to report with it
};

/// Host memory where kernels leave a BadNumber, and the function that is called with it, if there was one, once
/// everything before end() on the stream has ended. It is called on a thread of the driver, so it must not call
/// the GPU, nor throw. Made and used on a worker of the GPU. Throws std::runtime_error if the device refuses.
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
