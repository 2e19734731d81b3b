// SPDX-License-Identifier: BSD-3-Clause
// HDF5: positions and velocities as [particle][3], charges, and the options needed to continue the loop as attributes
// of the root. Every part has a checksum, so that no run continues from a damaged file.
#include "cli/free_memory.hpp"
#include "cli/io/hdf5_id.hpp"
#include "cli/io/output_path.hpp"
#include "cli/pic/start.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

namespace nearfar::cli {

namespace {

constexpr double format_version = 1;
constexpr hsize_t most_rows_per_chunk = hsize_t(1) << 16;

/// Calls visit(name, address of three doubles) for each option that is one number per direction.
template <class Options, class Visit>
void for_each_vector(Options& o, Visit visit) {
  visit("box", o.box.data());
  visit("external_electric", o.external.electric.data());
  visit("external_gradient", o.external.gradient.data());
  visit("external_centre", o.external.centre.data());
  visit("external_magnetic", o.external.magnetic.data());
}

/// Creates a file with checksummed metadata, which HDF5 before 1.10 did not write, and without times, so that the same
/// state gives the same file.
hid_t create(std::string const& path) {
  Hdf5Id const made{H5Pcreate(H5P_FILE_CREATE), H5Pclose}, access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  H5Pset_obj_track_times(made, false);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, made, access);
}

class Writer {
 public:
  Writer(std::string const& path, std::string const& name) : name_(name), file_(create(path), H5Fclose) {
    if (file_.bad()) throw write_failed(name_);
  }
  void attribute(char const* name, double const* values, hsize_t count) {
    Hdf5Id const space{H5Screate_simple(1, &count, nullptr), H5Sclose};
    Hdf5Id id{H5Acreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
    if (id.bad() || H5Awrite(id, H5T_NATIVE_DOUBLE, values) < 0 || !id.close()) throw write_failed(name_);
  }
  void attribute(char const* name, double value) { attribute(name, &value, 1); }
  void dataset(char const* name, std::vector<double> const& values, hsize_t rows) {
    hsize_t const length[2] = {rows, values.size() / rows};
    hsize_t const chunk[2] = {std::min(rows, most_rows_per_chunk), length[1]};
    int const dimensions = length[1] > 1 ? 2 : 1;
    Hdf5Id const space{H5Screate_simple(dimensions, length, nullptr), H5Sclose};
    auto const made = without_times();
    H5Pset_chunk(made, dimensions, chunk);
    H5Pset_fletcher32(made);
    Hdf5Id id{H5Dcreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, made, H5P_DEFAULT), H5Dclose};
    if (id.bad() || H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0 || !id.close())
      throw write_failed(name_);
  }
  void close() {
    if (H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0 || !file_.close()) throw write_failed(name_);
  }

 private:
  std::string const& name_;
  Hdf5Id file_;
};

class Reader {
 public:
  explicit Reader(std::string const& path) : path_(path), file_(open_hdf5(path)) {}
  void attribute(char const* name, double* values, hsize_t count) const {
    Hdf5Id const id{H5Aexists(file_, name) > 0 ? H5Aopen(file_, name, H5P_DEFAULT) : -1, H5Aclose};
    Hdf5Id const space{id.bad() ? -1 : H5Aget_space(id), H5Sclose};
    if (space.bad() || H5Sget_simple_extent_npoints(space) != hssize_t(count) ||
        H5Aread(id, H5T_NATIVE_DOUBLE, values) < 0)
      fail(std::string("has no attribute '") + name + "' of " + std::to_string(count) + " numbers");
    for (hsize_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i])) fail(std::string("has ") + text("%.17g", values[i]) + " as its '" + name + "'");
  }
  double attribute(char const* name) const {
    double value = 0;
    attribute(name, &value, 1);
    return value;
  }
  /// Whole numbers from 0 to `most`.
  void attribute(char const* name, std::int64_t* numbers, hsize_t count, std::int64_t most) const {
    std::array<double, 3> values{};
    attribute(name, values.data(), count);
    for (hsize_t i = 0; i < count; ++i) {
      if (values[i] < 0 || values[i] > static_cast<double>(most) || values[i] != std::floor(values[i]))
        fail(std::string("has ") + text("%.17g", values[i]) + " as its '" + name +
             "', where a whole number from 0 to " + std::to_string(most) + " would be right");
      numbers[i] = static_cast<std::int64_t>(values[i]);
    }
  }
  std::int64_t attribute(char const* name, std::int64_t most) const {
    std::int64_t number = 0;
    attribute(name, &number, 1, most);
    return number;
  }
  std::vector<double> dataset(char const* name, int columns) const {
    Hdf5Id const id{H5Lexists(file_, name, H5P_DEFAULT) > 0 ? H5Dopen2(file_, name, H5P_DEFAULT) : -1, H5Dclose};
    Hdf5Id const space{id.bad() ? -1 : H5Dget_space(id), H5Sclose};
    hsize_t length[2] = {0, 1};
    int const dimensions = columns > 1 ? 2 : 1;
    if (space.bad() || !holds_numbers(id) || H5Sget_simple_extent_ndims(space) != dimensions ||
        H5Sget_simple_extent_dims(space, length, nullptr) < 0 || length[1] != hsize_t(columns))
      fail(std::string("has no dataset '") + name + "' with " + std::to_string(columns) +
           " numbers per particle, or a damaged one");
    if (double(length[0]) * double(length[1]) > most_numbers_in(path_))
      fail(std::string("promises more numbers in '") + name + "' than it can hold");
    expect_memory_for(length[0], std::size_t(columns) * sizeof(double),
                      path_ + ": its " + std::to_string(length[0]) + " particles", "resume on a larger machine");
    std::vector<double> values(length[0] * length[1]);
    if (H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(std::string("has a dataset '") + name + "' that is damaged");
    return values;
  }
  [[noreturn]] void fail(std::string const& why) const {
    throw Error{Fault::bad_input,
                path_ + ": is no checkpoint of 'nearfar pic' (it " + why + "); name a file that --checkpoint wrote"};
  }

 private:
  std::string const& path_;
  Hdf5Id file_;
};

