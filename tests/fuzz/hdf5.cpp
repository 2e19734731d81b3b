// SPDX-License-Identifier: BSD-3-Clause
// Any file as HDF5: rows of finite numbers, or an Error.
#include "cli/io/grids/grid_file.hpp"
#include "cli/table.hpp"
#include "tests/fuzz/input_file.hpp"

#include <cmath>
#include <hdf5.h>

using namespace nearfar;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::Folder const folder;
  auto const path = folder.file("in.h5", data, size);
  fuzz::told([&] {
    auto const table = cli::read_hdf5(path, {"x", "y", "z", "q"}, "this").table;
    fuzz::expect(table.rows() > 0);
    for (double const value : table.values) fuzz::expect(std::isfinite(value));
  });
  fuzz::told([&] {
    auto const size = cli::grid_size_of(path, "density");
    for (double const value : cli::read_grid(path, "density", size)) fuzz::expect(std::isfinite(value));
  });
  H5close();  // what the library keeps of damaged files, a megabyte each, would be all memory in a minute
  return 0;
}
