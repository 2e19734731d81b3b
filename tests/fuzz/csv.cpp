// SPDX-License-Identifier: BSD-3-Clause
// Any file as CSV: rows of finite numbers, which come back the same after they were written, or an Error.
#include "cli/table.hpp"
#include "tests/fuzz/input_file.hpp"

#include <cmath>

using namespace nearfar;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::Folder const folder;
  auto const path = folder.file("in.csv", data, size), again = folder.path() + "/again.csv";
  cli::Table table;
  if (!fuzz::told([&] { table = cli::read_csv(path, {"x", "y", "z", "q"}, "this"); })) return 0;
  fuzz::expect(table.rows() > 0 && table.values.size() == 4 * table.rows());
  for (double const value : table.values) fuzz::expect(std::isfinite(value));
  auto const writer = cli::csv_writer(again, again, table.names);
  writer->append(table.values);
  writer->finish();
  fuzz::expect(cli::read_csv(again, table.names, "this").values == table.values);
  return 0;
}
