// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/totals/totals_gpu.hpp"

#include "codelets/common/codelet.hpp"

#include <nearfar/pic.hpp>

#include <cstddef>

namespace nearfar {

// As write_totals has them.
static_assert(sizeof(PicTotals) == 8 * sizeof(double) && offsetof(PicTotals, time) == 0 &&
              offsetof(PicTotals, charge) == sizeof(double) &&
              offsetof(PicTotals, kinetic) == (2 + int(PicSum::kinetic)) * sizeof(double) &&
              offsetof(PicTotals, field) == (2 + int(PicSum::field)) * sizeof(double) &&
              offsetof(PicTotals, external) == (2 + int(PicSum::external)) * sizeof(double) &&
              offsetof(PicTotals, momentum) == (2 + int(PicSum::momentum)) * sizeof(double));

template <class T>
void Measure<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_measure<T>(
      {args.grid, args.motion, b.get<T const>(0), b.get<T const>(1), b.size<T>(1), GpuPointers<T>(b, 2), nullptr},
      b.get<double>(3), stream);
}

template <class T>
void Tally<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  GpuCheck check;
  launch_tally(args, GpuPointers<double>(b, 0), GpuPointers<T>(b, 1), b.get<double>(2), check.place(), stream);
  check.end(stream, [header = b.header(), args, worker = current_worker()](BadNumber const& bad) {
    Error const error = bad_total(args, int(bad.place), bad.value);
    header.errors->store(Tally::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void Measure<double>::gpu(Buffers const&, MeasureArgs const&, void*);
template void Measure<float>::gpu(Buffers const&, MeasureArgs const&, void*);
template void Tally<double>::gpu(Buffers const&, TallyArgs const&, void*);
template void Tally<float>::gpu(Buffers const&, TallyArgs const&, void*);

}  // namespace nearfar
