// SPDX-License-Identifier: BSD-3-Clause
// HDF5 with one dataset of three dimensions (four, for vectors) per field at the root of the file.
#include "cli/free_memory.hpp"
#include "cli/io/grids/grid_file.hpp"
#include "cli/io/hdf5_id.hpp"
#include "cli/io/output_path.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace nearfar::cli {

namespace {

Error bad_dataset(std::string const& path, std::string const& name, std::string const& rest) {
  return {Fault::bad_input, path + ": the dataset '" + name + "' " + rest};
}

Hdf5Id open_dataset(hid_t file, std::string const& path, std::string const& name) {
  hid_t const id = H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0 ? H5Dopen2(file, name.c_str(), H5P_DEFAULT) : -1;
  if (id < 0)
    throw Error{Fault::bad_input, path + ": there is no dataset '" + name +
                                      "' (it would hold the density, [x][y][z]); store one of three "
                                      "dimensions at the root of the file"};
  return {id, H5Dclose};
}

std::string text_of(std::array<int, 3> const& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

std::array<int, 3> size_of(hid_t dataset, std::string const& path, std::string const& name) {
  if (!holds_numbers(dataset))
    throw bad_dataset(path, name, "does not hold numbers; store doubles, floats or integers");
  Hdf5Id const space{H5Dget_space(dataset), H5Sclose};
  int const dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions != 3)
    throw bad_dataset(path, name,
                      "has " + std::to_string(dimensions) +
                          " dimensions, but a grid has three; store it as "
                          "[x][y][z]");
  hsize_t length[3];
  H5Sget_simple_extent_dims(space, length, nullptr);
  if (double(length[0]) * double(length[1]) * double(length[2]) > most_numbers_in(path))
    throw bad_dataset(path, name,
                      "has " + std::to_string(length[0]) + " x " + std::to_string(length[1]) + " x " +
                          std::to_string(length[2]) +
                          " numbers by its head, more than the file can hold; is it complete?");
  std::array<int, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = int(std::min<hsize_t>(length[d], 1 << 30));
  return size;
}

void write_spacing(hid_t dataset, std::array<double, 3> const& spacing, std::string const& path) {
  hsize_t const three = 3;
  Hdf5Id const space{H5Screate_simple(1, &three, nullptr), H5Sclose};
  Hdf5Id attribute{H5Acreate2(dataset, "spacing", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  if (attribute.bad() || H5Awrite(attribute, H5T_NATIVE_DOUBLE, spacing.data()) < 0 || !attribute.close())
    throw write_failed(path);
}

}  // namespace

std::array<int, 3> grid_size_of(std::string const& path, std::string const& name) {
  auto const file = open_hdf5(path);
  auto const dataset = open_dataset(file, path, name);
  return size_of(dataset, path, name);
}

std::vector<double> read_grid(std::string const& path, std::string const& name, std::array<int, 3> const& size) {
  auto const file = open_hdf5(path);
  auto const dataset = open_dataset(file, path, name);
  auto const found = size_of(dataset, path, name);
  if (found != size)
    throw bad_dataset(path, name,
                      "has " + text_of(found) + " numbers, and --grid says " + text_of(size) +
                          "; leave out --grid, or name another file");
  std::vector<double> values;
  expect_memory_for(std::size_t(size[0]) * std::size_t(size[1]), std::size_t(size[2]) * sizeof(double),
                    path + ": its " + text_of(size) + " numbers", "take a coarser grid, or a larger machine");
  values.resize(std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]));
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw bad_dataset(path, name, why_unreadable(dataset));
  auto const bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return values;
  auto const at = bad - values.begin();
  throw bad_dataset(path, name,
                    "is " + std::to_string(*bad) + " at [" + std::to_string(at / size[2] / size[1]) + "][" +
                        std::to_string(at / size[2] % size[1]) + "][" + std::to_string(at % size[2]) +
                        "], which would spoil the whole potential; correct the value");
}

void write_grid_hdf5(std::string const& path, GridFields const& grid) {
  silence_hdf5();
  errno = 0;  // which then keeps the cause of a failure below the library
  Hdf5Id file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
  if (file.bad()) throw write_failed(path);
  for (auto const& field : grid.fields) {
    hsize_t const length[4] = {hsize_t(grid.size[0]), hsize_t(grid.size[1]), hsize_t(grid.size[2]),
                               hsize_t(field.components)};
    Hdf5Id const space{H5Screate_simple(field.components > 1 ? 4 : 3, length, nullptr), H5Sclose};
    auto const made = without_times();
    Hdf5Id dataset{H5Dcreate2(file, field.name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, made, H5P_DEFAULT),
                   H5Dclose};
    if (dataset.bad() || H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, field.values.data()) < 0)
      throw write_failed(path);
    write_spacing(dataset, grid.spacing, path);
    if (!dataset.close()) throw write_failed(path);
  }
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || !file.close()) throw write_failed(path);
}

}  // namespace nearfar::cli
