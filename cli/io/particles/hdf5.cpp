// SPDX-License-Identifier: BSD-3-Clause
// HDF5 with one dataset per column at the root of the file.
#include "cli/free_memory.hpp"
#include "cli/io/hdf5_id.hpp"
#include "cli/io/output_path.hpp"
#include "cli/table.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace nearfar::cli {

namespace {

Error bad_column(std::string const& path, std::string const& column, std::string const& rest) {
  return {Fault::bad_input, path + ": the dataset '" + column + "' " + rest};
}

herr_t collect_name(hid_t, char const* name, H5L_info_t const*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> names_in(hid_t file) {
  std::vector<std::string> names;
  hsize_t at = 0;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, collect_name, &names);
  return names;
}

/// Rows of a column; throws for what is no 1-D array of numbers.
std::size_t length_of(hid_t dataset, std::string const& path, std::string const& column) {
  if (!holds_numbers(dataset))
    throw bad_column(path, column, "does not hold numbers; store doubles, floats or integers");
  Hdf5Id const space{H5Dget_space(dataset), H5Sclose};
  int const dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions != 1)
    throw bad_column(path, column,
                     "has " + std::to_string(dimensions) +
                         " dimensions, but a column has one; "
                         "store each column as a 1-D dataset of its own");
  hsize_t length = 0;
  H5Sget_simple_extent_dims(space, &length, nullptr);
  return length;
}

Hdf5Id open_column(hid_t file, std::string const& path, std::string const& column,
                   std::vector<std::string> const& names, std::string const& purpose) {
  if (H5Lexists(file, column.c_str(), H5P_DEFAULT) <= 0)
    throw Error{Fault::bad_input, path + ": there is no dataset '" + column + "', which " + purpose +
                                      " needs (needed: " + list_of(names) + "; found: " + list_of(names_in(file)) +
                                      "); add the dataset at the root of the file, or rename one"};
  hid_t const id = H5Dopen2(file, column.c_str(), H5P_DEFAULT);
  if (id < 0)
    throw bad_column(path, column, "is no dataset; store each column as a 1-D dataset at the root of the file");
  return {id, H5Dclose};
}

/// Some rows of a column that has more; at least one.
struct Rows {
  hsize_t first, count;

  Hdf5Id chosen_in(hid_t dataset) const {
    hid_t const space = H5Dget_space(dataset);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    return {space, H5Sclose};
  }
  Hdf5Id in_memory() const { return {H5Screate_simple(1, &count, nullptr), H5Sclose}; }
};

void check_finite(std::vector<double> const& values, std::size_t first, std::string const& path,
                  std::string const& column) {
  auto const bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad != values.end())
    throw bad_column(path, column,
                     "is " + std::to_string(*bad) + " at index " +
                         std::to_string(first + std::size_t(bad - values.begin())) +
                         ", which is not finite and would spoil the whole sum; "
                         "correct the value or remove the particle");
}

/// The innermost of the library's errors.
std::string last_error() {
  std::string text;
  auto const take = [](unsigned number, H5E_error2_t const* error, void* to) -> herr_t {
    if (number == 0 && error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &text);
  return text;
}

/// Whether another program holds the lock that HDF5 takes for writing.
bool is_locked(std::string const& path) {
  int const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool const locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return locked;
}

}  // namespace

Hdf5Id open_hdf5(std::string const& path) {
  silence_hdf5();
  hid_t const id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id >= 0) return {id, H5Fclose};
  auto const said = last_error();
  auto const fail = [&](std::string const& why) -> Error {
    return {Fault::bad_input, path + ": cannot be opened as HDF5" + why};
  };
  if (access(path.c_str(), R_OK) != 0)
    throw fail(std::string(" (") + std::strerror(errno) + "); give the name of a file that you may read");
  if (is_locked(path))
    throw fail(
        " now, because another program has it open for writing (its lock is held), and half of what it writes may be "
        "missing; wait until that program has closed it, or copy the file if it is known to be complete");
  if (said.find("already open for write") != said.npos || said.find("consistency flags") != said.npos)
    throw fail(" (" + said +
               "), because a program that wrote it has not closed it; close it, or run 'h5clear -s' on a copy");
  throw fail((said.empty() ? std::string() : " (" + said + ")") +
             "; is it complete, and is it no text (which must be named .csv)?");
}

