// SPDX-License-Identifier: BSD-3-Clause
// Kernels and outputs by number.
#include "bindings/c/kernel.hpp"

#include "bindings/c/values.hpp"

namespace nearfar::c {

static_assert(int(Kernel::stokeslet) == NEARFAR_STOKESLET && int(Kernel::stresslet) == NEARFAR_STRESSLET &&
              int(Kernel::stokes) == NEARFAR_STOKES && int(Kernel::laplace) == NEARFAR_LAPLACE);

Kernel kernel(int value) { return enumerator<Kernel>(value, 4, "kernel"); }

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

bool with_gradient(Kernel kernel, unsigned outputs) {
  bool const laplace = kernel == Kernel::laplace;
  unsigned const first = laplace ? NEARFAR_OUTPUT_POTENTIAL : NEARFAR_OUTPUT_VELOCITY;
  if (outputs == 0 || outputs == first) return false;
  if (laplace && outputs == (NEARFAR_OUTPUT_POTENTIAL | NEARFAR_OUTPUT_GRADIENT)) return true;
  throw Error(Fault::bad_input, "outputs are {" + names_of(outputs) + "}, which kernel " + std::string(name(kernel)) +
                                    " does not have; ask for {" + names_of(first) + "}" +
                                    (laplace ? " or {potential, gradient}" : ""));
}

}  // namespace nearfar::c

using namespace nearfar;

extern "C" {

int nearfar_components(int kernel, unsigned outputs, int* strengths, int* results) {
  return c::guarded([&] {
    auto const known = c::kernel(kernel);
    bool const gradient = c::with_gradient(known, outputs);
    c::expect_place(strengths, "strengths") = strength_components(known);
    c::expect_place(results, "results") = result_components(known, gradient);
  });
}
}
