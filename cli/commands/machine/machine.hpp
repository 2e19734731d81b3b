// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

// What Linux tells about this machine and this process.

std::string processor_name();
std::string simd_names();  ///< "avx2 fma": what matters here, of what the processor has
int allowed_cores();       ///< that the affinity of this process allows
int online_cores();
std::optional<double> core_quota();  ///< cores' worth of time that the control group grants, where it limits that
double load_average();               ///< processes that want to run, over the last minute
std::string clock_governor();        ///< of the first core; empty where the system does not tell
double resident_bytes();             ///< of this process, now
double peak_resident_bytes();        ///< since it began, or since forget_peak_memory() where the system can forget
void forget_peak_memory();
std::optional<std::string> environment(char const* name);
std::vector<std::string> environment_like(std::string const& prefix);  ///< "NAME=value", sorted
std::vector<std::string> gpu_device_nodes();

}  // namespace nearfar::cli
