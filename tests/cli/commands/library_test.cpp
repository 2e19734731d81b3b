// SPDX-License-Identifier: BSD-3-Clause
// The program from file to file, and the library with the same numbers in memory: the same bits. Doubles go through
// HDF5 as they are, and 17 digits of CSV bring them back whole. Plans must be the same too: tests have fixed rates.
#include "cli/io/particles/columns.hpp"
#include "cli/table.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/temp_folder.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <doctest/doctest.h>

using namespace nearfar;
using namespace nearfar::cli;

namespace {

constexpr std::array<double, 3> edges{1, 1.3, .8};

struct Case {
  EwaldOptions options;
  bool targets = false;  ///< of their own
  bool single = false;
  bool open = false;  ///< free edges follow from the points
};

struct Input {
  std::vector<double> sources, targets, strengths;
};

Input make_input(Case const& c) {
  Input input{random_points(300, edges, 1), {}, random_strengths(c.options.kernel, 300, 2)};
  if (c.targets) input.targets = random_points(100, edges, 3);
  return input;
}

void write_rows(std::string const& path, std::vector<std::string> names, std::vector<double> const& points,
                std::vector<double> const& strengths) {
  auto const columns = strengths.size() / (points.size() / 3);
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size() / 3; ++i) {
    values.insert(values.end(), &points[3 * i], &points[3 * i] + 3);
    values.insert(values.end(), strengths.data() + columns * i, strengths.data() + columns * (i + 1));
  }
  write_table(path, {std::move(names), std::move(values)});
}

std::vector<double> by_program(Case const& c, Input const& input, std::string const& extension) {
  TempFolder const folder;
  auto const& o = c.options;
  auto names = position_columns();
  for (auto const& column : strength_columns(o.kernel)) names.push_back(column);
  write_rows(folder / "in" + extension, names, input.sources, input.strengths);
  std::vector<std::string> arguments{"ewald",
                                     "--kernel",
                                     std::string(name(o.kernel)),
                                     "--periodic",
                                     std::string(name(o.periodicity)),
                                     "--precision",
                                     c.single ? "single" : "double",
                                     "--tolerance",
                                     c.single ? "1e-4" : "1e-7",
                                     "--sources",
                                     folder / "in" + extension,
                                     "--output",
                                     folder / "out" + extension,
                                     "--quiet"};
  char const* const open_box[] = {"0,0,0", "1,0,0", "1,1.3,0"};
  arguments.insert(arguments.end(), {"--box", c.open ? open_box[std::size_t(o.periodicity)] : "1,1.3,0.8"});
  if (o.outputs.has(Output::gradient)) arguments.push_back("--gradient");
  if (o.zero_mode) arguments.insert(arguments.end(), {"--zero-mode", std::string(name(*o.zero_mode))});
  if (c.targets) {
    write_rows(folder / "at" + extension, position_columns(), input.targets, {});
    arguments.insert(arguments.end(), {"--targets", folder / "at" + extension});
  }
  auto const outcome = run_nearfar(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  return read_table(folder / "out" + extension, result_columns(o.kernel, o.outputs), "").values;
}

template <class T>
std::vector<double> by_library(Runtime const& runtime, Case const& c, Input const& input) {
  auto const cast = [](std::vector<double> const& v) { return std::vector<T>(v.begin(), v.end()); };
  EwaldOptions options = c.options;
  options.tolerance = c.single ? 1e-4 : 1e-7;
  options.box = edges;
  for (auto d = std::size_t(options.periodicity); d < 3 && c.open; ++d) options.box[d] = 0;
  BasicEwald<T> ewald(runtime, options);
  auto const sources = cast(input.sources), targets = cast(input.targets), strengths = cast(input.strengths);
  auto const points = c.targets ? ewald.set_points(std::span<T const>(sources), std::span<T const>(targets))
                                : ewald.set_points(std::span<T const>(sources));
  std::vector<T> result(points.targets() * std::size_t(result_components(options.kernel, options.outputs)));
  ewald.submit(points, strengths, result).wait();
  return {result.begin(), result.end()};
}

std::string label(Case const& c) {
  auto text = std::string(name(c.options.kernel)) + ", periodic " + std::string(name(c.options.periodicity));
  if (c.options.zero_mode) text += ", " + std::string(name(*c.options.zero_mode));
  if (c.options.outputs.has(Output::gradient)) text += ", gradient";
  if (c.targets) text += ", targets of their own";
  if (c.single) text += ", single";
  if (c.open) text += ", open box";
  return text + ", ";
}

void check_same(Runtime const& runtime, Case const& c, std::vector<std::string> const& extensions) {
  auto const input = make_input(c);
  auto const expected = c.single ? by_library<float>(runtime, c, input) : by_library<double>(runtime, c, input);
  for (auto const& extension : extensions) {
    INFO((label(c) + extension));
    auto const result = by_program(c, input, extension);
    REQUIRE(result.size() == expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < result.size(); ++i) different += result[i] != expected[i];
    CHECK(different == 0);
  }
}

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Periodicity periodicities[] = {Periodicity::none, Periodicity::x, Periodicity::xy, Periodicity::xyz};

}  // namespace

TEST_CASE("ewald: every kernel and periodicity, the same from files as from memory") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : periodicities) {
      EwaldOptions const options{.kernel = kernel, .periodicity = periodicity};
      check_same(runtime, {options}, {".h5"});
      check_same(runtime, {options, true}, {".csv"});
    }
}

TEST_CASE("ewald: single precision, the same from files as from memory") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : {Periodicity::x, Periodicity::xyz})
      check_same(runtime, {{.kernel = kernel, .periodicity = periodicity}, kernel == Kernel::laplace, true},
                 {periodicity == Periodicity::x ? ".csv" : ".h5"});
}

TEST_CASE("ewald: gradients, zero modes and open boxes, the same from files as from memory") {
  Runtime const runtime;
  for (Periodicity periodicity : periodicities)
    check_same(
        runtime,
        {{.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .periodicity = periodicity}},
        {".csv", ".h5"});
  for (Kernel kernel : {Kernel::stresslet, Kernel::stokes})
    check_same(runtime, {{.kernel = kernel, .zero_mode = ZeroMode::zero_mean_flow}, true}, {".csv", ".h5"});
  for (Periodicity periodicity : {Periodicity::none, Periodicity::x, Periodicity::xy})
    check_same(runtime, {{.periodicity = periodicity}, true, false, true}, {".h5"});
}
