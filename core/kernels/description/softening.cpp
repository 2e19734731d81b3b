// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/softening.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/softened.hpp"

#include <nearfar/error.hpp>

#include <cmath>
#include <sstream>

namespace nearfar {

void check_softening(Kernel kernel, Outputs outputs, std::optional<double> softening) {
  if (!softening) return;
  std::ostringstream text;
  text << "softening is " << *softening << " ";
  if (!(std::isfinite(*softening) && *softening > 0))
    text << "(a length in 1 / sqrt(r^2 + softening^2)). Give a length above 0, or leave it out";
  else if (!visit_kernel(kernel, outputs, []<class K>(K) { return bool(may_be_softened<K>); }))
    text << "with kernel " << name(kernel)
         << " (only the potential of charges, q / r, is softened). Leave it out, or use kernel laplace";
  else return;
  throw Error(Fault::bad_input, text.str());
}

}  // namespace nearfar
