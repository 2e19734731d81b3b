// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace nearfar::fuzz {

/// A folder of this process, in memory where there is such, gone at its end.
class Folder {
 public:
  Folder() {
    auto const parent = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    path_ = parent / ("nearfar-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  /// A file of these bytes.
  std::string file(std::string const& name, std::uint8_t const* data, std::size_t size) const {
    auto const path = path_ / name;
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<char const*>(data), std::streamsize(size));
    return path;
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void expect(bool right) {
  if (!right) std::abort();
}

/// call() may do anything but throw something else than an Error, and that must not be a bug.
template <class Call>
bool told(Call const& call) {
  try {
    call();
    return true;
  } catch (Error const& e) {
    expect(e.fault() != Fault::bug);
    expect(*e.what() != '\0');
    return false;
  }
}

}  // namespace nearfar::fuzz
