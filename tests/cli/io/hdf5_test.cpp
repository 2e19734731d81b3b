// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/grids/grid_file.hpp"
#include "cli/table.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <cmath>
#include <fcntl.h>
#include <limits>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nearfar::cli;

namespace {

/// Adds a dataset of `dimensions` to a file that is made when it is missing.
void add(std::string const& path, char const* name, hid_t type, std::vector<hsize_t> const& dimensions,
         void const* values) {
  hid_t const file = std::filesystem::exists(path) ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                                                   : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hid_t const space = H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr);
  hid_t const data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
}

std::string message_of(std::string const& path) {
  return message([&] { read_table(path, {"x", "q"}, "the test"); });
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("hdf5: what is written is read back, bit by bit") {
  TempFolder const folder;
  Table const table{{"phi", "dphidx"}, {0.1, -1.0 / 3, 5e-324, 1e300}};
  write_table(folder / "out.h5", table);
  CHECK(read_table(folder / "out.h5", {"phi", "dphidx"}, "").values == table.values);
  CHECK(read_table(folder / "out.h5", {"dphidx"}, "").values == std::vector<double>{-1.0 / 3, 1e300});
  CHECK(folder.files() == 1);
}

TEST_CASE("hdf5: doubles, floats and integers are numbers") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  float const x[] = {0.5F, -2};
  int const q[] = {7, -1};
  add(path, "x", H5T_NATIVE_FLOAT, {2}, x);
  add(path, "q", H5T_NATIVE_INT, {2}, q);
  add(path, "other", H5T_NATIVE_INT, {1, 2}, q);
  CHECK(read_table(path, {"x", "q"}, "").values == std::vector<double>{0.5, 7, -2, -1});
}

TEST_CASE("hdf5: messages say file, dataset and what would be right") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  double const values[] = {1, std::numeric_limits<double>::quiet_NaN(), 3, 4};

  CHECK(contains(message_of(folder.write("text.h5", "x,q\n1,2\n")), "cannot be opened as HDF5"));
  CHECK(contains(message_of(folder.write("empty.h5", "")), "cannot be opened as HDF5"));
  add(path, "x", H5T_NATIVE_DOUBLE, {1}, values);
  CHECK(contains(message_of(path), "there is no dataset 'q', which the test needs (needed: x, q; found: x)"));

  auto const with_q = [&](std::vector<hsize_t> const& dimensions, hid_t type = H5T_NATIVE_DOUBLE) {
    auto const copy = folder / "copy.h5";
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    add(copy, "q", type, dimensions, values);
    return message_of(copy);
  };
  CHECK(contains(with_q({2}), "'q' has 2 rows, but 'x' has 1"));
  CHECK(contains(with_q({1, 1}), "has 2 dimensions"));
  CHECK(contains(with_q({0}), "no particles"));
  CHECK(contains(with_q({1}, H5T_C_S1), "does not hold numbers"));

  auto const nan = folder / "nan.h5";
  add(nan, "x", H5T_NATIVE_DOUBLE, {2}, values);
  add(nan, "q", H5T_NATIVE_DOUBLE, {2}, values);
  CHECK(contains(message_of(nan), "nan.h5: the dataset 'x' is nan at index 1, which is not finite"));
}

TEST_CASE("hdf5: several processes read a part each, and together the whole file") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  std::vector<double> values;
  for (int i = 0; i < 2 * 11; ++i) values.push_back(0.1 * i);
  write_table(path, {{"x", "q"}, values});
  for (int const parts : {1, 2, 3, 4, 11, 13}) {
    std::vector<double> together;
    for (int part = 0; part < parts; ++part) {
      auto const [table, all_rows] = read_part(path, {"x", "q"}, "the test", part, parts);
      CHECK(all_rows == 11);
      CHECK(table.rows() <= std::size_t(11 / parts + 1));
      CHECK(table.rows() >= std::size_t(11 / parts));
      together.insert(together.end(), table.values.begin(), table.values.end());
    }
    CHECK(together == values);
  }
}

TEST_CASE("hdf5: so they do of a filtered file, whose chunks end elsewhere than their parts") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i);
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t const rows = values.size(), chunk = 128;
  hid_t const space = H5Screate_simple(1, &rows, nullptr), chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, &chunk);
  H5Pset_shuffle(chunked);
  H5Pset_fletcher32(chunked);
  hid_t const data = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
  REQUIRE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  H5Dclose(data);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file);
  CHECK(read_part(path, {"x"}, "", 1, 3).table.values == std::vector<double>(&values[333], &values[666]));
}

TEST_CASE("hdf5: a part names a bad row by its number in the file, and does not look at others'") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  write_table(path, {{"x"}, {1, 2, 3, 4, 5, std::numeric_limits<double>::infinity(), 7}});
  CHECK(read_part(path, {"x"}, "", 0, 2).table.values == std::vector<double>{1, 2, 3});
  CHECK(contains(message([&] { read_part(path, {"x"}, "", 1, 2); }), "in.h5: the dataset 'x' is inf at index 5"));
  // What is wrong with the file as a whole, all of them find.
  for (int const part : {0, 1})
    CHECK(contains(message([&] { read_part(path, {"y"}, "", part, 2); }), "there is no dataset 'y'"));
}