/// A file stores a method as its index here.
constexpr std::array methods{PoissonMethod::hockney, PoissonMethod::vico, PoissonMethod::vico_dct};
constexpr std::int64_t most_steps = std::int64_t(1) << 53;  ///< whole numbers up to it are exact in double precision
constexpr std::int64_t most_cells = 1000000000;             ///< along one direction

PicStart read_head(Reader const& file) {
  if (double const version = file.attribute("nearfar_pic"); version != format_version)
    file.fail("has format " + digits(version) + ", and this program knows 1");
  PicStart s;
  PicOptions& o = s.options;
  s.step = file.attribute("step", most_steps);
  o.method = methods[std::size_t(file.attribute("method", std::int64_t(methods.size()) - 1))];
  s.precision = file.attribute("single", 1) != 0 ? Precision::single : Precision::double_;
  o.time_step = file.attribute("time_step");
  o.charge_per_mass = file.attribute("charge_per_mass");
  std::array<std::int64_t, 3> numbers{};
  file.attribute("grid", numbers.data(), 3, most_cells);
  for (std::size_t d = 0; d < 3; ++d) o.grid[d] = static_cast<int>(numbers[d]);
  file.attribute("periodic", numbers.data(), 3, 1);
  for (std::size_t d = 0; d < 3; ++d) o.periodic[d] = numbers[d] != 0;
  for_each_vector(o, [&](char const* what, double* values) { file.attribute(what, values, 3); });
  return s;
}

}  // namespace

void write_checkpoint(std::string const& path, std::string const& name, PicStart const& s) {
  silence_hdf5();
  errno = 0;
  Writer file(path, name);
  PicOptions const& o = s.options;
  file.attribute("nearfar_pic", format_version);
  file.attribute("step", static_cast<double>(s.step));
  file.attribute("method", static_cast<double>(std::ranges::find(methods, o.method) - methods.begin()));
  file.attribute("single", s.precision == Precision::single ? 1 : 0);
  file.attribute("time_step", o.time_step);
  file.attribute("charge_per_mass", o.charge_per_mass);
  std::array<double, 3> const grid{double(o.grid[0]), double(o.grid[1]), double(o.grid[2])};
  file.attribute("grid", grid.data(), 3);
  std::array<double, 3> const periodic{double(o.periodic[0]), double(o.periodic[1]), double(o.periodic[2])};
  file.attribute("periodic", periodic.data(), 3);
  for_each_vector(o, [&](char const* what, double const* values) { file.attribute(what, values, 3); });
  file.dataset("positions", s.positions, s.charges.size());
  file.dataset("velocities", s.velocities, s.charges.size());
  file.dataset("charges", s.charges, s.charges.size());
  file.close();
}

PicStart read_checkpoint(std::string const& path) {
  silence_hdf5();
  Reader const file(path);
  PicStart s = read_head(file);
  s.positions = file.dataset("positions", 3);
  s.velocities = file.dataset("velocities", 3);
  s.charges = file.dataset("charges", 1);
  return s;
}

PicStart read_checkpoint_head(std::string const& path) {
  silence_hdf5();
  return read_head(Reader(path));
}

}  // namespace nearfar::cli
