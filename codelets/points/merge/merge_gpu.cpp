// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/merge/merge_gpu.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/points/merge/for_other.hpp"
#include "codelets/points/merge/overflow.hpp"

namespace nearfar {

namespace {

template <class T>
void merge(Buffers const& buffers, MergeArgs const& args, ChosenPoints chosen, void* stream) {
  GpuCheck check;
  launch_merge(MergeView<T>(buffers, args), chosen, check.place(), stream);
  TaskHeader const header = buffers.header();
  check.end(stream, [header, args, worker = current_worker()](BadNumber const& bad) {
    auto const row = std::uint64_t(args.components);
    Error const error =
        overflow<T>(int(bad.place % row), std::int64_t(bad.place / row), (long double)(bad.value), bad.exponent);
    header.errors->store(Merge<T>::name, header.block, worker, std::make_exception_ptr(error));
  });
}

}  // namespace

template <class T>
void MergeAll<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  merge<T>(buffers, args, {}, stream);
}

template <class T>
void MergeForOther<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  merge<T>(buffers, args, {buffers.get<std::uint32_t const>(5), int(buffers.size<std::uint32_t>(5))}, stream);
}

template <class T>
void TakeMoreResults<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_take(buffers.get<T const>(0), buffers.get<std::uint32_t const>(1), args.count, args.rows<T>(buffers), stream);
}

#define NEARFAR_INSTANTIATE(T)                                                  \
  template void MergeAll<T>::gpu(Buffers const&, MergeArgs const&, void*);      \
  template void MergeForOther<T>::gpu(Buffers const&, MergeArgs const&, void*); \
  template void TakeMoreResults<T>::gpu(Buffers const&, TakeResultsArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
