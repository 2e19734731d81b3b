// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar {

/// A kernel that is known when compiling.
template <Kernel K, bool G>
struct KernelCase {
  static constexpr Kernel kernel = K;
  static constexpr bool gradient = G;
};

/// f(KernelCase<kernel, gradient>()): the one place where a kernel that is chosen when running becomes one that is
/// known when compiling. Kernels other than Laplace have no gradient; it is left out.
template <class F>
decltype(auto) visit_kernel(Kernel kernel, bool gradient, F&& f) {
  switch (kernel) {
    case Kernel::stokeslet: return f(KernelCase<Kernel::stokeslet, false>());
    case Kernel::stresslet: return f(KernelCase<Kernel::stresslet, false>());
    case Kernel::stokes: return f(KernelCase<Kernel::stokes, false>());
    case Kernel::laplace: break;
  }
  return gradient ? f(KernelCase<Kernel::laplace, true>()) : f(KernelCase<Kernel::laplace, false>());
}

}  // namespace nearfar
