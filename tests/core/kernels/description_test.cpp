// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/description.hpp"

#include "core/geometry/axes.hpp"
#include "core/kernels/description/strength_unit.hpp"

#include <nearfar/error.hpp>
#include <nearfar/kernels.hpp>

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace nearfar;

namespace {

std::vector<Kernel> every_value() {
  std::vector<Kernel> all;
  for (int k = 0; name(Kernel(k)) != "unknown"; ++k) all.push_back(Kernel(k));
  return all;
}

}  // namespace

TEST_CASE("descriptions: each kernel has one, and its own name and symbol") {
  std::set<std::string_view> symbols;
  for (Kernel kernel : every_value()) {
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
  CHECK_THROWS_AS(describe(Kernel::stokeslet, Output::potential), std::logic_error);
  CHECK_THROWS_AS(check_outputs(Kernel::stokeslet, Output::gradient), Error);
  CHECK_THROWS_AS(check_outputs(Kernel::laplace, Output::gradient), Error);
  check_outputs(Kernel::laplace, Output::potential | Output::gradient);
  check_outputs(Kernel::laplace, {});
}

TEST_CASE("list of kernels: each of the enumeration once, in its order") {
  std::vector<Kernel> listed;
  for (KernelInfo const& info : kernel_list()) listed.push_back(info.kernel);
  CHECK(listed == every_value());
  CHECK_THROWS_AS(kernel_info(Kernel(77)), std::logic_error);
}

TEST_CASE("list of kernels: outputs, methods and periodicities") {
  KernelInfo const &charges = kernel_info(Kernel::laplace), &screened = kernel_info(Kernel::yukawa),
                   &forces = kernel_info(Kernel::stokeslet);
  Outputs const potentials = Output::potential | Output::gradient | Output::hessian,
                flows = Output::velocity | Output::pressure | Output::gradient;
  CHECK(charges.outputs == potentials);
  CHECK(charges.fmm_outputs == potentials);
  CHECK(screened.outputs == potentials);
  CHECK(screened.fmm_outputs == Outputs());
  CHECK(forces.outputs == flows);
  CHECK(forces.fmm_outputs == flows);
  CHECK(charges.periodicities.size() == 8);
  using Boxes = std::vector<Periodicity>;
  CHECK(charges.fmm_periodicities == Boxes{Periodicity::none, Periodicity::xyz});
  CHECK(kernel_info(Kernel::dipole).fmm_periodicities == Boxes{Periodicity::none, Periodicity::xyz});
  CHECK(forces.fmm_periodicities == Boxes{Periodicity::none});
  CHECK(screened.fmm_periodicities.empty());
}

TEST_CASE("list of kernels: energies, virials and options of their own") {
  struct Expected {
    Kernel kernel;
    Outputs energy, virial;
    bool screening, zero_mode, gauge_length;
  };
  Outputs const one = Output::potential, two = one | Output::gradient, three = two | Output::hessian;
  for (Expected const& e : {Expected{Kernel::laplace, one, two, false, false, true},
                            {Kernel::yukawa, one, two, true, false, false},
                            {Kernel::dipole, two, three, false, false, false},
                            {Kernel::charge_dipole, two, three, false, false, true},
                            {Kernel::stokeslet, {}, {}, false, false, true},
                            {Kernel::stresslet, {}, {}, false, true, false},
                            {Kernel::stokes, {}, {}, false, true, true},
                            {Kernel::rotlet, {}, {}, false, false, false},
                            {Kernel::doublet, {}, {}, false, false, false}}) {
    KernelInfo const& info = kernel_info(e.kernel);
    CAPTURE(name(e.kernel));
    CHECK(info.energy_outputs == e.energy);
    CHECK(info.virial_outputs == e.virial);
    CHECK(info.screening == e.screening);
    CHECK(info.zero_mode == e.zero_mode);
    CHECK(info.gauge_length == e.gauge_length);
  }
}

TEST_CASE("descriptions: columns") {
  using Columns = std::vector<std::string>;
  CHECK(strength_columns(Kernel::stokes) == Columns{"fx", "fy", "fz", "qx", "qy", "qz", "nx", "ny", "nz"});
  CHECK(strength_columns(Kernel::rotlet) == Columns{"tx", "ty", "tz"});
  CHECK(result_columns(Kernel::laplace, Output::potential | Output::gradient) ==
        Columns{"phi", "dphidx", "dphidy", "dphidz"});
  CHECK(result_columns(Kernel::laplace, outputs_of(Kernel::laplace)) == Columns{"phi", "dphidx", "dphidy", "dphidz",
                                                                                "d2phidxx", "d2phidxy", "d2phidxz",
                                                                                "d2phidyy", "d2phidyz", "d2phidzz"});
  CHECK(result_columns(Kernel::rotlet) == Columns{"ux", "uy", "uz"});
  CHECK(strength_columns(Kernel::doublet) == Columns{"dxx", "dxy", "dxz", "dyx", "dyy", "dyz", "dzx", "dzy", "dzz"});
  CHECK(strength_columns(Kernel::charge_dipole) == Columns{"q", "px", "py", "pz"});
  CHECK(result_columns(Kernel::dipole) == Columns{"phi"});
  CHECK(result_columns(Kernel::stokeslet, Output::velocity | Output::pressure) == Columns{"ux", "uy", "uz", "p"});
  Columns const gradient{"duxdx", "duxdy", "duxdz", "duydx", "duydy", "duydz", "duzdx", "duzdy", "duzdz"};
  Columns all{"ux", "uy", "uz"};
  all.insert(all.end(), gradient.begin(), gradient.end());
  CHECK(result_columns(Kernel::stokes, Output::velocity | Output::gradient) == all);
  all.insert(all.begin() + 3, "p");
  CHECK(result_columns(Kernel::stokes, outputs_of(Kernel::stokes)) == all);
}

TEST_CASE("descriptions: a caller gets what was asked for, however much is computed") {
  Outputs const asked = Output::velocity | Output::gradient;
  KernelDescription const& kernel = describe(Kernel::stresslet, asked);
  CHECK(kernel.results == 13);
  AskedResults const results = asked_results(kernel, asked);
  CHECK(results.computed == 13);
  CHECK(results.numbers == 12);
  REQUIRE(results.fields.size() == 2);
  CHECK(results.fields[1].field.output == Output::gradient);
  CHECK(results.fields[1].computed == 4);
  CHECK(results.fields[1].begin == 3);
  RowColumns const columns = row_columns({2, 1, 0}, kernel.result_fields, asked);
  CHECK(columns.of(0) == 2);
  CHECK(columns.of(3) == -1);
  CHECK(columns.of(4) == 3 + 8);
  CHECK(columns.of(13 + 2) == 12);
  CHECK(columns.callers(26) == 24);
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
  CHECK(Mirror<ChargeDipole>::strength(0) == 1);
  CHECK(Mirror<ChargeDipole>::strength(1) == -1);
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
