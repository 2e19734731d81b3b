// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace nearfar::cli {

/// The lines of a text file, read in large pieces.
class Lines {
 public:
  /// Throws Error{bad_input} when the file cannot be opened.
  explicit Lines(std::string path);

  /// Sets `line` to the next one, without its end (LF or CR LF); it is valid until the next call. False after the last.
  bool next(std::string_view& line);

  std::size_t number() const noexcept { return number_; }  ///< of the last line, from 1
  std::string const& path() const noexcept { return path_; }
  std::string here() const { return path_ + ":" + std::to_string(number_); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool read_more();

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  std::size_t start_ = 0;  // of what is not yet given out
  std::size_t number_ = 0;
};

/// Without spaces, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace nearfar::cli