std::string why_unreadable(hid_t dataset) {
  auto const said = last_error();
  Hdf5Id const made{H5Dget_create_plist(dataset), H5Pclose};
  int const filters = made.bad() ? 0 : H5Pget_nfilters(made);
  for (int i = 0; i < filters; ++i) {
    std::array<char, 256> name{};
    unsigned flags = 0, configuration = 0;
    std::size_t values = 0;
    auto const filter =
        H5Pget_filter2(made, unsigned(i), &flags, &values, nullptr, name.size() - 1, name.data(), &configuration);
    if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
    return "is packed by the filter '" + std::string(name.data()) + "' (number " + std::to_string(filter) +
           "), which this HDF5 library does not have; write it with gzip or unpacked (h5repack -f GZIP=4 where the "
           "filter is known), or name the folder of the filter's plugin in HDF5_PLUGIN_PATH";
  }
  return "cannot be read" + (said.empty() ? std::string() : " (" + said + ")") + "; is the file complete?";
}

TablePart read_hdf5(std::string const& path, std::vector<std::string> const& names, std::string const& purpose,
                    int part, int parts) {
  auto const file = open_hdf5(path);
  TablePart found{{names, {}}};
  Rows mine{};
  std::vector<double> column;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const dataset = open_column(file, path, names[i], names, purpose);
    auto const rows = length_of(dataset, path, names[i]);
    if (rows == 0)
      throw bad_column(path, names[i], "is empty, so there are no particles; store one number per particle");
    if (i == 0) {
      if (double(rows) > most_numbers_in(path))
        throw bad_column(
            path, names[i],
            "has " + std::to_string(rows) + " rows by its head, more than the file can hold; is it complete?");
      mine.first = rows * std::size_t(part) / std::size_t(parts);
      mine.count = rows * std::size_t(part + 1) / std::size_t(parts) - mine.first;
      // The table, a column on its way to it, and what the library is given.
      expect_memory_for(mine.count, (2 * names.size() + 1) * sizeof(double),
                        path + ": its " + std::to_string(mine.count) + " rows",
                        "take a part of them, or a larger machine");
      column.resize(mine.count);
      found.table.values.resize(mine.count * names.size());
      found.all_rows = rows;
    } else if (rows != found.all_rows) {
      throw bad_column(path, names[i],
                       "has " + std::to_string(rows) + " rows, but '" + names[0] + "' has " +
                           std::to_string(found.all_rows) + "; store one number per particle in each");
    }
    if (mine.count == 0) continue;
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, mine.in_memory(), mine.chosen_in(dataset), H5P_DEFAULT, column.data()) < 0)
      throw bad_column(path, names[i], why_unreadable(dataset));
    check_finite(column, mine.first, path, names[i]);
    for (std::size_t row = 0; row < column.size(); ++row) found.table.values[row * names.size() + i] = column[row];
  }
  return found;
}

namespace {

class Hdf5Writer : public TableWriter {
 public:
  Hdf5Writer(std::string const& file_path, std::string const& path, std::vector<std::string> const& names,
             std::size_t rows)
      : path_(path), names_(names), file_(std::in_place, create(file_path), H5Fclose) {
    if (file_->bad()) throw write_failed(path_);
    hsize_t const length = rows;
    Hdf5Id const space{H5Screate_simple(1, &length, nullptr), H5Sclose};
    auto const made = without_times();
    for (auto const& name : names_)
      if (Hdf5Id column{H5Dcreate2(*file_, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, made, H5P_DEFAULT),
                        H5Dclose};
          !column.close())
        throw write_failed(path_);
  }

  void append(std::span<double const> rows) override {
    Rows const next{written_, rows.size() / names_.size()};
    if (next.count == 0) return;
    std::vector<double> column(next.count);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t row = 0; row < column.size(); ++row) column[row] = rows[row * names_.size() + i];
      Hdf5Id dataset{H5Dopen2(*file_, names_[i].c_str(), H5P_DEFAULT), H5Dclose};
      if (dataset.bad() ||
          H5Dwrite(dataset, H5T_NATIVE_DOUBLE, next.in_memory(), next.chosen_in(dataset), H5P_DEFAULT, column.data()) <
              0 ||
          !dataset.close())
        throw write_failed(path_);
    }
    written_ += next.count;
  }

  void finish() override {
    if (H5Fflush(*file_, H5F_SCOPE_GLOBAL) < 0 || !file_->close()) throw write_failed(path_);
  }

 private:
  static hid_t create(std::string const& file_path) {
    silence_hdf5();
    errno = 0;  // errno then keeps the cause of a failure below the library
    return H5Fcreate(file_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }

  std::string path_;
  std::vector<std::string> names_;
  std::optional<Hdf5Id> file_;
  hsize_t written_ = 0;
};

}  // namespace

std::unique_ptr<TableWriter> hdf5_writer(std::string const& file_path, std::string const& path,
                                         std::vector<std::string> const& names, std::size_t rows) {
  return std::make_unique<Hdf5Writer>(file_path, path, names, rows);
}

}  // namespace nearfar::cli
