// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of particle-in-cell runs: what is damaged is refused, with the reason.
#include "cli/pic/start.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <limits>
#include <optional>
#include <tuple>

using namespace nearfar::cli;

namespace {

PicStart some_start() {
  PicStart start;
  start.options.grid = {8, 10, 12};
  start.options.box = {1, 2, 3};
  start.options.time_step = 0.25;
  start.options.periodic = {true, false, false};
  start.options.method = nearfar::PoissonMethod::vico_dct;
  start.options.external.magnetic = {0, 0, 5};
  start.precision = Precision::single;
  start.step = 7;
  start.positions = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  start.velocities = {1, 2, 3, 4, 5, 6};
  start.charges = {-1, -2};
  return start;
}

/// All that a checkpoint holds.
auto content(PicStart const& s) {
  auto const& o = s.options;
  return std::tuple(s.step, s.precision, s.positions, s.velocities, s.charges, o.grid, o.box, o.periodic, o.method,
                    o.time_step, o.charge_per_mass, o.external.electric, o.external.gradient, o.external.centre,
                    o.external.magnetic);
}

void set_attribute(std::string const& path, char const* name, std::vector<double> const& values) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), id = H5Aopen(file, name, H5P_DEFAULT);
  REQUIRE(H5Awrite(id, H5T_NATIVE_DOUBLE, values.data()) >= 0);
  H5Aclose(id);
  H5Fclose(file);
}

}  // namespace

TEST_CASE("checkpoint: what is written is read back") {
  TempFolder const folder;
  auto const path = folder / "state.h5";
  write_checkpoint(path, path, some_start());
  CHECK(content(read_checkpoint(path)) == content(some_start()));
}

TEST_CASE("checkpoint: a head that says what cannot be is refused, with name and value") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), huge = 1e300;
  std::tuple<char const*, std::vector<double>, char const*> const damages[] = {
      {"nearfar_pic", {2}, "has format 2"},
      {"step", {-3}, "has -3 as its 'step', where a whole number from 0"},
      {"step", {2.5}, "has 2.5 as its 'step'"},
      {"step", {huge}, "as its 'step'"},
      {"step", {nan}, "has nan as its 'step'"},
      {"method", {3}, "has 3 as its 'method', where a whole number from 0 to 2"},
      {"single", {7}, "has 7 as its 'single'"},
      {"grid", {8, 10.5, 12}, "has 10.5 as its 'grid'"},
      {"grid", {8, 10, huge}, "as its 'grid'"},
      {"periodic", {1, 0, -1}, "has -1 as its 'periodic'"},
      {"time_step", {nan}, "has nan as its 'time_step'"},
      {"box", {1, nan, 3}, "has nan as its 'box'"},
      {"external_magnetic", {0, 0, nan}, "has nan as its 'external_magnetic'"},
  };
  TempFolder const folder;
  auto const path = folder / "state.h5";
  for (auto const& [name, values, part] : damages) {
    write_checkpoint(path, path, some_start());
    set_attribute(path, name, values);
    auto const said = message([&] { read_checkpoint(path); });
    CAPTURE(said);
    CHECK_MESSAGE(said.starts_with(path + ": is no checkpoint of 'nearfar pic' (it "), name);
    CHECK_MESSAGE(said.find(part) != said.npos, part);
  }
}

TEST_CASE("checkpoint: a byte that has changed on the disk is refused, or changes nothing") {
  TempFolder const folder;
  auto const path = folder / "state.h5";
  write_checkpoint(path, path, some_start());
  auto const whole = text_of(path);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    folder.write("damaged.h5", damaged);
    std::optional<PicStart> read;
    auto const said = message([&] { read = read_checkpoint(folder / "damaged.h5"); });
    refused += read ? 0 : 1;
    CHECK_MESSAGE((read ? content(*read) == content(some_start()) : said.starts_with(folder / "damaged.h5")),
                  "byte " << i << ": " << said);
  }
  CHECK(refused > 2000);  // the rest is not in use
}
