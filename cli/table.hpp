// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
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

/// Some rows of a file.
struct TablePart {
  Table table;
  std::size_t all_rows = 0;  ///< in the file; 0 where nothing was read
};

/// The same for one of `parts` processes that read a file together, each its own rows, in their order: of HDF5 a range
/// as long as the others' (one row longer or shorter); of CSV, whose lines begin where reading finds them, all go to
/// the first. The columns' kinds and lengths are looked at by all, numbers by who has their rows.
TablePart read_part(std::string const& path, std::vector<std::string> const& names, std::string const& purpose,
                    int part, int parts);

/// Writes a whole table as one of several files, 17 significant digits; "-" is CSV on stdout.
void write_table(OutputFiles& files, std::string const& path, Table table);

/// Writes the rows of a table to a file, one part after another.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  /// Whole rows. Throws Error{bad_input} where nothing more can be written, as `finish` does.
  virtual void append(std::span<double const> rows) = 0;
  virtual void finish() = 0;  ///< after the last part
};

/// To `file_path`, which a failure may leave half-written; `path` is what its messages call it; `rows` in all.
std::unique_ptr<TableWriter> csv_writer(std::string const& file_path, std::string const& path,
                                        std::vector<std::string> const& names);
std::unique_ptr<TableWriter> hdf5_writer(std::string const& file_path, std::string const& path,
                                         std::vector<std::string> const& names, std::size_t rows);

/// The same alone. A failure leaves what was there before.
void write_table(std::string const& path, Table table);

/// What read_table needs of one format.
Table read_csv(std::string const& path, std::vector<std::string> const& names, std::string const& purpose);
TablePart read_hdf5(std::string const& path, std::vector<std::string> const& names, std::string const& purpose,
                    int part = 0, int parts = 1);

/// Words for messages: "x, y, z".
std::string list_of(std::vector<std::string> const& names);

}  // namespace nearfar::cli
