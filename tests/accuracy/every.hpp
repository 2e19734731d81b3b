// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

inline constexpr Kernel every_kernel[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
inline constexpr Periodicity every_periodicity[] = {Periodicity::none, Periodicity::x, Periodicity::xy,
                                                    Periodicity::xyz};
inline constexpr Split every_split[] = {Split::pswf, Split::gaussian};

/// As in measure.hpp, with images along some directions only.
inline System random_system(Periodicity periodicity, Kernel kernel, oracle::Box const& box, std::size_t sources,
                            std::size_t targets, unsigned seed, bool coinciding = true) {
  auto system = random_system(kernel, box, sources, targets, seed, coinciding);
  system.periodicity = periodicity;
  return system;
}

/// "stokes, periodic xy"
inline std::string title(System const& s) {
  return std::string(name(s.kernel)) + ", periodic " + std::string(name(s.periodicity));
}

}  // namespace nearfar
