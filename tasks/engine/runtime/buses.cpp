// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/buses.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <starpu.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace nearfar::detail {

namespace {

namespace fs = std::filesystem;

/// Of the process that measures, which must not start another one.
constexpr char const* measuring = "NEARFAR_MEASURES_BUSES";

#ifdef STARPU_USE_CUDA
constexpr bool resets_gpus = true;
#else
constexpr bool resets_gpus = false;  // nor measures any
#endif

template <class Function>
Function* driver_function(void* driver, char const* name) {
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

/// The folders in which StarPU looks for its records, in its order.
std::vector<fs::path> bus_folders() {
  std::vector<fs::path> folders;
  if (char const* const own = std::getenv("STARPU_PERF_MODEL_DIR")) folders.emplace_back(fs::path(own) / "bus");
  char const* home = nullptr;
  for (auto const* variable : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME", "TMPDIR", "TEMP", "TMP"})
    if (home == nullptr) home = std::getenv(variable);
  folders.emplace_back(fs::path(home != nullptr ? home : "/tmp") / ".starpu" / "sampling" / "bus");
  return folders;
}

/// As StarPU calls this machine.
std::string host_name() {
  if (char const* const given = std::getenv("STARPU_HOSTNAME"); given != nullptr && *given != '\0') return given;
  char name[65] = {};
  gethostname(name, sizeof name - 1);
  return std::string(name, std::strcspn(name, "."));
}

/// The number of CUDA's GPUs in a record, whose lines are "2 # Number of CUDA nodes"; -1 if it has none.
int gpus_in(fs::path const& record) {
  std::ifstream in(record);
  for (std::string line; std::getline(in, line);)
    if (line.find("CUDA") != std::string::npos) return std::atoi(line.c_str());
  return -1;
}

/// The program `nearfar`: as it lies beside this library, or what that is a link to, in a build tree, a wheel or an
/// installation; else that on PATH.
std::string program() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<void const*>(&measure_buses_by), &self) == 0) return "nearfar";
  std::error_code unreadable;
  for (auto const& library : {fs::absolute(self.dli_fname, unreadable), fs::canonical(self.dli_fname, unreadable)})
    for (auto const* place : {"../bin/nearfar", "../../bin/nearfar", "../nearfar"}) {
      auto const file = library.parent_path() / place;
      bool const is_program = access(file.c_str(), X_OK) == 0 && !fs::is_directory(file, unreadable);
      if (library.is_absolute() && is_program) return file.lexically_normal().string();
    }
  return "nearfar";
}

}  // namespace

NvidiaGpus nvidia_gpus() {
  // Whoever uses a GPU has loaded the driver.
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return {};
  auto* const count = driver_function<int(int*)>(driver, "cuDeviceGetCount");
  auto* const device = driver_function<int(int*, int)>(driver, "cuDeviceGet");
  auto* const state = driver_function<int(int, unsigned*, int*)>(driver, "cuDevicePrimaryCtxGetState");
  NvidiaGpus gpus;
  if (count != nullptr && device != nullptr && state != nullptr && count(&gpus.count) == 0)
    for (int i = 0; i < gpus.count && gpus.used < 0; ++i) {
      int handle = 0, active = 0;
      unsigned flags = 0;
      if (device(&handle, i) == 0 && state(handle, &flags, &active) == 0 && active != 0) gpus.used = i;
    }
  else gpus.count = 0;
  dlclose(driver);
  return gpus;
}

bool buses_are_recorded(int gpus) {
  for (auto const& folder : bus_folders()) {
    auto const record = folder / (host_name() + ".config");
    if (access(record.c_str(), F_OK) == 0) return gpus_in(record) == std::min(gpus, STARPU_MAXCUDADEVS);
  }
  return false;
}

bool measure_buses_by(std::string const& program) {
  std::vector<std::string> variables{"NEARFAR_MPI=off", std::string(measuring) + "=1"};
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::strncmp(*variable, "NEARFAR_MPI=", 12) != 0) variables.emplace_back(*variable);
  std::vector<std::string> words{program, "info"};
  std::vector<char*> argv, environment;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& variable : variables) environment.push_back(variable.data());
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = 0;
  bool const ran = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.data()) == 0 &&
                   waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return ran;
}

void keep_gpus_in_use() {
  if (!resets_gpus || std::getenv(measuring) != nullptr) return;
  auto const gpus = nvidia_gpus();
  if (gpus.used < 0) return;
  if (char const* const again = std::getenv("STARPU_BUS_CALIBRATE"); again != nullptr && std::atoi(again) > 0)
    throw Error(
        Fault::bad_input,
        "the environment has STARPU_BUS_CALIBRATE=" + std::string(again) +
            " (StarPU would measure the buses, and reset all GPUs for that, with what this process has on GPU " +
            std::to_string(gpus.used) + "); unset it, or make the Runtime before anything uses a GPU");
  if (buses_are_recorded(gpus.count)) return;
  auto const by = program();
  bool const ran = measure_buses_by(by);
  if (ran && buses_are_recorded(gpus.count)) return;
  throw Error(
      Fault::no_resource,
      "StarPU has not measured the buses of this machine yet (it keeps that in " + bus_folders().front().string() +
          "; it would do so now, and reset all GPUs for that, with what this process has on GPU " +
          std::to_string(gpus.used) + "), and '" + by + " info', which would measure them in another process, " +
          (ran ? "left no record of as many GPUs (" + std::to_string(gpus.count) + ")" : "did not run to its end") +
          "; run 'nearfar info' once on this machine, or make the Runtime before anything uses a GPU");
}

}  // namespace nearfar::detail
