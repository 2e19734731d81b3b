// SPDX-License-Identifier: BSD-3-Clause
#include "cli/table.hpp"
#include "tests/cli/message.hpp"
#include "tests/cli/temp_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace nearfar::cli;

namespace {

Table read(std::string const& text, std::vector<std::string> const& names = {"x", "q"}) {
  TempFolder const folder;
  return read_table(folder.write("in.csv", text), names, "the test");
}

std::string message_of(std::string const& text) {
  return message([&] { read(text); });
}

}  // namespace

TEST_CASE("csv: columns are found by name, in any order, and others are ignored") {
  auto const table = read("note,q,x,weight\nfirst,1,2,heavy\n\"a,b\",-3e-2,+4,\n\"a \"\"b\"\", c\" ,5,6,\n");
  CHECK(table.names == std::vector<std::string>{"x", "q"});
  CHECK(table.values == std::vector<double>{2, 1, 4, -0.03, 6, 5});
}

TEST_CASE("csv: what other programs write is read") {
  CHECK(read("\xef\xbb\xbfx,q\r\n1,2\r\n").values == std::vector<double>{1, 2});             // a spreadsheet
  CHECK(read("# x,q\n1.000000000000000000e+00,2e0\n").values == std::vector<double>{1, 2});  // numpy.savetxt
  CHECK(read("\"x\",\"q\"\n1,2").values == std::vector<double>{1, 2});                       // R; no last end of line
  CHECK(read(" x , q \n 1 ,\t2 \n\n \n").values == std::vector<double>{1, 2});               // blank lines at the end
}

TEST_CASE("csv: numbers at the edges of double") {
  auto const values = read("x,q\n4.9406564584124654e-324,1.7976931348623157e308\n1e-999,-0\n").values;
  CHECK(values[0] == 4.9406564584124654e-324);
  CHECK(values[1] == 1.7976931348623157e308);
  CHECK(values[2] == 0);
  CHECK(std::signbit(values[3]));
}

TEST_CASE("csv: files larger than a piece of the reader") {
  std::string text = "x,q\n";
  constexpr int rows = 300000;
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(-i) + "\n";
  auto const table = read(text);
  REQUIRE(table.rows() == rows);
  bool same = true;
  for (std::size_t i = 0; i < rows; ++i)
    same = same && table.values[2 * i] == double(i) && table.values[2 * i + 1] == -double(i);
  CHECK(same);
}

TEST_CASE("csv: messages say file, line, value and what would be right") {
  auto const says = [](std::string const& text, std::vector<std::string> const& parts) {
    auto const said = message_of(text);
    for (auto const& part : parts) CHECK_MESSAGE(said.find(part) != said.npos, "'" << part << "' is not in: " << said);
  };
  says("", {"in.csv: ", "empty", "x,y,z"});
  says("x,q\n", {"in.csv: ", "no particles"});
  says("x,q\n\n\n", {"no particles"});
  says("x,y,charge\n1,2,3\n", {"in.csv:1", "no column 'q'", "the test needs", "needed: x, q", "found: x, y, charge"});
  says("x;q\n1;2\n", {"separated by commas"});
  says("1,2\n3,4\n", {"in.csv:1", "no names"});
  says("x,q,x\n1,2,3\n", {"'x' is there twice"});
  says("x,q\n1,2\n3\n", {"in.csv:3", "1 cell", "2 columns"});
  says("x,q\n1,2,3\n", {"in.csv:2", "3 cells"});
  says("x,q\n1,2\n\n3,4\n", {"in.csv:3", "blank"});
  says("x,q\n1,\n", {"in.csv:2", "column q is empty"});
  says("x,q\n1,2\n1,abc\n", {"in.csv:3", "column q", "'abc'", "not a number"});
  says("x,q\n1,2x\n", {"'2x'", "not a number"});
  says("x,q\n1,0x10\n", {"'0x10'", "not a number"});
  says("x,q\n1,+-2\n", {"'+-2'", "not a number"});
  for (std::string const bad : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "+inf"})
    says("x,q\n1,2\n1," + bad + "\n", {"in.csv:3", "column q", "'" + bad + "'", "not finite"});
  says("x,q\n1,1e999\n", {"'1e999'", "beyond the largest double"});
  says("x,q\n1,\"2\"3\n", {"in.csv:2", "cell 2", "'\"2\"3'", "after its closing quote"});
  says("x,q,note\n1,2,\"a\" b\n", {"in.csv:2", "cell 3", "'\"a\" b'"});  // also where the column is ignored
  says("x,\"q\"z\n1,2\n", {"in.csv:1", "cell 2", "after its closing quote"});
  says("x,q\n1,\"2\n", {"in.csv:2", "cell 2", "does not end"});
  says(std::string("x,q\n1,2\0003\n", 10), {"in.csv:2", "column q", "'2\\x003'", "not a number"});
  says("x,q\n1,\x1b[2J\n", {"'\\x1b[2J'"});
  says(std::string("\x89HDF\r\n\x1a\n\0\0", 10), {"no text", ".h5"});
}

TEST_CASE("csv: written numbers come back as they were, with 17 digits") {
  TempFolder const folder;
  Table const table{{"phi", "dphidx"}, {std::numbers::pi, -1.0 / 3, 0.1, 5e-324, 1e300, 3}};
  write_table(folder / "out.csv", table);
  CHECK(text_of(folder / "out.csv") ==
        "phi,dphidx\n3.1415926535897931,-0.33333333333333331\n"
        "0.10000000000000001,4.9406564584124654e-324\n1.0000000000000001e+300,3\n");
  CHECK(read_table(folder / "out.csv", table.names, "the test").values == table.values);
  CHECK(folder.files() == 1);
}

TEST_CASE("table: formats go by extension") {
  CHECK(format_of("a.csv") == Format::csv);
  CHECK(format_of("a.b/c.h5") == Format::hdf5);
  CHECK(format_of("c.hdf5") == Format::hdf5);
  CHECK(message([] { format_of("a.xyz"); }).find("'.xyz'") != std::string::npos);
  CHECK(message([] { read_table("missing.csv", {"x"}, ""); }).find("missing.csv: there is no such file") == 0);
  CHECK(message([] { read_table("missing.h5", {"x"}, ""); }).find("missing.h5: there is no such file") == 0);
}
