// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/grids/grid_file.hpp"

#include "cli/io/output_files.hpp"

#include <nearfar/error.hpp>

#include <filesystem>

namespace nearfar::cli {

namespace {

bool is_hdf5(std::string const& path) {
  auto const extension = std::filesystem::path(path).extension();
  return extension == ".h5" || extension == ".hdf5";
}

}  // namespace

void check_grid_output(std::string const& path) {
  if (is_hdf5(path) || std::filesystem::path(path).extension() == ".vti") return;
  throw Error{Fault::bad_input, path +
                                    ": grids are written as HDF5 or as VTK image data, and the extension says which; "
                                    "give a name that ends in .h5 or .vti"};
}

void write_grid_file(std::string const& file, std::string const& path, GridFields const& fields) {
  try {
    if (is_hdf5(path)) write_grid_hdf5(file, fields);
    else write_grid_vti(file, fields);
  } catch (Error const&) {  // its message has the temporary name of the unfinished file
    throw Error{Fault::bad_input, path + ": writing failed; choose a place with enough room"};
  }
}

void write_grid(OutputFiles& files, std::string const& path, GridFields const& fields) {
  files.write(path, [path, &fields](std::string const& file) { write_grid_file(file, path, fields); });
}

}  // namespace nearfar::cli
