// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_simd.hpp"

#include "codelets/common/simd/lanes_simd.hpp"

namespace nearfar {

template <class Tag, class T, class K>
void check_simd(CheckBuffers<T> const& b, CheckArgs const& args) {
  check_sums<Batch<double, Tag>, 2, K>(b, args);
}

#define NEARFAR_INSTANTIATE(T, K) \
  template void check_simd<NEARFAR_SIMD_TAG, T, K>(CheckBuffers<T> const&, CheckArgs const&);
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)

}  // namespace nearfar
