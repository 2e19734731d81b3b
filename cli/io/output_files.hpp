// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace nearfar::cli {

/// The files that a run writes, all or none: each is written beside its place, and commit moves all of them. A run
/// that fails, or that a signal ends, does not commit: then earlier files are still there, and no new ones. Make this
/// before StarPU starts, so that StarPU's signal handlers call ours. One at a time in a process.
class OutputFiles {
 public:
  OutputFiles();
  OutputFiles(OutputFiles const&) = delete;
  OutputFiles& operator=(OutputFiles const&) = delete;
  ~OutputFiles();

  /// Where to write a file, which is no stream: beside `path`.
  std::string begin(std::string const& path);

  /// Calls `write` with the path to write to: beside `path` and at once, or a stream's own when all else is written.
  void write(std::string const& path, std::function<void(std::string const& file)> write);

  /// The same, and this file alone is moved at once: what a long run has by then is not lost with the rest.
  void write_now(std::string const& path, std::function<void(std::string const& file)> const& write);

  /// Throws Error{bad_input} for a stream that takes no more, or a file that cannot be moved.
  void commit();

  static constexpr std::size_t most = 8;
  static constexpr std::array deadly{SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGXCPU,
                                     SIGALRM, SIGUSR1, SIGUSR2, SIGABRT, SIGSEGV, SIGBUS};

 private:
  struct Part {
    std::string path, target, beside;
  };
  void move(Part const& part);

  std::vector<Part> parts_;
  std::vector<std::function<void()>> streams_;
  std::array<struct sigaction, deadly.size()> before_{};
};

/// One file alone.
void write_whole(std::string const& path, std::function<void(std::string const& beside)> const& write);

}  // namespace nearfar::cli
