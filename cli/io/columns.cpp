// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/columns.hpp"

namespace nearfar::cli {

std::vector<std::string> position_columns() { return {"x", "y", "z"}; }

std::vector<std::string> strength_columns(Kernel kernel) {
  switch (kernel) {
    case Kernel::stokeslet: return {"fx", "fy", "fz"};
    case Kernel::stresslet: return {"qx", "qy", "qz", "nx", "ny", "nz"};
    case Kernel::stokes: return {"fx", "fy", "fz", "qx", "qy", "qz", "nx", "ny", "nz"};
    case Kernel::laplace: return {"q"};
  }
  return {};
}

std::vector<std::string> result_columns(Kernel kernel, bool gradient) {
  if (kernel != Kernel::laplace) return {"ux", "uy", "uz"};
  if (gradient) return {"phi", "dphidx", "dphidy", "dphidz"};
  return {"phi"};
}

}  // namespace nearfar::cli
