// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/output_path.hpp"

#include "cli/standard_output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace nearfar::cli {

namespace fs = std::filesystem;

namespace {

bool is_standard_output(std::string const& path) { return opened_as(path) == opened_as("-"); }

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
  auto const look = [](std::string const& path, struct stat& found) { return stat(opened_as(path).c_str(), &found); };
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
  auto const status = fs::status(opened_as(path), ignored);
  return is_standard_output(path) || (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

fs::path destination(std::string const& given) {
  std::error_code failed;
  auto const path = opened_as(given);
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

namespace {

/// At most so many bytes of UTF-8, which is not cut within a character.
std::string beginning(std::string const& text, std::size_t most) {
  if (text.size() <= most) return text;
  auto const goes_on = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  while (most > 0 && goes_on(most)) --most;
  return text.substr(0, most);
}

/// Bytes that a name in a folder may have.
std::size_t longest_name(fs::path const& folder) {
  constexpr std::size_t usual = 255;
  long const most = pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  return most > 0 ? std::size_t(most) : usual;
}

constexpr char const* access_list = "system.posix_acl_access";

/// Whether a file has no access list, or the other one has it now too.
bool keeps_access_list(std::string const& from, std::string const& to) {
  std::array<char, 4096> list{};
  auto const size = getxattr(from.c_str(), access_list, list.data(), list.size());
  if (size < 0 && errno == ERANGE) return false;
  if (size < 0) {
    removexattr(to.c_str(), access_list);  // what the folder gives new files
    return true;
  }
  return setxattr(to.c_str(), access_list, list.data(), std::size_t(size), 0) == 0;
}

}  // namespace

std::string path_beside(fs::path const& target) {
  constexpr std::size_t longest_extension = 16;  // of a format that is known
  auto const name = target.filename().string();
  auto extension = target.extension().string();
  if (extension.size() > longest_extension) extension.clear();
  auto const stem = name.substr(0, name.size() - extension.size());
  auto end = ".part" + std::to_string(getpid()) + extension;
  auto const room = longest_name(target.parent_path()) - std::min(longest_name(target.parent_path()), 1 + end.size());
  auto const whole = stem.size() <= room;
  if (!whole) end = '.' + std::to_string(std::hash<std::string>()(stem) % 1000000) + end;  // others begin like it
  constexpr std::size_t longest_number = 7;
  auto const shown = whole ? stem : beginning(stem, room - std::min(room, longest_number));
  return (target.parent_path() / ('.' + shown + end)).string();
}

void make_private(std::string const& beside, std::string const& target) {
  if (struct stat old{}; stat(target.c_str(), &old) != 0) return;
  unlink(beside.c_str());
  if (int const file = open(beside.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600); file >= 0) close(file);
}

void keep_rights(std::string const& beside, std::string const& target) {
  struct stat old {};
  if (stat(target.c_str(), &old) != 0) return;
  mode_t const others = old.st_mode & S_IRWXO;
  mode_t mode = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  bool const same_group = chown(beside.c_str(), old.st_uid, old.st_gid) == 0 ||
                          chown(beside.c_str(), static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!keeps_access_list(target, beside) || !same_group)
    mode = (mode & ~mode_t(S_IRWXG)) | (mode & S_IRWXG & (others << 3));  // a group of strangers
  chmod(beside.c_str(), mode);
}

void check_writable(std::string const& path) {
  if (is_standard_output(path)) return;
  auto const target = destination(path);
  if (struct stat found{}; lstat(target.c_str(), &found) != 0 && errno == ENAMETOOLONG)
    throw unwritable(path, std::strerror(errno), "choose a shorter one");
  std::error_code failed;
  if (fs::is_directory(target, failed)) throw unwritable(path, "it is a folder", "give the name of a file in it");
  if (fs::exists(target, failed) && access(target.c_str(), W_OK) != 0)
    throw unwritable(path, std::strerror(errno), "choose another name, or make this file writable");
  if (is_stream(path)) return;
  auto const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failed))
    throw unwritable(path, "there is no folder '" + folder.string() + "'", "make the folder first, or choose another");
  // Only trying tells, because permissions, read-only mounts and full disks have no common check.
  auto const beside = path_beside(target);
  int const file = open(beside.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) throw unwritable(path, std::strerror(errno), "choose a folder in which you may make files");
  close(file);
  unlink(beside.c_str());
}

}  // namespace nearfar::cli
