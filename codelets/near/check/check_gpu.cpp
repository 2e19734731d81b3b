// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_gpu.hpp"

#include "codelets/near/check/soft_check.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

template <class Queue, class T>
void queue_checks(Buffers const& b, CheckArgs const& args, void* stream) {
  auto const stride = [&](int k) { return b.size<T>(2, k, &LeafSources::position) / 3; };
  int const blocks = b.items<LeafSources>(2);
  int pieces = 0;
  for (int k = 0; k < blocks; ++k) pieces += CheckLaunch<T>::pieces_for(stride(k));
  Queue queue({args, b.get<double const>(0), b.size<double>(0) / 3, b.get<std::int32_t const>(1), b.get<double>(3)},
              pieces, stream);
  for (int k = 0; k < blocks; ++k)
    queue.add(k, b.get<T const>(2, k, &LeafSources::position), b.get<T const>(2, k, &LeafSources::strengths),
              stride(k));
  queue.end();
}

}  // namespace

template <class T, class K>
void Check<T, K>::gpu(Buffers const& b, Args const& args, void* stream) {
  queue_checks<CheckQueue<K, T>, T>(b, args, stream);
}

template <class T, class K>
void SoftCheck<T, K>::gpu(Buffers const& b, Args const& args, void* stream) {
  queue_checks<SoftCheckQueue<K, T>, T>(b, args, stream);
}

#define NEARFAR_INSTANTIATE(T, K) template void Check<T, K>::gpu(Buffers const&, CheckArgs const&, void*);
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)
#define NEARFAR_INSTANTIATE_SOFT(T, K) template void SoftCheck<T, K>::gpu(Buffers const&, CheckArgs const&, void*);
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE_SOFT, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE_SOFT, float)

}  // namespace nearfar
