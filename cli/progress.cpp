// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress.hpp"

#include <cstdio>
#include <unistd.h>

namespace nearfar::cli {

Progress::Progress(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { end(); }

void Progress::step(std::string const& name) {
  end();
  running_ = true;
  start_ = std::chrono::steady_clock::now();
  steps_.emplace_back(name, 0);
  if (shown_) std::fprintf(stderr, "nearfar: %s ...", name.c_str());
}

void Progress::end() {
  if (!std::exchange(running_, false)) return;
  steps_.back().second = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (shown_) std::fputs("\r\033[K", stderr);
}

}  // namespace nearfar::cli
