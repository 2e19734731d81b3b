// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/laboratory/pair_simd_body.hpp"
#include "core/kernels/pairs/pair_functions.hpp"
#include "core/kernels/pairs/screened_functions.hpp"

namespace nearfar {

#define NEARFAR_INSTANTIATE(F)                                                             \
  template void pairs_simd<NEARFAR_SIMD_TAG, F, double>(PairSet<double> const&, F const&); \
  template void pairs_simd<NEARFAR_SIMD_TAG, F, float>(PairSet<float> const&, F const&);
#define NEARFAR_BOTH(F) NEARFAR_INSTANTIATE(F<2>) NEARFAR_INSTANTIATE(F<3>)
NEARFAR_BOTH(InverseDistance)
NEARFAR_BOTH(InverseSquare)
NEARFAR_BOTH(Logarithm)
NEARFAR_BOTH(Exponential)
NEARFAR_BOTH(RankOne)
NEARFAR_BOTH(OseenTensor)
NEARFAR_INSTANTIATE(ErfcLibrary<3>)
NEARFAR_INSTANTIATE(ErfcRational<3>)
NEARFAR_INSTANTIATE(ErfcPolynomial<3>)

}  // namespace nearfar
