// SPDX-License-Identifier: BSD-3-Clause
// What a process has on a GPU before nearfar first starts on a machine is there afterwards: StarPU, which would reset
// the GPU to measure its buses, is kept from that.
#include "tasks/engine/runtime/buses.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"

#include <doctest/doctest.h>
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace nearfar;
namespace fs = std::filesystem;

TEST_CASE("buses: memory of this process on a GPU outlives the first start of StarPU on a machine") {
  if (test::DeviceMemory::devices() == 0) {
    std::puts("there is no GPU");
    std::exit(77);
  }
  fs::path const home = fs::temp_directory_path() / ("nearfar-gpu-buses-" + std::to_string(getpid()));
  fs::create_directories(home);
  setenv("XDG_CACHE_HOME", home.c_str(), 1);

  std::vector<int> const mine(100000, 4711);
  std::vector<int> found(mine.size());
  std::size_t const bytes = mine.size() * sizeof(int);
  test::DeviceMemory memory(bytes);
  memory.upload(0, mine.data(), bytes);
  CHECK(detail::nvidia_gpus().count == test::DeviceMemory::devices());
  CHECK(detail::nvidia_gpus().used == 0);
  CHECK_FALSE(detail::buses_are_recorded(detail::nvidia_gpus().count));
  {
    Runtime const runtime;
    CHECK(detail::buses_are_recorded(detail::nvidia_gpus().count));
    CHECK(std::ranges::count(runtime.workers(), "cuda", &Worker::kind) > 0);
    memory.download(0, found.data(), bytes);
    CHECK(found == mine);
  }
  memory.download(0, found.data(), bytes);
  CHECK(found == mine);
  fs::remove_all(home);
}
