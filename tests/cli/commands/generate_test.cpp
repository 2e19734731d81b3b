// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/generate.hpp"
#include "cli/io/random.hpp"
#include "tests/cli/message.hpp"

#include <nearfar/kernels.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace nearfar;
using namespace nearfar::cli;

namespace {

GenerateOptions lattice(Distribution distribution, std::size_t count) {
  return {.distribution = distribution, .count = count, .kernel = Kernel::laplace, .box = {2, 2, 2}};
}

double column_sum(Table const& table, std::size_t column) {
  double sum = 0;
  for (std::size_t i = column; i < table.values.size(); i += table.names.size()) sum += table.values[i];
  return sum;
}

/// Distance to the nearest periodic image of another ion, and how many are that near, all of the other charge.
void check_neighbours(GenerateOptions const& options, int coordination) {
  auto const table = generate(options);
  REQUIRE(table.rows() == options.count);
  CHECK(column_sum(table, 3) == 0);
  double const distance = nearest_neighbour_distance(options);
  auto const* ions = table.values.data();
  int near = 0;
  for (std::size_t j = 1; j < table.rows(); ++j) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      double const along = ions[4 * j + d] - ions[d];
      double const wrapped = along - options.box[d] * std::round(along / options.box[d]);
      square += wrapped * wrapped;
    }
    CHECK(std::sqrt(square) > 0.999999 * distance);
    if (std::sqrt(square) > 1.000001 * distance) continue;
    ++near;
    CHECK(ions[4 * j + 3] == -ions[3]);
  }
  CHECK(near == coordination);
}

}  // namespace

TEST_CASE("generate: rock salt and caesium chloride have the neighbours of their crystals") {
  check_neighbours(lattice(Distribution::nacl, 64), 6);
  check_neighbours(lattice(Distribution::cscl, 54), 8);
  CHECK(nearest_neighbour_distance(lattice(Distribution::nacl, 64)) == doctest::Approx(0.5));
  CHECK(nearest_neighbour_distance(lattice(Distribution::cscl, 54)) == doctest::Approx(std::sqrt(3.0) / 3));
}

TEST_CASE("generate: a lattice that does not fit is refused with the counts that do") {
  auto const says = [](GenerateOptions const& options) { return message([&] { generate(options); }); };
  CHECK(says(lattice(Distribution::nacl, 1001)).find("take 1000 or 1728") != std::string::npos);
  CHECK(says(lattice(Distribution::nacl, 27)).find("take 8 or 64") != std::string::npos);
  CHECK(says(lattice(Distribution::nacl, 1)).ends_with("take 8"));
  CHECK(says(lattice(Distribution::cscl, 15)).find("take 2 or 16") != std::string::npos);
  auto options = lattice(Distribution::nacl, 8);
  options.box = {1, 1, 2};
  CHECK(says(options).find("edges of the box differ") != std::string::npos);
}

TEST_CASE("generate: kernels of charges alone have the ions of crystals, others are refused with those that do") {
  for (auto const distribution : {Distribution::nacl, Distribution::cscl})
    for (KernelInfo const& info : kernel_list()) {
      CAPTURE(name(info.kernel));
      auto const of_charges = lattice(distribution, distribution == Distribution::nacl ? 64 : 54);
      auto options = of_charges;
      options.kernel = info.kernel;
      if (strength_columns(info.kernel) == std::vector<std::string>{"q"}) {
        CHECK(generate(options).values == generate(of_charges).values);
        continue;
      }
      auto const said = message([&] { generate(options); });
      CHECK(said.find("--kernel " + std::string(name(info.kernel)) + " have other strengths") != std::string::npos);
      CHECK(said.ends_with("use --kernel laplace or yukawa"));
    }
}

TEST_CASE("generate: the bits are the same on every machine") {
  // The C++ standard fixes the generator, and IEEE the arithmetic.
  GenerateOptions options{.distribution = Distribution::uniform, .count = 3, .seed = 1, .kernel = Kernel::stokeslet};
  auto const first = generate(options);
  CHECK(first.values == generate(options).values);
  options.seed = 2;
  CHECK(first.values != generate(options).values);
  CHECK(Random{1}.unit() == 0x1.122deafddb434p-3);
  CHECK(Random{1}.normal() == 0x1.9b41ca8d55ee1p-1);
  CHECK(Random{1}.direction()[0] == -0x1.152591e625cbfp-4);
}

TEST_CASE("generate: particles are in the box, with the columns of the kernel") {
  for (auto const distribution :
       {Distribution::uniform, Distribution::normal, Distribution::sphere, Distribution::corner})
    for (KernelInfo const& info : kernel_list()) {
      Kernel const kernel = info.kernel;
      CAPTURE(name(kernel));
      GenerateOptions const options{distribution, 500, 7, kernel, {1, 2, 0.5}};
      auto const table = generate(options);
      REQUIRE(table.rows() == 500);
      auto const columns = table.names.size();
      CHECK(std::vector(table.names.begin() + 3, table.names.end()) == strength_columns(kernel));
      for (std::size_t i = 0; i < table.values.size(); ++i) {
        if (i % columns < 3) CHECK((table.values[i] >= 0 && table.values[i] < options.box[i % columns]));
        else CHECK(std::abs(table.values[i]) < 1.2);
      }
      if (table.names[3] == "q") CHECK(std::abs(column_sum(table, 3)) < 1e-12);
      if (kernel == Kernel::stresslet || kernel == Kernel::stokes) {
        auto const* row = table.values.data();
        auto const* normal = row + columns - 3;
        CHECK(std::hypot(normal[0], normal[1], normal[2]) == doctest::Approx(1));
        if (distribution == Distribution::sphere) CHECK(row[0] - 0.5 == doctest::Approx(0.2 * normal[0]));
      }
    }
}

TEST_CASE("generate: one charge keeps its charge") {
  GenerateOptions const options{.count = 1, .kernel = Kernel::laplace};
  CHECK(generate(options).values[3] != 0);
}

TEST_CASE("random: the normal distribution has its moments and its shape") {
  Random random{5};
  constexpr int count = 200000;
  double mean = 0, variance = 0, fourth = 0;
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    double const x = random.normal();
    mean += x / count;
    variance += x * x / count;
    fourth += x * x * x * x / count;
    beyond_two += std::abs(x) > 2;
  }
  CHECK(std::abs(mean) < 0.01);
  CHECK(variance == doctest::Approx(1).epsilon(0.02));
  CHECK(fourth == doctest::Approx(3).epsilon(0.05));
  CHECK(beyond_two / double(count) == doctest::Approx(0.0455).epsilon(0.05));
}
