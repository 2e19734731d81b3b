// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description.hpp"
#include "core/kernels/strength_unit.hpp"

#include <nearfar/error.hpp>

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace, Kernel::rotlet};

}  // namespace

TEST_CASE("descriptions: each kernel has one, and its own name and symbol") {
  std::set<std::string_view> symbols;
  for (Kernel kernel : kernels) {
    KernelDescription const& d = describe(kernel);
    CHECK(d.kernel == kernel);
    CHECK(d.name == name(kernel));
    CHECK(symbols.insert(d.symbol).second);
    CHECK(int(strength_columns(kernel).size()) == d.strengths);
    CHECK(int(result_columns(kernel).size()) == d.results);
  }
}

TEST_CASE("descriptions: a kernel or outputs that nobody described are no other kernel") {
  CHECK_THROWS_AS(describe(Kernel(77)), std::logic_error);
  CHECK_THROWS_AS(describe(Kernel::stokeslet, Output::gradient), std::logic_error);
  CHECK_THROWS_AS(check_outputs(Kernel::stokeslet, Output::gradient), Error);
  CHECK_THROWS_AS(check_outputs(Kernel::laplace, Output::gradient), Error);
  check_outputs(Kernel::laplace, Output::potential | Output::gradient);
  check_outputs(Kernel::laplace, {});
}

TEST_CASE("descriptions: columns") {
  using Columns = std::vector<std::string>;
  CHECK(strength_columns(Kernel::stokes) == Columns{"fx", "fy", "fz", "qx", "qy", "qz", "nx", "ny", "nz"});
  CHECK(strength_columns(Kernel::rotlet) == Columns{"tx", "ty", "tz"});
  CHECK(result_columns(Kernel::laplace, outputs_of(Kernel::laplace)) == Columns{"phi", "dphidx", "dphidy", "dphidz"});
  CHECK(result_columns(Kernel::rotlet) == Columns{"ux", "uy", "uz"});
}

TEST_CASE("descriptions: three strengths do not mean a field like 1/r") {
  // In a box twice as long a Stokeslet's flow is half as strong, a rotlet's a quarter.
  int const exponent[] = {0};
  bool const present[] = {true};
  CHECK(strength_unit(describe(Kernel::stokeslet).unit, exponent, present, 1).result[0] == -1);
  CHECK(strength_unit(describe(Kernel::rotlet).unit, exponent, present, 1).result[0] == -2);
}

TEST_CASE("descriptions: what a pair gives back changes sign with r as often as it is differentiated") {
  CHECK(Mirror<Stokeslet>::strength(2) == 1);
  CHECK(Mirror<Stresslet>::strength(0) == -1);
  CHECK(Mirror<Stresslet>::strength(3) == 1);
  CHECK(Mirror<Stokes>::strength(2) == 1);
  CHECK(Mirror<Stokes>::strength(3) == -1);
  CHECK(Mirror<Stokes>::strength(8) == 1);
  CHECK(Mirror<Rotlet>::strength(1) == -1);
  CHECK(Mirror<LaplaceGradient>::result(0) == 1);
  CHECK(Mirror<LaplaceGradient>::result(3) == -1);
}

TEST_CASE("descriptions: powers of length that strengths and results take up") {
  CHECK(strength_scale<Stresslet>(0, 2.0) == 2);
  CHECK(strength_scale<Stresslet>(3, 2.0) == 2);
  CHECK(strength_scale<Rotlet>(2, 2.0) == 4);
  CHECK(result_scale<Rotlet>(0, 2.0) == 1);
  CHECK(result_scale<LaplaceGradient>(1, 2.0) == 2);
}
