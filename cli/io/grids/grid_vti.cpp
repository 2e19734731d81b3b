// SPDX-License-Identifier: BSD-3-Clause
// VTK image data: XML, the numbers of cells as raw bytes behind it (VTK User's Guide, Sec. 19.3, "appended").
#include "cli/io/grids/grid_file.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <bit>
#include <cstdint>
#include <fstream>

namespace nearfar::cli {

namespace {

std::uint64_t bytes_of(GridField const& field) { return field.values.size() * sizeof(double); }

std::string head(GridFields const& grid) {
  auto const& n = grid.size;
  auto const& h = grid.spacing;
  auto const extent = text("0 %d 0 %d 0 %d", n[0], n[1], n[2]);
  std::string all = text(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%s\" "
      "header_type=\"UInt64\">\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
  all += text("<ImageData WholeExtent=\"%s\" Origin=\"0 0 0\" Spacing=\"%.17g %.17g %.17g\">\n", extent.c_str(), h[0],
              h[1], h[2]);
  all += text("<Piece Extent=\"%s\">\n<CellData>\n", extent.c_str());
  std::uint64_t offset = 0;
  for (auto const& field : grid.fields) {
    all += text(
        "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
        field.name.c_str(), field.components, static_cast<unsigned long long>(offset));
    offset += sizeof(std::uint64_t) + bytes_of(field);
  }
  return all + "</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";
}

/// x is fastest in VTK.
void write_field(std::ofstream& file, GridFields const& grid, GridField const& field) {
  auto const nx = std::size_t(grid.size[0]), ny = std::size_t(grid.size[1]), nz = std::size_t(grid.size[2]);
  auto const width = std::size_t(field.components);
  std::uint64_t const bytes = bytes_of(field);
  file.write(reinterpret_cast<char const*>(&bytes), sizeof bytes);
  std::vector<double> row(nx * width);
  for (std::size_t z = 0; z < nz; ++z)
    for (std::size_t y = 0; y < ny; ++y) {
      for (std::size_t x = 0; x < nx; ++x)
        for (std::size_t m = 0; m < width; ++m) row[x * width + m] = field.values[((x * ny + y) * nz + z) * width + m];
      file.write(reinterpret_cast<char const*>(row.data()), std::streamsize(row.size() * sizeof(double)));
    }
}

}  // namespace

void write_grid_vti(std::string const& path, GridFields const& grid) {
  std::ofstream file{path, std::ios::binary};
  file << head(grid);
  for (auto const& field : grid.fields) write_field(file, grid, field);
  file << "\n</AppendedData>\n</VTKFile>\n" << std::flush;
  if (!file) throw Error{Fault::bad_input, path + ": writing VTK image data failed; choose a place with enough room"};
}

}  // namespace nearfar::cli
