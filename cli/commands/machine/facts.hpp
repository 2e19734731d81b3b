// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// A folder that keeps what is measured.
struct KeptFolder {
  std::string path;  ///< empty: there is no place for it
  bool writable = false;
};

/// What `nearfar doctor` judges by.
struct Facts {
  int allowed_cores = 1;
  int online_cores = 1;
  std::optional<double> quota;  ///< cores' worth of time
  double load = 0;              ///< processes that want to run, averaged over the last minute
  std::string governor;         ///< of the clock of the first core; empty if unknown
  double available_bytes = 0;
  std::optional<double> address_space;  ///< bytes that this process may map
  std::vector<std::string> gpu_nodes;
  std::map<std::string, std::string> environment;
  bool optimised = true;  ///< how the program was built
  bool packaged = false;  ///< whether it came in a Python package, which nobody builds again
  std::string simd;       ///< instruction sets of the processor

  std::string start_error;  ///< why StarPU does not start; empty if it does
  std::vector<Worker> workers;
  std::string version;
  std::string scheduler;
  KeptFolder rates, models;
  int model_count = 0;  ///< StarPU's models of nearfar's tasks
};

/// Looks around, and starts StarPU once to see its workers.
Facts look_around();

}  // namespace nearfar::cli
