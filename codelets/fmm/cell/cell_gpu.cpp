// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/cell/cell_gpu.hpp"

#include "codelets/common/codelet.hpp"

namespace nearfar {

template <class T>
void CellMoment<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_cell_moment(CellMomentLaunch<T>::of(b, args), stream);
}

void CellSum::gpu(Buffers const& b, Args const& args, void* stream) {
  GpuCheck check;
  launch_in_parts<double const*>(
      b.count(0), [&](int i) { return b.get<double const>(0, i); },
      [&](auto const& moments) {
        launch_cell_sum(args, moments, moments.first + moments.count >= b.count(0), b.get<StrengthUnit const>(1),
                        b.get<double>(2), check.place(), stream);
      });
  TaskHeader const header = b.header();
  check.end(stream, [header, worker = current_worker()](BadNumber const& bad) {
    header.errors->store(name, header.block, worker, std::make_exception_ptr(not_neutral(bad.value, bad.exponent)));
  });
}

template <class T, int G>
void CellField<T, G>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_cell_field<G>(CellFieldLaunch<T>::of(b, args), stream);
}

#define NEARFAR_INSTANTIATE(T)                                                     \
  template void CellMoment<T>::gpu(Buffers const&, CellMomentArgs const&, void*);  \
  template void CellField<T, 0>::gpu(Buffers const&, CellFieldArgs const&, void*); \
  template void CellField<T, 1>::gpu(Buffers const&, CellFieldArgs const&, void*); \
  template void CellField<T, 2>::gpu(Buffers const&, CellFieldArgs const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
