// SPDX-License-Identifier: BSD-3-Clause
#include "cli/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace nearfar::cli {

std::string text(char const* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string result(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments)), '\0');
  std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return result;
}

std::string digits(double value) {
  constexpr int usual = 6, most = 17;
  for (int count = usual;; ++count)
    if (auto const written = text("%.*g", count, value);
        count == most || std::strtod(written.c_str(), nullptr) == value)
      return written;
}

std::string edges_text(std::array<double, 3> const& given, std::array<double, 3> const& found) {
  std::string edges;
  for (std::size_t d = 0; d < 3; ++d)
    edges += (d > 0 ? " x " : "") + (found[d] == given[d] ? digits(found[d]) : text("%g", found[d]));
  return edges;
}

namespace {

template <std::size_t N>
std::string scaled(double value, double step, std::array<char const*, N> const& units) {
  std::size_t i = 0;
  for (; value >= 0.9995 * step && i + 1 < N; ++i) value /= step;
  return text("%.3g%s%s", value, *units[i] == '\0' ? "" : " ", units[i]);
}

}  // namespace

std::string engineering(double value) { return scaled<5>(value, 1000, {"", "k", "M", "G", "T"}); }

std::string counted(std::size_t count, char const* noun) {
  return text("%zu %s%s", count, noun, count == 1 ? "" : "s");
}

std::string columns_text(std::vector<std::string> const& columns) {
  std::size_t const count = columns.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (count > 6 && i > 3 && i + 1 < count) continue;
    if (i > 0) text += count > 6 && i + 1 == count ? ",...," : ",";
    text += columns[i];
  }
  return text;
}

std::string bytes_text(double bytes) { return scaled<5>(bytes, 1024, {"bytes", "KiB", "MiB", "GiB", "TiB"}); }

std::string duration_text(double seconds) {
  long const all = std::lround(std::min(seconds, 1e9));
  if (all < 60) return text("%ld s", all);
  if (all < 3600) return text("%ld min %ld s", all / 60, all % 60);
  return text("%ld h %ld min", all / 3600, all / 60 % 60);
}

}  // namespace nearfar::cli
