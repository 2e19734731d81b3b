// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nearfar::cli {

class OutputFiles;

/// Some columns of a file, row by row: names.size() numbers per row.
struct Table {
  std::vector<std::string> names;
  std::vector<double> values;

  std::size_t rows() const noexcept { return names.empty() ? 0 : values.size() / names.size(); }
};

enum class Format { csv, hdf5 };

/// By extension: .csv, or .h5 and .hdf5. Throws Error{bad_input} for another one.
Format format_of(std::string const& path);

/// Reads the columns `names` in this order; the file may hold them in any order, and others, which are ignored.
/// `purpose` says in a message who needs them, for example "--kernel laplace".
/// Throws Error{bad_input} with file and line (or row) for what is missing, no finite number, or no rows at all.
Table read_table(std::string const& path, std::vector<std::string> const& names, std::string const& purpose);

/// Writes a whole table as one of several files, 17 significant digits; "-" is CSV on stdout.
void write_table(OutputFiles& files, std::string const& path, Table table);

/// The same alone. A failure leaves what was there before.
void write_table(std::string const& path, Table table);

/// What read_table needs of one format.
Table read_csv(std::string const& path, std::vector<std::string> const& names, std::string const& purpose);
Table read_hdf5(std::string const& path, std::vector<std::string> const& names, std::string const& purpose);

/// Writes to `file_path`, which a failure may leave half-written; `path` is what its message calls it.
void write_csv(std::string const& file_path, std::string const& path, Table const& table);
void write_hdf5(std::string const& file_path, std::string const& path, Table const& table);

/// Words for messages: "x, y, z".
std::string list_of(std::vector<std::string> const& names);

}  // namespace nearfar::cli
