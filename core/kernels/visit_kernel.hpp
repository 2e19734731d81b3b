// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

namespace nearfar {

/// A kernel that is known at compile time.
template <Kernel K, bool G>
struct KernelCase {
  static constexpr Kernel kernel = K;
  static constexpr bool gradient = G;
};

/// f(KernelCase<kernel, gradient>()): the one place where a kernel chosen at run time becomes one
/// known at compile time. Kernels other than Laplace have no gradient; for them `gradient` is ignored.
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
