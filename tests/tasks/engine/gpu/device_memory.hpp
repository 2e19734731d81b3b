// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace nearfar::test {

/// Memory of a GPU, without StarPU. Copies have ended when they return, and all that was launched before them
/// on the default stream. Throws std::runtime_error for what the device refuses.
class DeviceMemory {
 public:
  static int devices();
  explicit DeviceMemory(std::size_t bytes, int gpu = 0);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory const&) = delete;
  DeviceMemory& operator=(DeviceMemory const&) = delete;

  void upload(std::size_t at, void const* from, std::size_t bytes);
  void download(std::size_t at, void* to, std::size_t bytes) const;
  char* data() const { return static_cast<char*>(memory_); }

 private:
  void* memory_ = nullptr;
};

/// Then a test case returns at once; another one says that it is skipped.
inline bool no_gpu() { return DeviceMemory::devices() == 0; }

/// A stream of a program's own on the first GPU, for which no other one waits.
class DeviceStream {
 public:
  DeviceStream();
  ~DeviceStream();
  DeviceStream(DeviceStream const&) = delete;
  DeviceStream& operator=(DeviceStream const&) = delete;

  void* handle() const { return stream_; }
  void pass_time(double seconds);                            ///< by a kernel that does nothing else
  void copy(void* to, void const* from, std::size_t bytes);  ///< within the memory of the GPU
  void wait() const;

 private:
  void* stream_ = nullptr;
};

}  // namespace nearfar::test
