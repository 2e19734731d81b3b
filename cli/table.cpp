// SPDX-License-Identifier: BSD-3-Clause
#include "cli/table.hpp"

#include "cli/io/output_files.hpp"
#include "cli/io/output_path.hpp"

#include <nearfar/error.hpp>

#include <filesystem>
#include <utility>

namespace nearfar::cli {

namespace {

// Checked here for both formats, so that the message for a missing file is the same.
void check_readable(std::string const& path) {
  std::error_code ignored;
  auto const status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status))
    throw Error{Fault::bad_input, path + ": there is no such file; give the name of a .csv or .h5 file that exists"};
  if (std::filesystem::is_directory(status))
    throw Error{Fault::bad_input, path + ": is a folder, which holds no columns; give the name of a .csv or .h5 file"};
}

}  // namespace

Format format_of(std::string const& path) {
  auto const extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return Format::csv;
  if (extension == ".h5" || extension == ".hdf5") return Format::hdf5;
  throw Error{Fault::bad_input, path + ": the extension '" + extension +
                                    "' says no format that nearfar knows; name the file .csv (text) or .h5 (HDF5)"};
}

Table read_table(std::string const& path, std::vector<std::string> const& names, std::string const& purpose) {
  return read_part(path, names, purpose, 0, 1).table;
}

TablePart read_part(std::string const& path, std::vector<std::string> const& names, std::string const& purpose,
                    int part, int parts) {
  auto const format = format_of(path);
  if (format == Format::csv && part > 0) return {{names, {}}};
  check_readable(path);
  if (format == Format::hdf5) return read_hdf5(path, names, purpose, part, parts);
  auto table = read_csv(path, names, purpose);
  auto const rows = table.rows();
  return {std::move(table), rows};
}

void write_table(OutputFiles& files, std::string const& path, Table table) {
  bool const csv = is_stream(path) || format_of(path) == Format::csv;
  std::string const name = path == "-" ? "standard output" : path;
  files.write(path, [csv, name, table = std::move(table)](std::string const& file) {
    auto const writer = csv ? csv_writer(file, name, table.names) : hdf5_writer(file, name, table.names, table.rows());
    writer->append(table.values);
    writer->finish();
  });
}

void write_table(std::string const& path, Table table) {
  OutputFiles files;
  write_table(files, path, std::move(table));
  files.commit();
}

std::string list_of(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace nearfar::cli
