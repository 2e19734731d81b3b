// SPDX-License-Identifier: BSD-3-Clause
// Disks that are full before the last byte: HDF5 keeps what it writes in buffers, and may notice as late as it closes.
#include "cli/io/grids/grid_file.hpp"
#include "cli/pic/start.hpp"
#include "cli/table.hpp"
#include "tests/cli/temp_folder.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>
#include <limits>
#include <sys/syscall.h>
#include <unistd.h>

using namespace nearfar::cli;

namespace {

off_t room = std::numeric_limits<off_t>::max();  ///< bytes that a file may have

}  // namespace

/// In place of the C library's, for the HDF5 library too.
extern "C" ssize_t pwrite(int file, void const* bytes, size_t count, off_t offset) {
  if (offset + static_cast<off_t>(count) > room) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, file, bytes, count, offset);
}

namespace {

/// `write` tells of every disk that is too small for what it writes, by a grain of 512 bytes.
void tells_of_full_disks(std::function<void(std::string const& path)> const& write) {
  TempFolder const folder;
  auto const path = folder / "out.h5";
  write(path);
  auto const whole = text_of(path);
  auto const size = static_cast<off_t>(whole.size());
  for (off_t at_most = 0; at_most < size; at_most += 512) {
    CAPTURE(at_most);
    room = at_most;
    CHECK_THROWS_WITH_AS(write(path), doctest::Contains("writing failed (No space left on device)"), nearfar::Error);
    room = std::numeric_limits<off_t>::max();
  }
  write(path);
  CHECK(text_of(path) == whole);
}

}  // namespace

TEST_CASE("full disk: particles") {
  for (std::size_t const rows : {10, 1000, 5000}) {
    Table table{{"x", "y", "z", "q"}, std::vector<double>(4 * rows, 0.5)};
    tells_of_full_disks([&](std::string const& path) { write_table(path, table); });
  }
}

TEST_CASE("full disk: grids") {
  std::vector<double> const density(1000, 0.5), field(3000, -1);
  tells_of_full_disks([&](std::string const& path) {
    write_grid_hdf5(path, {{10, 10, 10}, {1, 1, 1}, {{"density", 1, density}, {"field", 3, field}}});
  });
}

TEST_CASE("full disk: checkpoints") {
  PicStart start;
  start.positions.assign(3000, 0.25);
  start.velocities.assign(3000, 1);
  start.charges.assign(1000, 3);
  tells_of_full_disks([&](std::string const& path) { write_checkpoint(path, path, start); });
}
