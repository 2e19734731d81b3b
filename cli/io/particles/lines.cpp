// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/particles/lines.hpp"

#include <nearfar/error.hpp>

#include <cerrno>
#include <cstring>

namespace nearfar::cli {

namespace {
constexpr std::size_t piece = 1 << 20;
}

std::string_view trimmed(std::string_view text) noexcept {
  auto const first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Lines::Lines(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "r")) {
  if (!file_)
    throw Error{Fault::bad_input,
                path_ + ": cannot be opened (" + std::strerror(errno) + "); give a file you may read"};
}

bool Lines::read_more() {
  buffer_.erase(0, start_);
  start_ = 0;
  auto const kept = buffer_.size();
  buffer_.resize(kept + piece);
  auto const read = std::fread(buffer_.data() + kept, 1, piece, file_.get());
  buffer_.resize(kept + read);
  if (std::ferror(file_.get()))
    throw Error{Fault::bad_input, path_ + ": reading failed (" + std::strerror(errno) + "); is the file damaged?"};
  return read > 0;
}

bool Lines::next(std::string_view& line) {
  std::size_t searched = start_;
  std::size_t end;
  while ((end = buffer_.find('\n', searched)) == buffer_.npos) {
    auto const unfinished = buffer_.size() - start_;
    if (!read_more()) {
      end = buffer_.size();
      if (unfinished == 0) return false;
      break;  // the last line has no end of line
    }
    searched = unfinished;
  }
  line = std::string_view(buffer_).substr(start_, end - start_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  start_ = std::min(end + 1, buffer_.size());
  ++number_;
  return true;
}

}  // namespace nearfar::cli
