// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/strength_unit.hpp"

#include "core/geometry/length_unit.hpp"
#include "core/kernels/description/description.hpp"

#include <doctest/doctest.h>
#include <initializer_list>
#include <limits>

using namespace nearfar;

namespace {

constexpr bool all[] = {true, true, true};

}  // namespace

TEST_CASE("powers of two: exact, also where the power itself is out of range") {
  CHECK(PowerOfTwo<double>(0)(3.7) == 3.7);
  CHECK(PowerOfTwo<double>(1100)(0x1p-100 * 1.7) == 0x1p1000 * 1.7);
  CHECK(PowerOfTwo<double>(-1200)(0x1p1000 * 1.7) == 0x1p-200 * 1.7);
  CHECK(PowerOfTwo<double>(2000)(0x1p-1074) == 0x1p926);
  CHECK(PowerOfTwo<float>(-130)(0x1p120f) == 0x1p-10f);
  CHECK(PowerOfTwo<double>(2000)(1) == std::numeric_limits<double>::infinity());
  CHECK(PowerOfTwo<double>(5000)(0) == 0);
  CHECK(PowerOfTwo<float>(-5000)(1) == 0);
}

TEST_CASE("the unit of length puts a box into [1, 2)") {
  for (double length : {1.0, 1.99, 2.0, 1e300, 1e-300, 5e-324, 1.7e308}) {
    auto const unit = LengthUnit::for_length(length);
    CHECK(unit.ours(length) >= 1);
    CHECK(unit.ours(length) < 2);
    CHECK(unit.callers(unit.ours(length)) == length);
  }
  CHECK(LengthUnit::for_length(0).exponent() == 0);
}

TEST_CASE("units of strengths: what is multiplied on the way in is made good on the way out") {
  // phi goes with q / length, its gradient with q / length^2.
  int const charge[] = {7};
  auto const laplace = strength_unit(describe(Kernel::laplace).unit, charge, all, 3);
  CHECK(laplace.strength[0] == -7);
  CHECK(laplace.result[0] == 7 - 3);
  CHECK(laplace.result[1] == 7 - 2 * 3);
  // u goes with q n / length^2.
  int const dipole[] = {5, -2};
  auto const stresslet = strength_unit(describe(Kernel::stresslet).unit, dipole, all, 4);
  CHECK(stresslet.strength[0] == -5);
  CHECK(stresslet.strength[1] == 2);
  CHECK(stresslet.result[0] == 5 - 2 - 2 * 4);
}

TEST_CASE("units of strengths: single and double layers share a unit, that of the larger one") {
  for (int force : {-300, -3, 0, 9, 400}) {
    int const exponent[] = {force, 5, -2}, length = 4;
    auto const unit = strength_unit(describe(Kernel::stokes).unit, exponent, all, length);
    // Both layers come out with the unit of the results.
    CHECK(unit.result[0] == -unit.strength[0] - length);
    CHECK(unit.result[0] == -unit.strength[1] - unit.strength[2] - 2 * length);
    CHECK(force + unit.strength[0] <= 0);
    CHECK(5 + unit.strength[1] <= 0);
    CHECK(-2 + unit.strength[2] == 0);
  }
}

TEST_CASE("units of strengths: a layer that is all zero has no say") {
  int const exponent[] = {-500, 900, 0};
  bool const no_normals[] = {true, true, false}, no_forces[] = {false, true, true};
  CHECK(strength_unit(describe(Kernel::stokes).unit, exponent, no_normals, 0).result[0] == -500);
  CHECK(strength_unit(describe(Kernel::stokes).unit, exponent, no_normals, 0).strength[1] == -900);
  CHECK(strength_unit(describe(Kernel::stokes).unit, exponent, no_forces, 0).result[0] == 900);
}
