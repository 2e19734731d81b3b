// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/merge/merge_gpu.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/points/merge/overflow.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T>
void MergeAll<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  GpuCheck check;
  launch_merge(MergeView<T>(buffers, args), check.place(), stream);
  TaskHeader const header = buffers.header();
  check.end(stream, [header, args, worker = current_worker()](BadNumber const& bad) {
    auto const row = std::uint64_t(args.components);
    Error const error =
        overflow<T>(int(bad.place % row), std::int64_t(bad.place / row), (long double)(bad.value), bad.exponent);
    header.errors->store(Merge<T>::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void MergeAll<double>::gpu(Buffers const&, MergeArgs const&, void*);
template void MergeAll<float>::gpu(Buffers const&, MergeArgs const&, void*);

}  // namespace nearfar

#endif
