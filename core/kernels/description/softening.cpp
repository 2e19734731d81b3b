// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/description/softening.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/softened.hpp"
#include "core/math/reject.hpp"

#include <cmath>

namespace nearfar {

void check_softening(Kernel kernel, Outputs outputs, std::optional<double> softening) {
  if (!softening) return;
  if (!(std::isfinite(*softening) && *softening > 0))
    reject("softening is ", *softening,
           " (a length in 1 / sqrt(r^2 + softening^2)). Give a length above 0, or leave it out");
  if (!visit_kernel(kernel, outputs, []<class K>(K) { return bool(may_be_softened<K>); }))
    reject("softening is ", *softening, " with kernel ", name(kernel),
           " (only the potential of charges, q / r, is softened). Leave it out, or use kernel laplace");
}

}  // namespace nearfar
