// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/translate/translate_gpu.hpp"

#include "codelets/fmm/translate/translate.hpp"

namespace nearfar {

namespace {

template <class T>
void translate_gpu(Shift shift, Buffers const& buffers, int order, int rhs, int separation, void* stream) {
  // Only the device knows how many runs and interactions there are; this bounds the number of interactions.
  std::int64_t const interactions = (buffers.size<std::int32_t>(1) - RunTable::head) / 3;
  TranslateQueue<T> queue(TranslateLaunch<T>::of(shift, buffers, order, rhs, separation), separation, interactions,
                          stream);
  std::int64_t first = 0;
  do {
    auto const last = std::min(interactions, first + queue.interactions_at_once());
    launch_in_parts<T const*>(
        buffers.count(2), [&](int i) { return buffers.get<T const>(2, i); },
        [&](auto const& sources) {
          queue.shift(int(first), int(last), shift == Shift::l2l || first > 0 || sources.first > 0, sources);
        });
    first = last;
  } while (first < interactions);
}

}  // namespace

template <class T>
void M2M<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  translate_gpu<T>(Shift::m2m, buffers, args.order, args.rhs, 1, stream);
}
template <class T>
void M2L<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  translate_gpu<T>(Shift::m2l, buffers, args.order, args.rhs, args.separation, stream);
}
template <class T>
void L2L<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  translate_gpu<T>(Shift::l2l, buffers, args.order, args.rhs, 1, stream);
}

#define NEARFAR_INSTANTIATE(T)                                      \
  template void M2M<T>::gpu(Buffers const&, M2MArgs const&, void*); \
  template void M2L<T>::gpu(Buffers const&, M2LArgs const&, void*); \
  template void L2L<T>::gpu(Buffers const&, L2LArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
