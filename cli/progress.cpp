// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress.hpp"

#include "cli/text.hpp"

#include <cstdio>
#include <unistd.h>

namespace nearfar::cli {

namespace {
constexpr double seconds_between_lines = 0.2;
}

Progress::Progress(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { end(); }

void Progress::step(std::string const& name) {
  end();
  running_ = true;
  start_ = std::chrono::steady_clock::now();
  steps_.emplace_back(name, 0);
  if (shown_) std::fprintf(stderr, "nearfar: %s ...", name.c_str());
}

void Progress::share(std::string const& done, double fraction) {
  using Seconds = std::chrono::duration<double>;
  auto const now = std::chrono::steady_clock::now();
  if (!shown_ || fraction <= 0 || Seconds(now - shown_last_).count() < seconds_between_lines) return;
  shown_last_ = now;
  double const left = Seconds(now - start_).count() * (1 - fraction) / fraction;
  std::fprintf(stderr, "\r\033[Knearfar: %s, %s left ...", done.c_str(), duration_text(left).c_str());
}

void Progress::wait(Solve& solve) {
  if (shown_)
    solve.on_progress(
        [this](double fraction) { share(steps_.back().first + text(" %d %%", int(100 * fraction)), fraction); });
  solve.wait();
}

void Progress::end() {
  if (!std::exchange(running_, false)) return;
  steps_.back().second = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (shown_) std::fputs("\r\033[K", stderr);
}

}  // namespace nearfar::cli
