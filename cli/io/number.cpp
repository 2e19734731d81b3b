// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/number.hpp"

#include "cli/io/particles/lines.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace nearfar::cli {

namespace {

std::string given(std::string const& option, std::string const& text) { return option + " is '" + text + "', "; }

Error wrong_value(std::string const& option, std::string const& text, std::string const& rest) {
  return {Fault::bad_input, given(option, text) + rest};
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    auto const comma = std::min(text.find(',', start), text.size());
    parts.emplace_back(trimmed(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return parts;
}

/// `subject` begins the sentence of what is wrong with the number.
std::int64_t whole_number(std::string_view text, std::int64_t least, std::int64_t most, std::string const& subject) {
  auto const wrong = [&](std::string const& rest) { return Error{Fault::bad_input, subject + rest}; };
  double value = 0;
  auto const fault = parse_number(trimmed(text), value);
  if ((fault != NumberFault::none && fault != NumberFault::too_large) || value != std::floor(value))
    throw wrong(" is not a whole number; write it like 1000 or 1e6");
  if (value < static_cast<double>(least)) throw wrong(" is too small; give at least " + std::to_string(least));
  if (value > static_cast<double>(most)) throw wrong(" is too large; give at most " + std::to_string(most));
  return static_cast<std::int64_t>(value);
}

}  // namespace

NumberFault parse_number(std::string_view text, double& value) noexcept {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc::invalid_argument || end != text.data() + text.size()) return NumberFault::not_a_number;
  if (fault == std::errc::result_out_of_range) {
    // from_chars does not distinguish overflow from underflow (1e999 from 1e-999).
    value = std::strtod(std::string(text).c_str(), nullptr);
    return std::isfinite(value) ? NumberFault::none : NumberFault::too_large;
  }
  return std::isfinite(value) ? NumberFault::none : NumberFault::not_finite;
}

double number_option(std::string const& option, std::string const& text) {
  double value = 0;
  if (parse_number(trimmed(text), value) != NumberFault::none)
    throw wrong_value(option, text, "which is not a finite number; write it like 0.25 or 1e-6");
  return value;
}

std::int64_t count_option(std::string const& option, std::string const& text, std::int64_t least) {
  constexpr std::int64_t most = 9'000'000'000'000'000;  // whole numbers are exact in a double up to there
  return whole_number(text, least, most, given(option, text) + "which");
}

int small_count_option(std::string const& option, std::string const& text, int least) {
  constexpr int most = 1000000;
  return static_cast<int>(whole_number(text, least, most, given(option, text) + "which"));
}

std::array<double, 3> box_option(std::string const& option, std::string const& text, bool open) {
  auto const parts = split(text);
  if (parts.size() != 3)
    throw wrong_value(option, text, "but a box has three edges; write LX,LY,LZ, for example 1,1,2");
  std::array<double, 3> box{};
  for (std::size_t i = 0; i < 3; ++i) {
    std::string const edge = std::string("edge ") + "xyz"[i] + " of the box";
    if (parse_number(parts[i], box[i]) != NumberFault::none)
      throw wrong_value(option, text,
                        "but '" + parts[i] + "' is not a finite number; write LX,LY,LZ, for example 1,1,2");
    if (!(box[i] > 0) && !(open && box[i] == 0))
      throw wrong_value(
          option, text,
          "so " + edge + " is " + digits(box[i]) + " and the box has no volume; give three positive edges");
  }
  return box;
}

std::array<std::array<double, 3>, 3> cell_option(std::string const& option, std::string const& text) {
  constexpr char const* form = "write AX,AY,AZ,BX,BY,BZ,CX,CY,CZ, for example 1,0,0,0.5,1,0,0,0,1";
  auto const parts = split(text);
  if (parts.size() != 9)
    throw wrong_value(option, text, std::string("but a cell is three vectors of three numbers; ") + form);
  std::array<std::array<double, 3>, 3> cell{};
  for (std::size_t i = 0; i < 9; ++i)
    if (parse_number(parts[i], cell[i / 3][i % 3]) != NumberFault::none)
      throw wrong_value(option, text, "but '" + parts[i] + "' is not a finite number; " + form);
  return cell;
}

std::array<double, 2> network_option(std::string const& option, std::string const& text) {
  auto const parts = split(text);
  std::array<double, 2> speed{};
  if (parts.size() != 2 || parse_number(parts[0], speed[0]) != NumberFault::none || !(speed[0] >= 0) ||
      parse_number(parts[1], speed[1]) != NumberFault::none || !(speed[1] > 0))
    throw wrong_value(option, text,
                      "which is no network between ranks; write the seconds that a message takes and the bytes per "
                      "second that a rank sends, for example 1e-5,1e10");
  return speed;
}

std::array<int, 3> grid_option(std::string const& option, std::string const& text) {
  constexpr int most = 16384;  // of every solver
  auto const parts = split(text);
  if (parts.size() != 3)
    throw wrong_value(option, text, "but a grid has three directions; write NX,NY,NZ, for example 64,64,128");
  std::array<int, 3> grid{};
  for (std::size_t i = 0; i < 3; ++i)
    grid[i] = static_cast<int>(whole_number(parts[i], 1, most, given(option, text) + "but '" + parts[i] + "'"));
  return grid;
}

}  // namespace nearfar::cli
