// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/output_path.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nearfar::cli {

namespace fs = std::filesystem;

namespace {

/// The end of a chain of symbolic links, even if nothing exists there.
fs::path end_of_links(fs::path path) {
  constexpr int max_links = 40;  // like Linux
  std::error_code failed;
  for (int i = 0; i < max_links && fs::is_symlink(fs::symlink_status(path, failed)); ++i) {
    auto const next = fs::read_symlink(path, failed);
    if (failed) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// Also compares devices and pipes, which std::filesystem::equivalent refuses to do.
bool is_same_inode(std::string const& a, std::string const& b) {
  struct stat first {
  }, second{};
  auto const look = [](std::string const& path, struct stat& found) {
    return path == "-" ? fstat(STDOUT_FILENO, &found) : stat(path.c_str(), &found);
  };
  return look(a, first) == 0 && look(b, second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

Error unwritable(std::string const& path, std::string const& why, std::string const& cure) {
  return {Fault::bad_input, path + ": cannot be written (" + why + "); " + cure};
}

Error write_failed(std::string const& path) {
  int const why = errno;
  return {Fault::bad_input, path + ": writing failed (" +
                                (why == 0 ? "for no reason that is known" : std::strerror(why)) + "); " +
                                (why == EFBIG ? "raise the limit on the size of files (ulimit -f)"
                                 : why == EDQUOT || why == ENOSPC || why == 0 ? "choose a place with enough room"
                                                                              : "choose another place")};
}

bool is_stream(std::string const& path) {
  std::error_code ignored;
  auto const status = fs::status(path, ignored);
  return path == "-" || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

fs::path destination(std::string const& path) {
  std::error_code failed;
  auto const real = fs::canonical(path, failed);
  if (!failed) return real;
  auto const end = end_of_links(path);
  auto const folder = fs::canonical(end.has_parent_path() ? end.parent_path() : fs::path("."), failed);
  return failed ? end : folder / end.filename();
}

bool is_same_output(std::string const& a, std::string const& b) {
  if (is_same_inode(a, "/dev/null")) return false;
  return is_same_inode(a, b) || destination(a) == destination(b);
}

std::string path_beside(fs::path const& target) {
  auto const name =
      std::string{'.'} + target.stem().string() + ".part" + std::to_string(getpid()) + target.extension().string();
  return (target.parent_path() / name).string();
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
  // Only trying tells, because permissions, read-only mounts and full disks have no common check.
  auto const beside = path_beside(target);
  int const file = open(beside.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) throw unwritable(path, std::strerror(errno), "choose a folder in which you may make files");
  close(file);
  unlink(beside.c_str());
}

}  // namespace nearfar::cli
