// SPDX-License-Identifier: BSD-3-Clause
// nearfar poisson: known cases, densities from files, what is written, and what is refused.
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>

namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, Words const& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void succeed(Words const& arguments) {
  auto const outcome = run_nearfar(Words{"poisson"} + arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
}

nlohmann::json report_of(Words const& arguments) {
  TempFolder const folder;
  succeed(arguments + Words{"--quiet", "--report", folder / "r.json"});
  return nlohmann::json::parse(text_of(folder / "r.json"));
}

void write_density(std::string const& path, std::vector<hsize_t> const& size, std::vector<double> const& values,
                   char const* name = "density") {
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t const space = H5Screate_simple(int(size.size()), size.data(), nullptr);
  hid_t const data = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
}

std::vector<double> read_dataset(std::string const& path, char const* name, std::vector<hsize_t> const& size) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  hid_t const data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  std::vector<hsize_t> found(std::size_t(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  CHECK(found == size);
  std::size_t count = 1;
  for (auto n : found) count *= n;
  std::vector<double> values(count);
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return values;
}

/// Nothing is written, and the message holds these parts.
void refuses(Words const& more, Words const& parts, int code = 2) {
  TempFolder const folder;
  auto const outcome = run_nearfar(Words{"poisson", "--output", folder / "out.h5"} + more);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  for (auto const& part : parts) CHECK_MESSAGE(contains(outcome.err, part), "missing: " << part);
  CHECK(folder.files() == 0);
}

}  // namespace

TEST_CASE("poisson: the known cases, with the errors of the table") {
  auto const check = [](nlohmann::json const& report, double error) {
    CHECK(report["relative_error"].get<double>() == doctest::Approx(error).epsilon(0.05).scale(0));
  };
  Words const gaussian{"--case", "gaussian", "--grid", "16,16,16"}, sphere{"--case", "sphere", "--grid", "32,32,32"};
  check(report_of(gaussian), 2.8895e-4);
  check(report_of(gaussian + Words{"--method", "vico"}), 2.8895e-4);
  check(report_of(gaussian + Words{"--method", "hockney"}), 7.243e-3);
  check(report_of(gaussian + Words{"--method", "hockney", "--green", "constant"}), 5.281e-2);
  check(report_of(sphere), 2.20e-3);
  check(report_of({"--case", "gaussian", "--grid", "32,32,32", "--precision", "double"}), 1.17e-9);
  CHECK(report_of({"--case", "gaussian", "--grid", "32,32,32", "--precision", "single"})["relative_error"] < 1e-6);
  auto const long_box = report_of({"--case", "gaussian", "--grid", "32,32,128", "--box", "1,1,4", "--field"});
  CHECK(long_box["relative_error"] < 1.1e-9);
  CHECK(long_box["relative_error_field"] < 1e-6);
  CHECK(long_box["parameters"]["green_transform"][0] > long_box["parameters"]["transform"][0]);
}

TEST_CASE("poisson: the report tells method, times, memory and workers") {
  TempFolder const folder;
  auto const report = report_of({"--case", "gaussian", "--grid", "16,20,24", "--dag", folder / "g.dot"});
  CHECK(report["solver"] == "poisson");
  CHECK(report["method"] == "vico-dct");
  CHECK(report["grid"] == nlohmann::json({16, 20, 24}));
  for (auto const* stage : {"pad", "fft", "scale", "ifft", "restrict"}) {
    CHECK(report["seconds"].contains(stage));
    CHECK(contains(text_of(folder / "g.dot"), stage));
  }
  CHECK(report["green_seconds"] > 0);
  CHECK(report["peak_bytes"] > report["parameters"]["bytes"]);
  // Of directions that repeat the free potential is not the answer, and no error is told.
  CHECK(!report_of({"--case", "gaussian", "--grid", "16,16,16", "--periodic", "xz"}).contains("relative_error"));
}

TEST_CASE("poisson: a density from a file, and back as HDF5 and VTK") {
  TempFolder const folder;
  std::vector<hsize_t> const size{6, 5, 8};
  std::vector<double> density(6 * 5 * 8);
  for (std::size_t i = 0; i < density.size(); ++i) density[i] = std::sin(double(i));
  auto const in = folder / "rho.h5";
  write_density(in, size, density);
  succeed({"--input", in, "--box", "1,2,3", "--field", "--output", folder / "out.h5"});
  succeed({"--input", in, "--box", "1,2,3", "--field", "--output", folder / "out.vti"});
  CHECK(folder.files() == 3);
  auto const potential = read_dataset(folder / "out.h5", "potential", size);
  auto const field = read_dataset(folder / "out.h5", "field", {6, 5, 8, 3});

  auto const vti = text_of(folder / "out.vti");
  CHECK(contains(vti, "<VTKFile type=\"ImageData\""));
  CHECK(contains(vti, "WholeExtent=\"0 6 0 5 0 8\""));
  CHECK(contains(vti, "Name=\"potential\" NumberOfComponents=\"1\" format=\"appended\" offset=\"0\""));
  CHECK(contains(vti, "Name=\"field\" NumberOfComponents=\"3\" format=\"appended\" offset=\"1928\""));
  char const* const data = vti.data() + vti.find("encoding=\"raw\">\n_") + 17;
  auto const number = [&](std::size_t at) {
    double value;
    std::memcpy(&value, data + at, sizeof value);
    return value;
  };
  std::uint64_t bytes;
  std::memcpy(&bytes, data, sizeof bytes);
  CHECK(bytes == 240 * sizeof(double));
  for (std::size_t x = 0; x < 6; ++x)
    for (std::size_t y = 0; y < 5; ++y)
      for (std::size_t z = 0; z < 8; ++z) {
        std::size_t const here = (x * 5 + y) * 8 + z, there = (z * 5 + y) * 6 + x;
        CHECK(number(8 + 8 * there) == potential[here]);
        for (std::size_t d = 0; d < 3; ++d) CHECK(number(1936 + 8 * (3 * there + d)) == field[3 * here + d]);
      }
}

TEST_CASE("poisson: what cannot be used is refused, and nothing is written") {
  Words const known{"--case", "gaussian"};
  refuses({}, {"there is no density; give --case gaussian"});
  refuses(known, {"--case needs a grid", "--grid NX,NY,NZ"});
  refuses(known + Words{"--grid", "8,8,8", "--input", "rho.h5"}, {"--case and --input both"});
  refuses(known + Words{"--grid", "8,1,8"}, {"the grid has 1 cells along y", "give 2 to 16384"});
  refuses(known + Words{"--grid", "8,8,8", "--box", "1,0,1"}, {"edge y of the box is 0"});
  refuses(known + Words{"--grid", "8,8,8", "--method", "vicodct"}, {"method is \"vicodct\"", "vico-dct"});
  refuses(known + Words{"--grid", "8,8,8", "--periodic", "xx"}, {"--periodic is 'xx'", "for example xz"});
  refuses(known + Words{"--grid", "8,8,8", "--green", "integrated"}, {"or use method hockney"});
  refuses(known + Words{"--grid", "8,8,8", "--conductor", "z-low", "--periodic", "z"}, {"a face across z conducts"});
  refuses(known + Words{"--grid", "16000,16000,16000"}, {"of memory (this machine has", "take fewer cells"}, 3);
  TempFolder const folder;
  auto const outcome = run_nearfar(Words{"poisson", "--grid", "8,8,8", "--output", folder / "out.vtk"} + known);
  CHECK(outcome.code == 2);
  CHECK(contains(outcome.err, "ends in .h5 or .vti"));

  auto const in = folder / "rho.h5";
  std::vector<double> density(6 * 5 * 8, 1.0);
  write_density(in, {6, 5, 8}, density);
  refuses({"--input", in, "--grid", "6,5,9"}, {"has 6 x 5 x 8 numbers, and --grid says 6 x 5 x 9"});
  refuses({"--input", folder / "none.h5"}, {"cannot be opened as HDF5"});
  density[(2 * 5 + 3) * 8 + 4] = NAN;
  write_density(in, {6, 5, 8}, density);
  refuses({"--input", in}, {"is nan at [2][3][4]", "correct the value"});
  write_density(in, {240}, density);
  refuses({"--input", in}, {"has 1 dimensions, but a grid has three"});
  write_density(in, {6, 5, 8}, density, "rho");
  refuses({"--input", in}, {"there is no dataset 'density'"});
}

TEST_CASE("poisson: no unit leaves the range of single precision, and the error stays what it is") {
  auto const error = [](std::string const& edge, Words const& more) {
    auto const report = report_of(
        Words{"--case", "gaussian", "--grid", "16,16,16", "--field", "--box", edge + "," + edge + "," + edge} + more);
    return std::pair(report["relative_error"].get<double>(), report["relative_error_field"].get<double>());
  };
  for (std::string const method : {"hockney", "vico", "vico-dct"}) {
    Words const single{"--precision", "single", "--method", method}, in_double{"--method", method};
    auto const usual = error("1", single);
    for (std::string const edge : {"1e-25", "4e-12", "1e-9", "1e9", "4e12", "1e25"}) {
      CAPTURE(edge);
      auto const other = error(edge, single);
      CHECK(other.first == doctest::Approx(usual.first).epsilon(0.01));
      CHECK(other.second == doctest::Approx(usual.second).epsilon(0.01));
    }
    auto const tiny = error("1e-90", in_double);
    CHECK(tiny.first == doctest::Approx(error("1", in_double).first).epsilon(0.01));
  }
}

TEST_CASE("poisson: densities that sums would take beyond single precision, and what no double holds") {
  TempFolder const folder;
  std::vector<hsize_t> const size{6, 5, 8};
  std::vector<double> density(6 * 5 * 8), scaled(density.size());
  for (std::size_t i = 0; i < density.size(); ++i) scaled[i] = 0x1p100 * (density[i] = std::sin(double(i)) + 2);
  write_density(folder / "rho.h5", size, density);
  write_density(folder / "large.h5", size, scaled);
  for (std::string const name : {"rho", "large"})
    succeed(
        {"--input", folder / (name + ".h5"), "--precision", "single", "--output", folder / ("out_" + name + ".h5")});
  auto small = read_dataset(folder / "out_rho.h5", "potential", size);
  for (double& value : small) value *= 0x1p100;
  CHECK(small == read_dataset(folder / "out_large.h5", "potential", size));
  for (double& value : scaled) value = 1e308;
  write_density(folder / "huge.h5", size, scaled);
  refuses({"--input", folder / "huge.h5", "--box", "1e9,1e9,1e9"}, {"beyond the range of double precision"});
  refuses({"--case", "gaussian", "--grid", "8,8,8", "--box", "1e150,1e150,1e150"},
          {"1e+150", "beyond the range of double precision"});
  refuses({"--case", "gaussian", "--grid", "8,8,8", "--box", "1e-120,1e-120,1e-120"},
          {"1e-120", "beyond the range of double precision"});
  refuses({"--case", "sphere", "--grid", "8,8,8", "--box", "1e-160,1e-160,1e-160"},
          {"beyond the range", "scale the density up"});
}
