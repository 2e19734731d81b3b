// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

namespace nearfar::cli {

class OutputFiles;

/// Numbers at the centres of cells, [x][y][z][component].
struct GridField {
  std::string name;
  int components = 1;
  std::span<double const> values;
};

/// Fields on one grid, whose box begins at 0.
struct GridFields {
  std::array<int, 3> size{};
  std::array<double, 3> spacing{};
  std::vector<GridField> fields;
};

/// Throws Error{bad_input} unless the extension is one that grids are written in: .h5, .hdf5 or .vti.
void check_grid_output(std::string const& path);

/// Sizes of the dataset `name` of an HDF5 file: three, or Error{bad_input}.
std::array<int, 3> grid_size_of(std::string const& path, std::string const& name);

/// The numbers of that dataset. Throws Error{bad_input} for another size, or a number that is not finite.
std::vector<double> read_grid(std::string const& path, std::string const& name, std::array<int, 3> const& size);

/// One of several files, by extension: HDF5, a dataset per field with the attribute `spacing`; or VTK image data, which
/// ParaView opens. The fields outlive the commit of the files.
void write_grid(OutputFiles& files, std::string const& path, GridFields const& fields);

/// Writes to `file`, which a failure may leave half-written; `path` is what its message calls it, and says the format.
void write_grid_file(std::string const& file, std::string const& path, GridFields const& fields);

/// Write to this very path, which may be left half-written by a failure.
void write_grid_hdf5(std::string const& path, GridFields const& fields);
void write_grid_vti(std::string const& path, GridFields const& fields);

}  // namespace nearfar::cli
