// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/deal/deal_gpu.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/points/bin/bin.hpp"

#include <nearfar/error.hpp>

namespace nearfar {

template <class T>
void DealStrengths<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  DealLaunch<T> const launch{args,
                             {b, 0, b.count(0), args.piece, args.row},
                             b.get<std::uint32_t const>(1),
                             b.size<std::uint32_t>(1),
                             b.get<T>(2)};
  GpuCheck check;
  launch_deal(launch, check.place(), stream);
  TaskHeader const header = b.header();
  check.end(stream, [header, args, worker = current_worker()](BadNumber const& bad) {
    auto const row = std::uint64_t(args.row);
    Error const error =
        not_finite(bad.place / row, int(bad.place % row), args.row / args.vectors, args.vectors, bad.value);
    header.errors->store(DealStrengths::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void DealStrengths<double>::gpu(Buffers const&, DealStrengthsArgs const&, void*);
template void DealStrengths<float>::gpu(Buffers const&, DealStrengthsArgs const&, void*);

}  // namespace nearfar
