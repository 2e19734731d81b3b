// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/pad/pad_gpu.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/spectral/pad/bad_density.hpp"

namespace nearfar {

template <class T>
void Pad<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  GpuCheck check;
  PadBody<T> const body{{args.grid, args.layout, args.slab}, b.get<T const>(0), b.get<T>(1)};
  launch_pad(body, check.place(), stream);
  TaskHeader const header = b.header();
  check.end(stream, [header, grid = args.grid, worker = current_worker()](BadNumber const& bad) {
    Error const error = bad_density(grid, std::int64_t(bad.place), bad.value);
    header.errors->store(Pad<T>::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template <class T>
void Restrict<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  GpuCheck check;
  launch_restrict(RestrictBody<T>(args, b.get<T const>(0), b.get<T>(1)), check.place(), stream);
  TaskHeader const header = b.header();
  check.end(stream, [header, grid = args.grid, worker = current_worker()](BadNumber const& bad) {
    Error const error = bad_result<T>(grid, std::int64_t(bad.place), bad.value);
    header.errors->store(Restrict<T>::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void Pad<double>::gpu(Buffers const&, PadArgs const&, void*);
template void Pad<float>::gpu(Buffers const&, PadArgs const&, void*);
template void Restrict<double>::gpu(Buffers const&, RestrictArgs const&, void*);
template void Restrict<float>::gpu(Buffers const&, RestrictArgs const&, void*);

}  // namespace nearfar