TEST_CASE("a table written part after part is the file of one that is written at once") {
  TempFolder const folder;
  Table const table{{"a", "b"}, {1, 2, 3, 0.1, 5, -6, 7e300, 8}};
  std::span<double const> const rows = table.values;
  for (std::string const extension : {".h5", ".csv"}) {
    auto const whole = folder / ("whole" + extension), parts = folder / ("parts" + extension);
    write_table(whole, table);
    auto const writer =
        extension == ".csv" ? csv_writer(parts, parts, table.names) : hdf5_writer(parts, parts, table.names, 4);
    for (auto const part : {rows.first(0), rows.first(2), rows.subspan(2, 4), rows.last(2)}) writer->append(part);
    writer->finish();
    CHECK(read_table(parts, table.names, "").values == table.values);
    CHECK(text_of(parts) == text_of(whole));
  }
}

TEST_CASE("hdf5: a head that promises more rows than the file can hold is not believed") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t const rows = hsize_t(1) << 50;
  hid_t const space = H5Screate_simple(1, &rows, nullptr);
  H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  CHECK(contains(message_of(path), "'x' has 1125899906842624 rows by its head, more than the file can hold"));
}

TEST_CASE("hdf5: a head that gives each number a megabyte is not believed") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  std::vector<char> const values(1 << 20);
  hid_t const type = H5Tcopy(H5T_STD_I64LE);
  H5Tset_size(type, values.size());
  add(path, "x", type, {1}, values.data());
  H5Tclose(type);
  CHECK(contains(message_of(path), "'x' does not hold numbers; store doubles, floats or integers"));
}

TEST_CASE("hdf5: nor one of a grid, the product of whose edges has more than 64 bits") {
  TempFolder const folder;
  auto const path = folder / "in.h5";
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t const edges[] = {hsize_t(1) << 22, hsize_t(1) << 21, hsize_t(1) << 20};
  hid_t const space = H5Screate_simple(3, edges, nullptr), chunked = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t const chunk[] = {2, 2, 2};
  H5Pset_chunk(chunked, 3, chunk);
  hid_t const data = H5Dcreate2(file, "density", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
  REQUIRE(data >= 0);
  H5Dclose(data);
  H5Pclose(chunked);
  H5Sclose(space);
  H5Fclose(file);
  CHECK(contains(message([&] { grid_size_of(path, "density"); }),
                 "has 4194304 x 2097152 x 1048576 numbers by its head, more than the file can hold"));
}

TEST_CASE("hdf5: a failed write leaves what was there") {
  TempFolder const folder;
  auto const path = folder.write("out.h5", "precious");
  // Two columns of one name: the second cannot be made.
  CHECK(contains(message([&] { write_table(path, {{"a", "a"}, {1, 2}}); }), "writing failed"));
  CHECK(text_of(path) == "precious");
  CHECK(folder.files() == 1);
}

TEST_CASE("hdf5: a file that another program writes to, and one that may not be read, are told as such") {
  TempFolder const folder;
  auto const path = folder / "busy.h5";
  write_table(path, {{"x", "q"}, {1, 2}});
  for (int const kind : {LOCK_EX, LOCK_SH}) {
    int const file = open(path.c_str(), O_RDWR);
    REQUIRE(flock(file, kind) == 0);
    auto const said = message_of(path);
    auto const grid = message([&] { grid_size_of(path, "density"); });
    close(file);
    if (kind == LOCK_SH) CHECK(said == "(no error)");  // others that read
    else CHECK(contains(said, "another program has it open for writing"));
    if (kind == LOCK_EX) CHECK(contains(grid, "another program has it open for writing"));
  }
  CHECK(message_of(path) == "(no error)");
  chmod(path.c_str(), 0);
  if (geteuid() != 0) CHECK(contains(message_of(path), "Permission denied"));
}

namespace {

constexpr H5Z_filter_t own_filter = 32000;  // that of LZF

std::size_t leave_as_is(unsigned, std::size_t, unsigned const*, std::size_t bytes, std::size_t*, void**) {
  return bytes;
}

/// A dataset that a filter has been through which the library then does not know any more.
void add_filtered(std::string const& path, char const* name, std::vector<hsize_t> const& size) {
  H5Z_class2_t const lzf{H5Z_CLASS_T_VERS, own_filter, 1, 1, "lzf", nullptr, nullptr, leave_as_is};
  H5Zregister(&lzf);
  hid_t const file = std::filesystem::exists(path) ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                                                   : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hid_t const made = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(int(size.size()), size.data(), nullptr);
  H5Pset_chunk(made, int(size.size()), size.data());
  H5Pset_filter(made, own_filter, H5Z_FLAG_MANDATORY, 0, nullptr);
  hid_t const data = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, made, H5P_DEFAULT);
  std::vector<double> const values(64, 0.5);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  H5Pclose(made);
  H5Sclose(space);
  H5Fclose(file);
  H5Zunregister(own_filter);
}

}  // namespace

TEST_CASE("hdf5: a filter that the library does not know is named") {
  TempFolder const folder;
  auto const path = folder / "packed.h5", grid = folder / "grid.h5";
  add_filtered(path, "x", {4});
  add_filtered(path, "q", {4});
  add_filtered(grid, "density", {2, 3, 4});
  for (auto const& said : {message_of(path), message([&] { read_grid(grid, "density", {2, 3, 4}); })}) {
    CHECK(contains(said, "the filter 'lzf' (number 32000)"));
    CHECK(contains(said, "HDF5_PLUGIN_PATH"));
  }
}
