// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/bin/bin_gpu.hpp"

#include "codelets/common/codelet.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

template <class T>
void Bin<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  int const pieces = b.count(0) - 1;
  BinLaunch<T> const launch{args,
                            {b, 0, pieces, args.cut, args.row()},
                            b.get<StrengthUnit const>(0, pieces) + args.vector.number,
                            b.get<std::uint32_t const>(1),
                            b.get<std::int32_t const>(2) + b.size<std::int32_t>(2) - 1,
                            b.get<T const>(3),
                            b.get<void>(4),
                            b.size<T>(3) / 3,
                            b.count(5) > 0 ? b.get<void>(5) : nullptr};
  GpuCheck check;
  launch_bin(launch, check.place(), stream);
  TaskHeader const header = b.header();
  check.end(stream, [header, args, worker = current_worker()](BadNumber const& bad) {
    auto const row = std::uint64_t(args.row());
    Error const error = not_finite(bad.place / row, int(bad.place % row), args.numbers(), args.vector.all, bad.value);
    header.errors->store(Bin::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void Bin<double>::gpu(Buffers const&, BinArgs const&, void*);
template void Bin<float>::gpu(Buffers const&, BinArgs const&, void*);

}  // namespace nearfar
