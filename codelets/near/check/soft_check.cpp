// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/soft_check.hpp"

#include "codelets/common/names.hpp"
#include "codelets/near/check/check_body.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

template <class T, class K>
char const* SoftCheck<T, K>::symbol() {
  static std::string const s = model_symbol<T>("soft_check", K::symbol);
  return s.c_str();
}

template <class T, class K>
void SoftCheck<T, K>::portable(Buffers const& buffers, Args const& args) {
  check_sums<double, 1, K>(CheckBuffers<T>(buffers), args, SoftInverse<Lanes<double>>{args.softening_squared});
}

#define NEARFAR_INSTANTIATE(T, K) template struct SoftCheck<T, K>;
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar
