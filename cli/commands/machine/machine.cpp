// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/machine/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <unistd.h>

extern char** environ;

namespace nearfar::cli {

namespace {

/// The value of "key : value" in a file of such lines; empty when there is none.
std::string field(char const* path, std::string const& key) {
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    auto const colon = line.find(':');
    auto const start = colon == line.npos ? line.npos : line.find_first_not_of(" \t", colon + 1);
    if (start != line.npos) return line.substr(start);
  }
  return {};
}

}  // namespace

std::string processor_name() {
  auto const name = field("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown" : name;
}

std::string simd_names() {
#if defined(__x86_64__)
  std::string names;
  auto const add = [&](bool has, char const* name) {
    if (has) names.append(names.empty() ? "" : " ").append(name);
  };
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  return names.empty() ? "sse2" : names;
#elif defined(__aarch64__)
  return "neon";
#else
  return "unknown";
#endif
}

int allowed_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return online_cores();  // fails with more than 1024 cores
  return CPU_COUNT(&set);
}

int online_cores() { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

std::optional<double> core_quota() {
  std::ifstream file{"/sys/fs/cgroup/cpu.max"};
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || period <= 0) return {};
  return quota / period;
}

double load_average() {
  std::ifstream file{"/proc/loadavg"};
  double load = 0;
  file >> load;
  return load;
}

std::string clock_governor() {
  std::ifstream file{"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"};
  std::string name;
  file >> name;
  return name;
}

double resident_bytes() { return 1024 * std::strtod(field("/proc/self/status", "VmRSS").c_str(), nullptr); }
double peak_resident_bytes() { return 1024 * std::strtod(field("/proc/self/status", "VmHWM").c_str(), nullptr); }
void forget_peak_memory() { std::ofstream{"/proc/self/clear_refs"} << "5"; }

std::optional<std::string> environment(char const* name) {
  char const* value = std::getenv(name);
  if (value == nullptr) return {};
  return value;
}

std::vector<std::string> environment_like(std::string const& prefix) {
  std::vector<std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string_view(*entry).starts_with(prefix)) found.emplace_back(*entry);
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> gpu_device_nodes() {
  std::vector<std::string> found;
  for (auto const* path : {"/dev/nvidia0", "/dev/kfd"})
    if (std::filesystem::exists(path)) found.emplace_back(path);
  return found;
}

}  // namespace nearfar::cli
