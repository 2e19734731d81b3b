// SPDX-License-Identifier: BSD-3-Clause
// Kernels and outputs by number.
#include "bindings/c/kernel.hpp"

#include "bindings/c/values.hpp"

#include <string>

namespace nearfar::c {

static_assert(int(Kernel::stokeslet) == NEARFAR_STOKESLET && int(Kernel::stresslet) == NEARFAR_STRESSLET &&
              int(Kernel::stokes) == NEARFAR_STOKES && int(Kernel::laplace) == NEARFAR_LAPLACE &&
              int(Kernel::rotlet) == NEARFAR_ROTLET && int(Kernel::dipole) == NEARFAR_DIPOLE &&
              int(Kernel::charge_dipole) == NEARFAR_CHARGE_DIPOLE && int(Kernel::yukawa) == NEARFAR_YUKAWA &&
              int(Kernel::doublet) == NEARFAR_DOUBLET);

Kernel kernel(int value) { return enumerator<Kernel>(value, 9, "kernel"); }

static_assert(unsigned(Output::potential) == NEARFAR_OUTPUT_POTENTIAL &&
              unsigned(Output::velocity) == NEARFAR_OUTPUT_VELOCITY &&
              unsigned(Output::pressure) == NEARFAR_OUTPUT_PRESSURE &&
              unsigned(Output::gradient) == NEARFAR_OUTPUT_GRADIENT &&
              unsigned(Output::hessian) == NEARFAR_OUTPUT_HESSIAN);

Outputs outputs(unsigned flags) {
  constexpr Output known[]{Output::potential, Output::velocity, Output::pressure, Output::gradient, Output::hessian};
  Outputs asked;
  unsigned unknown = flags;
  for (Output const output : known)
    if ((flags & unsigned(output)) != 0) {
      asked = asked | output;
      unknown &= ~unsigned(output);
    }
  if (unknown != 0)
    throw Error(Fault::bad_input, "outputs has the flags " + std::to_string(unknown) +
                                      " (which are no output's). Use those of enum nearfar_output");
  return asked;
}

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

int nearfar_components(int kernel, unsigned outputs, int* strengths, int* results) {
  return c::guarded([&] {
    auto const known = c::kernel(kernel);
    c::expect_place(strengths, "strengths") = strength_components(known);
    c::expect_place(results, "results") = result_components(known, c::outputs(outputs));
  });
}
}
