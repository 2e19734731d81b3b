// SPDX-License-Identifier: BSD-3-Clause
// CSV as spreadsheets, pandas and numpy write it: a line of names, then numbers, separated by commas.
#include "cli/free_memory.hpp"
#include "cli/io/number.hpp"
#include "cli/io/output_path.hpp"
#include "cli/io/particles/lines.hpp"
#include "cli/standard_output.hpp"
#include "cli/table.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

namespace nearfar::cli {

namespace {

/// Shortens text for messages, with codes for what a terminal does not show (a NUL would end the message).
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string quotes{'\''};
  for (char const c : text.substr(0, longest)) {
    auto const code = static_cast<unsigned char>(c);
    if (code >= ' ' && code != 0x7f) quotes += c;
    else quotes.append("\\x").append(1, "0123456789abcdef"[code / 16]).append(1, "0123456789abcdef"[code % 16]);
  }
  return quotes += text.size() > longest ? "...'" : "'";
}

/// The cells of one line, from left to right.
class Cells {
 public:
  Cells(std::string_view line, Lines const& lines) : rest_(line), more_(!trimmed(line).empty()), lines_(lines) {}

  bool more() const noexcept { return more_; }

  std::string_view take() {
    ++number_;
    auto start = rest_.find_first_not_of(" \t");
    if (start != rest_.npos && rest_[start] == '"') return take_quoted(start);
    auto const comma = rest_.find(',');
    auto const cell = trimmed(rest_.substr(0, comma));
    pass(comma);
    return cell;
  }

 private:
  /// Inside quotes, commas do not separate cells, and two quotes in a row stand for one.
  std::string_view take_quoted(std::size_t start) {
    auto end = rest_.find('"', start + 1);
    while (end != rest_.npos && rest_.substr(end + 1).starts_with('"')) end = rest_.find('"', end + 2);
    if (end == rest_.npos)
      throw fault(rest_.substr(start), "has a quote that does not end on its line; close it, or take it away");
    auto const cell = rest_.substr(start + 1, end - start - 1);
    auto const comma = rest_.find(',', end);
    auto const after = trimmed(rest_.substr(end + 1, comma == rest_.npos ? comma : comma - end - 1));
    if (!after.empty())
      throw fault(rest_.substr(start, comma == rest_.npos ? comma : comma - start),
                  "goes on after its closing quote, so it is not clear what is meant; quote all of it or nothing");
    pass(comma);
    return cell;
  }

  Error fault(std::string_view cell, char const* what) const {
    return {Fault::bad_input, lines_.here() + ": cell " + std::to_string(number_) + ", " + quoted(cell) + ", " + what};
  }

  void pass(std::size_t comma) {
    more_ = comma != rest_.npos;
    rest_.remove_prefix(more_ ? comma + 1 : rest_.size());
  }

