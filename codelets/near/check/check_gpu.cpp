// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_gpu.hpp"

#include "core/kernels/instantiate.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T, Kernel K, bool G>
void Check<T, K, G>::gpu(Buffers const& b, Args const& args, void* stream) {
  auto const stride = [&](int k) { return b.size<T>(2, 2 * k) / 3; };
  int const blocks = b.count(2) / 2;
  int pieces = 0;
  for (int k = 0; k < blocks; ++k) pieces += CheckLaunch<T>::pieces_for(stride(k));
  CheckQueue<K, G, T> queue(
      {args, b.get<double const>(0), b.size<double>(0) / 3, b.get<std::int32_t const>(1), b.get<double>(3)}, pieces,
      stream);
  for (int k = 0; k < blocks; ++k) queue.add(k, b.get<T const>(2, 2 * k), b.get<T const>(2, 2 * k + 1), stride(k));
  queue.end();
}

#define NEARFAR_INSTANTIATE(T, K, G) template void Check<T, K, G>::gpu(Buffers const&, CheckArgs const&, void*);
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar

#endif
