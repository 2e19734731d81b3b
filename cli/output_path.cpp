// SPDX-License-Identifier: BSD-3-Clause
#include "cli/output_path.hpp"

#include <nearfar/error.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace nearfar::cli {

namespace fs = std::filesystem;

namespace {

Error unwritable(std::string const& path, std::string const& why, std::string const& cure) {
  return {Fault::bad_input, path + ": cannot be written (" + why + "); " + cure};
}

// A link stays a link: the file it points to is replaced.
fs::path destination(std::string const& path) {
  std::error_code failed;
  auto const real = fs::canonical(path, failed);
  return failed ? fs::path(path) : real;
}

// Hidden, and with the same extension at its end, since formats go by it.
std::string path_beside(fs::path const& target) {
  auto const name =
      std::string{'.'} + target.stem().string() + ".part" + std::to_string(getpid()) + target.extension().string();
  return (target.parent_path() / name).string();
}

// A signal handler can reach nothing but globals.
std::array<char, 4096> unfinished;
constexpr std::array deadly{SIGINT, SIGTERM, SIGHUP};

void remove_and_die(int signal) {
  unlink(unfinished.data());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The temporary file while it is written: gone at the end unless moved, also when a signal ends the process.
class Unfinished {
 public:
  explicit Unfinished(std::string const& path) : path_(path) {
    if (path.size() >= unfinished.size()) throw unwritable(path, "the name is too long", "choose a shorter one");
    std::strcpy(unfinished.data(), path.c_str());
    struct sigaction action {};
    action.sa_handler = remove_and_die;
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &action, &before_[i]);
  }
  Unfinished(Unfinished const&) = delete;
  Unfinished& operator=(Unfinished const&) = delete;
  ~Unfinished() {
    unlink(path_.c_str());
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &before_[i], nullptr);
  }

 private:
  std::string path_;
  std::array<struct sigaction, deadly.size()> before_{};
};

}  // namespace

bool is_stream(std::string const& path) {
  std::error_code ignored;
  auto const status = fs::status(path, ignored);
  return path == "-" || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

void check_writable(std::string const& path) {
  if (path == "-") return;
  auto const target = destination(path);
  if (fs::is_directory(target)) throw unwritable(path, "it is a folder", "give the name of a file in it");
  if (fs::exists(target) && access(target.c_str(), W_OK) != 0)
    throw unwritable(path, std::strerror(errno), "choose another name, or make this file writable");
  if (is_stream(path)) return;
  auto const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder))
    throw unwritable(path, "there is no folder '" + folder.string() + "'", "make the folder first, or choose another");
  // Only trying tells: rights, read-only mounts and full disks have nothing else in common.
  auto const beside = path_beside(target);
  int const file = open(beside.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) throw unwritable(path, std::strerror(errno), "choose a folder in which you may make files");
  close(file);
  unlink(beside.c_str());
}

void write_whole(std::string const& path, std::function<void(std::string const&)> const& write) {
  if (is_stream(path)) return write(path == "-" ? "/dev/stdout" : path);
  auto const target = destination(path);
  auto const beside = path_beside(target);
  Unfinished const guard{beside};
  write(beside);
  if (std::rename(beside.c_str(), target.c_str()) != 0)
    throw unwritable(path, std::strerror(errno), "choose another name");
}

}  // namespace nearfar::cli