  std::string_view rest_;
  bool more_;
  Lines const& lines_;
  std::size_t number_ = 0;  // of the cell taken last, from 1
};

bool is_number(std::string_view text) {
  double ignored;
  return parse_number(text, ignored) == NumberFault::none;
}

std::vector<std::string> read_header(Lines& lines) {
  std::string_view line;
  if (!lines.next(line))
    throw Error{Fault::bad_input, lines.path() +
                                      ": the file is empty; its first line must name the columns, "
                                      "for example x,y,z,q"};
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // byte order mark that some editors put before UTF-8
  if (line.starts_with('#')) line.remove_prefix(1);             // numpy.savetxt's headers
  bool const binary = std::ranges::any_of(line, [](unsigned char c) { return c < ' ' && c != '\t'; });
  if (binary || line.starts_with("\x89HDF"))
    throw Error{Fault::bad_input, lines.here() +
                                      ": this is no text, so it cannot be a CSV file; "
                                      "an HDF5 file must be named .h5"};
  std::vector<std::string> names;
  for (Cells cells(line, lines); cells.more();) names.emplace_back(cells.take());
  if (!names.empty() && std::ranges::all_of(names, is_number))
    throw Error{Fault::bad_input, lines.here() +
                                      ": the first line holds numbers, so the columns have no names; "
                                      "put a line like x,y,z,q before it"};
  return names;
}

/// For each column of the file, where its numbers go in a row of the table; -1 to ignore it.
std::vector<int> find_columns(Lines const& lines, std::vector<std::string> const& found,
                              std::vector<std::string> const& names, std::string const& purpose) {
  std::vector<int> place(found.size(), -1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const at = std::ranges::find(found, names[i]);
    if (at == found.end()) {
      std::string const hint = found.size() == 1 && found[0].find_first_of("; \t") != std::string::npos
                                   ? "; columns must be separated by commas"
                                   : "; add the column, or rename one";
      throw Error{Fault::bad_input, lines.here() + ": there is no column '" + names[i] + "', which " + purpose +
                                        " needs (needed: " + list_of(names) + "; found: " + list_of(found) + ")" +
                                        hint};
    }
    if (std::find(at + 1, found.end(), names[i]) != found.end())
      throw Error{Fault::bad_input, lines.here() + ": the column '" + names[i] +
                                        "' is there twice, so it is not clear which is meant; rename one of them"};
    place[static_cast<std::size_t>(at - found.begin())] = static_cast<int>(i);
  }
  return place;
}

double number_in(std::string_view cell, Lines const& lines, std::string const& column) {
  double value = 0;
  auto const fault = parse_number(cell, value);
  if (fault == NumberFault::none) [[likely]]
    return value;
  auto const where = lines.here() + ": column " + column + " is ";
  if (cell.empty()) throw Error{Fault::bad_input, where + "empty; every row needs a number there"};
  if (fault == NumberFault::not_finite)
    throw Error{Fault::bad_input, where + quoted(cell) +
                                      ", which is not finite and would spoil the whole sum; "
                                      "correct the value or remove the row"};
  if (fault == NumberFault::too_large)
    throw Error{Fault::bad_input, where + quoted(cell) + ", beyond the largest double (1.8e308); scale the data"};
  throw Error{Fault::bad_input, where + quoted(cell) + ", which is not a number; write it like 0.25 or -1.5e-3"};
}

Error wrong_length(Lines const& lines, std::size_t cells, std::size_t wanted) {
  return {Fault::bad_input, lines.here() + ": this row has " + std::to_string(cells) +
                                (cells == 1 ? " cell" : " cells") + ", but the header names " + std::to_string(wanted) +
                                " columns; give every row one number per column, with '.' as the decimal point"};
}

void read_row(std::string_view line, Lines const& lines, std::vector<std::string> const& found,
              std::vector<int> const& place, double* row) {
  std::size_t column = 0;
  Cells cells(line, lines);
  for (; cells.more(); ++column) {
    auto const cell = cells.take();
    if (column < place.size() && place[column] >= 0) row[place[column]] = number_in(cell, lines, found[column]);
  }
  if (column != found.size()) throw wrong_length(lines, column, found.size());
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Table read_csv(std::string const& path, std::vector<std::string> const& names, std::string const& purpose) {
  Lines lines{path};
  auto const found = read_header(lines);
  auto const place = find_columns(lines, found, names, purpose);
  Table table{names, {}};
  constexpr std::size_t many = std::size_t(1) << 24;  // numbers
  std::size_t blank = 0;                              // a blank line: fine at the end, a lost row elsewhere
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) {
      if (blank == 0) blank = lines.number();
      continue;
    }
    if (blank != 0)
      throw Error{Fault::bad_input, path + ":" + std::to_string(blank) +
                                        ": this line is blank, but rows follow; blank lines may only end the file"};
    auto const start = table.values.size();
    if (start + names.size() > table.values.capacity() && start >= many)
      expect_memory_for(start, 2 * sizeof(double),
                        path + ": more than its first " + std::to_string(table.rows()) + " rows",
                        "take a part of them, or a larger machine");
    table.values.resize(start + names.size());
    read_row(line, lines, found, place, table.values.data() + start);
  }
  if (table.values.empty())
    throw Error{Fault::bad_input, path +
                                      ": there is a header but no row, so there are no particles; "
                                      "add one row of numbers per particle"};
  return table;
}

namespace {

class CsvWriter : public TableWriter {
 public:
  CsvWriter(std::string const& file_path, std::string const& path, std::vector<std::string> const& names)
      : path_(path), columns_(names.size()),
        opened_(file_path == opened_as("-") ? nullptr : std::fopen(file_path.c_str(), "w")),
        file_(opened_                       ? opened_.get()
              : file_path == opened_as("-") ? results()
                                            : nullptr) {
    if (file_ == nullptr) throw write_failed(path_);
    for (auto const& name : names) buffer_ += (buffer_.empty() ? "" : ",") + name;
    buffer_ += '\n';
  }

  void append(std::span<double const> rows) override {
    constexpr std::size_t flush_at = 1 << 20, longest_number = 32;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      char digits[longest_number];
      auto const end = std::to_chars(digits, digits + longest_number - 1, rows[i], std::chars_format::general, 17).ptr;
      *end = (i + 1) % columns_ == 0 ? '\n' : ',';
      buffer_.append(digits, end + 1);
      if (buffer_.size() >= flush_at) flush();
    }
  }

  void finish() override {
    flush();
    if (std::fflush(file_) != 0) throw write_failed(path_);
    if (opened_ && std::fclose(opened_.release()) != 0) throw write_failed(path_);
  }

 private:
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) throw write_failed(path_);
    buffer_.clear();
  }

  std::string path_;
  std::size_t columns_;
  std::unique_ptr<std::FILE, Close> opened_;
  std::FILE* file_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<TableWriter> csv_writer(std::string const& file_path, std::string const& path,
                                        std::vector<std::string> const& names) {
  return std::make_unique<CsvWriter>(file_path, path, names);
}

}  // namespace nearfar::cli
