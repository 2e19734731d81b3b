// SPDX-License-Identifier: BSD-3-Clause
// Kernels and outputs by number.
#include "bindings/c/kernel.hpp"

#include "bindings/c/values.hpp"

#include <nearfar/kernels.hpp>

#include <string>
#include <vector>

namespace nearfar::c {

static_assert(int(Kernel::stokeslet) == NEARFAR_STOKESLET && int(Kernel::stresslet) == NEARFAR_STRESSLET &&
              int(Kernel::stokes) == NEARFAR_STOKES && int(Kernel::laplace) == NEARFAR_LAPLACE &&
              int(Kernel::rotlet) == NEARFAR_ROTLET && int(Kernel::dipole) == NEARFAR_DIPOLE &&
              int(Kernel::charge_dipole) == NEARFAR_CHARGE_DIPOLE && int(Kernel::yukawa) == NEARFAR_YUKAWA &&
              int(Kernel::doublet) == NEARFAR_DOUBLET);

Kernel kernel(int value) { return enumerator<Kernel>(value, int(kernel_list().size()), "kernel"); }

static_assert(unsigned(Output::potential) == NEARFAR_OUTPUT_POTENTIAL &&
              unsigned(Output::velocity) == NEARFAR_OUTPUT_VELOCITY &&
              unsigned(Output::pressure) == NEARFAR_OUTPUT_PRESSURE &&
              unsigned(Output::gradient) == NEARFAR_OUTPUT_GRADIENT &&
              unsigned(Output::hessian) == NEARFAR_OUTPUT_HESSIAN);

namespace {

constexpr Output known[]{Output::potential, Output::velocity, Output::pressure, Output::gradient, Output::hessian};

unsigned flags_of(Outputs outputs) {
  unsigned flags = 0;
  for (Output const output : list_of(outputs)) flags |= unsigned(output);
  return flags;
}

unsigned bits_of(std::vector<Periodicity> const& periodicities) {
  unsigned bits = 0;
  for (Periodicity const periodicity : periodicities) bits |= 1u << unsigned(periodicity);
  return bits;
}

}  // namespace

Outputs outputs(unsigned flags) {
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

int nearfar_get_kernel_info(int kernel, nearfar_kernel_info* info, size_t size) {
  return c::guarded([&] {
    KernelInfo const& k = kernel_info(c::kernel(kernel));
    c::give(nearfar_kernel_info{.name = name(k.kernel).data(),  // of a literal, which ends with a zero
                                .outputs = c::flags_of(k.outputs),
                                .fmm_outputs = c::flags_of(k.fmm_outputs),
                                .periodicities = c::bits_of(k.periodicities),
                                .fmm_periodicities = c::bits_of(k.fmm_periodicities),
                                .energy_outputs = c::flags_of(k.energy_outputs),
                                .virial_outputs = c::flags_of(k.virial_outputs),
                                .screening = k.screening,
                                .zero_mode = k.zero_mode,
                                .gauge_length = k.gauge_length},
            info, size, "info");
  });
}
}
