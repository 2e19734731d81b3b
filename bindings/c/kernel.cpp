// SPDX-License-Identifier: BSD-3-Clause
// Kernels and outputs by number.
#include "bindings/c/kernel.hpp"

#include "bindings/c/values.hpp"

#include <utility>

namespace nearfar::c {

static_assert(int(Kernel::stokeslet) == NEARFAR_STOKESLET && int(Kernel::stresslet) == NEARFAR_STRESSLET &&
              int(Kernel::stokes) == NEARFAR_STOKES && int(Kernel::laplace) == NEARFAR_LAPLACE &&
              int(Kernel::rotlet) == NEARFAR_ROTLET && int(Kernel::dipole) == NEARFAR_DIPOLE &&
              int(Kernel::charge_dipole) == NEARFAR_CHARGE_DIPOLE && int(Kernel::yukawa) == NEARFAR_YUKAWA &&
              int(Kernel::doublet) == NEARFAR_DOUBLET);

Kernel kernel(int value) { return enumerator<Kernel>(value, 9, "kernel"); }

namespace {

std::string names_of(unsigned outputs) {
  static constexpr char const* names[]{"potential", "gradient", "hessian", "velocity", "pressure", "velocity gradient"};
  std::string text;
  for (unsigned i = 0; i < 6; ++i)
    if ((outputs >> i & 1) != 0) text += (text.empty() ? "" : ", ") + std::string(names[i]);
  if (outputs >> 6 != 0) text += (text.empty() ? "" : ", ") + std::string("unknown flags");
  return text;
}

}  // namespace

Outputs outputs(Kernel kernel, unsigned flags) {
  bool const flow = first_output(kernel) == Output::velocity;
  unsigned const slopes = flow ? NEARFAR_OUTPUT_VELOCITY_GRADIENT : NEARFAR_OUTPUT_GRADIENT;
  std::pair<unsigned, Output> const known[]{{NEARFAR_OUTPUT_POTENTIAL, Output::potential},
                                            {NEARFAR_OUTPUT_VELOCITY, Output::velocity},
                                            {NEARFAR_OUTPUT_PRESSURE, Output::pressure},
                                            {slopes, Output::gradient},
                                            {NEARFAR_OUTPUT_HESSIAN, Output::hessian}};
  Outputs asked;
  unsigned rest = flags, available = 0;
  for (auto const& [flag, output] : known) {
    if (!outputs_of(kernel).has(output)) continue;
    available |= flag;
    if ((flags & flag) != 0) asked = asked | output;
    rest &= ~flag;
  }
  std::string const has = "{" + names_of(available) + "}", given = "outputs are {" + names_of(flags) + "}";
  if (rest != 0)
    throw Error(Fault::bad_input,
                given + ", which kernel " + std::string(name(kernel)) + " does not have; ask for " + "some of " + has);
  if (!asked.empty() && !asked.has(first_output(kernel)))
    throw Error(Fault::bad_input, given + " without the first of " + has + ", which kernel " +
                                      std::string(name(kernel)) + " always computes; add it");
  return asked;
}

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

int nearfar_components(int kernel, unsigned outputs, int* strengths, int* results) {
  return c::guarded([&] {
    auto const known = c::kernel(kernel);
    c::expect_place(strengths, "strengths") = strength_components(known);
    c::expect_place(results, "results") = result_components(known, c::outputs(known, outputs));
  });
}
}
