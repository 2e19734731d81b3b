// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <unistd.h>

namespace nearfar::test {

/// Memory that this process has.
inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

}  // namespace nearfar::test
