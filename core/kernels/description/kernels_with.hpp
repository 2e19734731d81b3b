// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernels.hpp>

#include <string>

namespace nearfar {

/// The kernels for whose information `has` is true, as a sentence lists them: "laplace, stokeslet or stokes".
template <class Has>
std::string kernels_with(Has has) {
  std::string names;
  for (KernelInfo const& info : kernel_list())
    if (has(info)) names.append(names.empty() ? "" : ", ").append(name(info.kernel));
  if (auto const last = names.rfind(", "); last != std::string::npos) names.replace(last, 2, " or ");
  return names;
}

}  // namespace nearfar
