// SPDX-License-Identifier: BSD-3-Clause
// GPUs that this process uses are not reset: by a stand-in for the driver, and for the program that measures.
#include "tasks/engine/runtime/buses.hpp"

#include <doctest/doctest.h>
#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <starpu.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace nearfar;
namespace fs = std::filesystem;

namespace {

/// An empty folder for StarPU's records, the driver's stand-in, and a name for this machine, until the end of a test.
class Machine {
 public:
  Machine() : driver_(dlopen(TEST_DRIVER, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE_MESSAGE(driver_ != nullptr, dlerror());
    fs::remove_all(folder);
    fs::create_directories(folder);
    set("XDG_CACHE_HOME", folder);
    set("STARPU_HOSTNAME", "test-host");
  }
  ~Machine() {
    for (auto const& [variable, before] : before_)
      if (before) setenv(variable.c_str(), before->c_str(), 1);
      else unsetenv(variable.c_str());
    dlclose(driver_);
    fs::remove_all(folder);
  }
  Machine(Machine const&) = delete;
  Machine& operator=(Machine const&) = delete;

  void set(std::string const& variable, std::string const& value) {
    char const* const old = std::getenv(variable.c_str());
    before_.emplace_back(variable, old != nullptr ? std::optional<std::string>(old) : std::nullopt);
    setenv(variable.c_str(), value.c_str(), 1);
  }
  void has_gpus(int count, int used) {
    set("TEST_GPUS", std::to_string(count));
    set("TEST_GPU_USED", std::to_string(used));
  }

  std::string const folder = (fs::temp_directory_path() / ("nearfar-buses-" + std::to_string(getpid()))).string();
  fs::path const record = fs::path(folder) / ".starpu" / "sampling" / "bus" / "test-host.config";

 private:
  void* driver_;
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

std::string refusal() {
  try {
    detail::keep_gpus_in_use();
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("buses: GPUs are in use if there is a context on one, as the driver knows") {
  CHECK(detail::nvidia_gpus().count == 0);  // nothing has loaded it
  Machine machine;
  machine.has_gpus(3, 1);
  CHECK(detail::nvidia_gpus().count == 3);
  CHECK(detail::nvidia_gpus().used == 1);
  machine.has_gpus(3, -1);
  CHECK(detail::nvidia_gpus().used == -1);
}

TEST_CASE("buses: a record is that of this machine, with as many GPUs") {
  Machine const machine;
  CHECK_FALSE(detail::buses_are_recorded(0));
  fs::create_directories(machine.record.parent_path());
  std::ofstream(machine.record) << "# Current configuration\n2 # Number of CPUs\n1 # Number of NUMA nodes\n"
                                   "2 # Number of CUDA nodes\n0 # Number of OpenCL nodes\n";
  CHECK(detail::buses_are_recorded(2));
  CHECK_FALSE(detail::buses_are_recorded(1));
}

TEST_CASE("buses: another process measures them, by the program that lies beside the library") {
  Machine const machine;
  CHECK_FALSE(detail::measure_buses_by("/nonexistent/nearfar"));
  CHECK_FALSE(detail::measure_buses_by("/bin/false"));
  CHECK_FALSE(fs::exists(machine.record));
  REQUIRE(detail::measure_buses_by(TEST_PROGRAM));
  CHECK(fs::exists(machine.record));  // by StarPU's own choice of a folder and a name
  CHECK(detail::buses_are_recorded(0));
}

#ifdef STARPU_USE_CUDA
TEST_CASE("buses: where nothing measured GPUs that are in use, a runtime is refused, with the cure") {
  Machine machine;
  machine.has_gpus(1, -1);
  CHECK(refusal().empty());  // nobody's data would be lost
  CHECK_FALSE(fs::exists(machine.record));
  machine.has_gpus(1, 0);
  auto const said = refusal();  // since the program finds none here
  CHECK(fs::exists(machine.record));
  CAPTURE(said);
  CHECK(said.find("GPU 0") != std::string::npos);
  CHECK(said.find("left no record of as many GPUs (1)") != std::string::npos);
  CHECK(said.find("run 'nearfar info' once on this machine") != std::string::npos);
  CHECK(said.find(machine.folder) != std::string::npos);
  CHECK_THROWS_AS(Runtime(), Error);
  machine.set("STARPU_BUS_CALIBRATE", "1");
  CHECK(refusal().find("STARPU_BUS_CALIBRATE=1") != std::string::npos);
}

TEST_CASE("buses: GPUs in use are left alone once they are measured") {
  Machine machine;
  machine.has_gpus(1, 0);
  fs::create_directories(machine.record.parent_path());
  std::ofstream(machine.record) << "# Current configuration\n1 # Number of CUDA nodes\n";
  auto const before = fs::last_write_time(machine.record);
  CHECK(refusal().empty());
  CHECK(fs::last_write_time(machine.record) == before);
}
#endif
